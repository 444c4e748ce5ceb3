package org.quiredb.logger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest.Append;
import org.quiredb.common.message.LoggerRequest.AwaitApplied;
import org.quiredb.common.message.LoggerRequest.ChangeSchedulers;
import org.quiredb.common.message.LoggerRequest.OpenClass;
import org.quiredb.common.message.LoggerRequest.OpenComparison;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.logger.LoggerConfiguration.Absence;

@Tag("slow")
class TwoBackendsTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private static final long PATIENCE_SECONDS = 60;
    private static final String LOG =
            "SELECT CONCAT_WS(' ', class_name, commit_number, epoch, transaction_id, MD5(record))"
                    + " FROM quire.commit_log ORDER BY class_name, commit_number";
    private static final String RECORDS =
            "SELECT CONCAT_WS(' ', epoch, HEX(record)) FROM quire.schedulers"
                    + " UNION ALL SELECT CONCAT_WS(' ', epoch, HEX(record)) FROM quire.topology";
    private static final String SET =
            "SELECT CONCAT_WS(' ', generation, owner, members, written, transactions) FROM quire.backend_set";

    private static TestServer one;
    private static TestServer two;
    private PersistenceLogger logger;
    private LoggerClient client;

    @BeforeAll
    static void startServers() throws Exception {
        one = TestServer.another();
        two = TestServer.another();
    }

    @AfterAll
    static void stopServers() {
        one.kill();
        two.kill();
    }

    @BeforeEach
    void startOnEqualServers() throws Exception {
        for (TestServer server : List.of(one, two)) {
            server.reset();
            server.execute(
                    "CREATE TABLE shop.total (id INT PRIMARY KEY, amount BIGINT NOT NULL)",
                    "INSERT INTO shop.total VALUES (1, 0)");
        }
        start(10_000);
        client.ask(new OpenClass(SHOP, 1));
    }

    @AfterEach
    void close() {
        logger.close();
    }

    private void start(long waitMillis) {
        logger =
                PersistenceLogger.start(
                        new LoggerConfiguration(
                                "logger",
                                List.of(one.address(), two.address()),
                                8,
                                1000,
                                waitMillis,
                                100,
                                new Absence(300, 5000)));
        client = new LoggerClient(logger);
    }

    @Test
    void eachHoldsTheWholeLogAndTheData() throws Exception {
        assertThat(append(1, add(1), add(2))).isEqualTo(new LoggerReply.Position(2));
        applied(2);
        assertAlike(2);
        assertThat(one.query(LOG)).hasSize(2);
    }

    @Test
    @Tag("long")
    void oneAfterTheOtherDiesUnderAStreamOfCommitsAndCatchesUp() throws Exception {
        Writer writer = new Writer();
        for (TestServer victim : List.of(one, two)) {
            List<String> command = victim.command();
            await("commits before", past(writer, 50));
            victim.kill();
            await("commits without " + victim.address(), past(writer, 200));
            victim.restart(command);
            await("two current backends", () -> current() == 2);
            await("commits after", past(writer, 50));
        }
        long written = writer.stop();
        assertThat(append(written, new CommitRecord[0]))
                .isEqualTo(new LoggerReply.Position(written));
        applied(written);
        assertAlike(written);
        assertThat(writer.longestMillis).as("stall").isLessThan(3000);
    }

    @Test
    void whoWasLeftBehindIsNotGoneOnFrom() throws Exception {
        append(1, add(1));
        List<String> command = two.command();
        two.kill();
        assertThat(append(2, add(2))).isEqualTo(new LoggerReply.Position(2));
        Schedulers entered = Schedulers.NOBODY.entered("scheduler", 7, "127.0.0.1", 3307);
        assertThat(client.ask(new ChangeSchedulers(entered)))
                .isEqualTo(new LoggerReply.SchedulersReply(entered));
        logger.close();

        List<String> survivor = one.command();
        one.kill();
        two.restart(command);
        await("an answer", () -> answers(two));
        assertThatThrownBy(() -> start(1000))
                .hasMessageContaining(one.address().name())
                .hasMessageContaining("start them");

        one.restart(survivor);
        await("an answer", () -> answers(one));
        start(10_000);
        client.ask(new OpenClass(SHOP, 2));
        await("two current backends", () -> current() == 2);
        assertThat(client.ask(new Append(SHOP, 2, 3, List.of(add(3)))))
                .isEqualTo(new LoggerReply.Position(3));
        applied(3);
        assertThat(two.query(RECORDS)).hasSize(1);
        assertAlike(3);
    }

    @Test
    void whatOnlyOneHasLoggedWhenTheLoggerDiesStaysAndReachesTheOther() throws Exception {
        append(1, add(1));
        applied(1);
        logger.close();
        one.execute(
                "INSERT INTO quire.commit_log SELECT class_name, 2, 0, epoch, 2, record, NULL FROM quire.commit_log",
                "UPDATE quire.backend_set SET transactions = transactions + 1");
        start(10_000);
        await("two current backends", () -> current() == 2);
        assertThat(two.query(LOG)).hasSize(2).isEqualTo(one.query(LOG));
    }

    @Test
    void aLoggerThatWasReplacedWritesNothingMore() throws Exception {
        append(1, add(1));
        PersistenceLogger old = logger;
        LoggerClient replaced = client;
        start(10_000);
        assertThat(replaced.ask(new Append(SHOP, 1, 0, List.of(add(2)))).toString())
                .contains("Standby");
        assertThat(append(0, add(2))).isEqualTo(new LoggerReply.Position(2));
        old.close();
    }

    @Test
    void backendsWithDifferentDataDoNotBeginTogether() throws Exception {
        logger.close();
        one.execute("DROP DATABASE quire");
        two.execute("DROP DATABASE quire", "UPDATE shop.total SET amount = 7");
        assertThatThrownBy(() -> start(1000))
                .hasMessageContaining("differ in their data")
                .hasMessageContaining(two.address().name());
    }

    @Test
    void aComparisonShowsBoth() {
        append(1, add(1));
        applied(1);
        assertThat(client.ask(new OpenComparison(List.of())))
                .isEqualTo(new LoggerReply.Positions(List.of(new ClassPosition(SHOP, 1))));
    }

    private void applied(long commitNumber) {
        assertThat(client.ask(new AwaitApplied(SHOP, commitNumber)))
                .isEqualTo(new LoggerReply.Position(commitNumber));
    }

    private void assertAlike(long total) throws SQLException {
        assertThat(current()).isEqualTo(2);
        assertThat(one.query(LOG)).isEqualTo(two.query(LOG));
        assertThat(one.query(SET)).isEqualTo(two.query(SET));
        assertThat(one.query(RECORDS)).isEqualTo(two.query(RECORDS));
        for (TestServer server : List.of(one, two)) {
            assertThat(server.query("SELECT amount FROM shop.total"))
                    .containsExactly(Long.toString(total));
        }
    }

    private LoggerReply append(long stable, CommitRecord... records) {
        return client.ask(new Append(SHOP, 1, stable, List.of(records)));
    }

    private int current() {
        return (int) logger.status().figure("backends");
    }

    private static boolean answers(TestServer server) {
        try {
            server.query("SELECT 1");
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    private interface Condition {
        boolean holds();
    }

    private static Condition past(Writer writer, long commits) {
        long goal = writer.written + commits;
        return () -> writer.written >= goal || writer.done.isDone();
    }

    private static void await(String what, Condition condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.holds()) {
            assertThat(System.nanoTime() - deadline).as("nanoseconds past: %s", what).isNegative();
            LockSupport.parkNanos(10_000_000);
        }
    }

    private static CommitRecord add(long number) {
        return Records.total(number, number, number);
    }

    /// A master of epoch 1 that commits until it is stopped.
    private final class Writer {
        private final LoggerClient master = new LoggerClient(logger);
        private final CompletableFuture<Void> done;
        private volatile boolean stopped;
        private volatile long written;
        private volatile long longestMillis;

        Writer() {
            done = CompletableFuture.runAsync(this::write, Thread::startVirtualThread);
        }

        private void write() {
            while (!stopped) {
                long begun = System.nanoTime();
                long next = written + 1;
                LoggerReply reply = master.ask(new Append(SHOP, 1, written, List.of(add(next))));
                assertThat(reply).isEqualTo(new LoggerReply.Position(next));
                written = next;
                longestMillis =
                        Math.max(
                                longestMillis,
                                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
            }
        }

        long stop() {
            stopped = true;
            done.join();
            return written;
        }
    }
}
