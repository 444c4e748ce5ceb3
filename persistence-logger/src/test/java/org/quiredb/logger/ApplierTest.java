package org.quiredb.logger;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.logger.apply.Applier;
import org.quiredb.logger.apply.ReplicaRows;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.BackendAddress;
import org.quiredb.logger.backend.Backends;
import org.quiredb.logger.log.RecordWindow;

/// An applier and what it meets.
@Tag("slow")
final class ApplierTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    private static Applier applier(Backend backend, ReplicaRows replicas) {
        return new Applier(
                backend, new Backends(List.of(backend)), SHOP, new RecordWindow(), 64, replicas);
    }

    /// Has no memory for the first answer.
    private static final class LargeRows implements ReplicaRows {
        final AtomicInteger asked = new AtomicInteger();

        @Override
        public Found find(ConflictClass conflictClass, long atLeast, List<RowChange> keys) {
            if (asked.incrementAndGet() == 1) {
                throw new OutOfMemoryError("of this test");
            }
            return new Found(1, 0, List.of(Records.insert("item", Map.of("id", SqlValue.of(1)))));
        }

        @Override
        public List<RowChange> named(
                ConflictClass conflictClass, String schema, String table, List<String> keys) {
            return List.of();
        }

        @Override
        public long epoch() {
            return 1;
        }
    }

    @Test
    void goesOnAfterAnErrorOfTheMachine() throws Exception {
        TestServer server = TestServer.get();
        server.reset();
        Backend backend = new Backend(0, server.address());
        backend.prepare();
        server.execute("CREATE TABLE shop.item (id INT PRIMARY KEY)");
        LargeRows replicas = new LargeRows();
        try (Applier applier = applier(backend, replicas)) {
            applier.start();
            applier.owe(List.of(Records.delete("item", 1)));
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (applier.owed() > 0) { // set aside meanwhile
                assertThat(System.nanoTime()).as("patience").isLessThan(deadline);
                Thread.sleep(20);
            }
        }
        assertThat(replicas.asked).hasValue(2);
        assertThat(server.query("SELECT id FROM shop.item")).containsExactly("1");
    }

    /// Whoever makes one keeps others waiting meanwhile.
    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void beginsInTimeWhereTheBackendTakesConnectionsAndSaysNothing() throws Exception {
        try (ServerSocket hanging = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            BackendAddress address =
                    new BackendAddress(
                            "jdbc:mysql://127.0.0.1:" + hanging.getLocalPort() + "/", "q", "q");
            Applier applier = applier(new Backend(0, address), ReplicaRows.NONE);
            assertThat(applier.applied()).isZero();
        }
    }
}
