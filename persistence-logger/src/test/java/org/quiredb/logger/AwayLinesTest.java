package org.quiredb.logger;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quiredb.common.message.LoggerRequest.Append;
import org.quiredb.common.message.LoggerRequest.OpenClass;
import org.quiredb.common.message.LoggerRequest.ReadTopology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.slf4j.LoggerFactory;

/// Who asks for what a backend that is away has to say asks again and again.
@Tag("slow")
final class AwayLinesTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");

    @Test
    void aBackendThatIsAwayIsNotTenLinesASecond() throws Exception {
        TestServer server = TestServer.another();
        Logger root = (Logger) LoggerFactory.getLogger("org.quiredb");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        try (PersistenceLogger logger =
                PersistenceLogger.start(
                        new LoggerConfiguration(
                                "logger", List.of(server.address()), 8, 1000, 10_000, 100))) {
            new LoggerClient(logger).ask(new OpenClass(SHOP, 1));
            new LoggerClient(logger).ask(new Append(SHOP, 1, 0, List.of(record(1))));
            server.kill();
            root.setLevel(Level.INFO);
            lines.start();
            root.addAppender(lines);
            Thread.startVirtualThread(
                    () -> new LoggerClient(logger).ask(new Append(SHOP, 1, 1, List.of(record(2)))));
            long until = System.nanoTime() + 6_000_000_000L;
            LoggerClient replica = new LoggerClient(logger);
            while (System.nanoTime() < until) { // as replicas, each second
                replica.ask(new ReadTopology(false));
                Thread.sleep(330);
            }
            root.detachAppender(lines);
            assertThat(lines.list.size()).isBetween(1, 5);
        }
    }

    private static CommitRecord record(long number) {
        return Records.total(number, number, 1);
    }
}
