package org.quiredb.node.isolation;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.config.ClassSection;

/// A tier in this JVM over a real MariaDB, with one master or three, and what may happen to it.
final class Tier implements AutoCloseable {
    private static final int LONGEST_MILLIS = 400;
    private static final int TAKEOVER_SECONDS = 30;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /// Every schema has its master, the first the leader; `-Dquire.history.masters=1` gives all to
    /// one.
    private static final List<ClassSection> CLASSES =
            Integer.getInteger("quire.history.masters", 3) == 1
                    ? List.of()
                    : List.of(
                            new ClassSection("second", "slave-1", List.of(Tables.schema(1) + ".*")),
                            new ClassSection("third", "slave-2", List.of(Tables.schema(2) + ".*")));

    /// Clients are spread over them.
    private static final int SCHEDULERS = Integer.getInteger("quire.history.schedulers", 2);

    private final EmbeddedBackend backend;
    private final LocalCluster cluster;

    Tier(Path data) throws Exception {
        backend = FreshBackend.start(data);
        try (Connection direct = direct()) {
            Tables.create(direct);
            cluster =
                    LocalCluster.start(
                            new ClusterConfig(0, backend.port(), data, 3, 0, "quire", "quire")
                                    .with(CLASSES)
                                    .with(new ClusterConfig.Copies(SCHEDULERS, 1)),
                            backend);
            awaitMasters();
        } catch (Exception | Error e) {
            backend.close();
            throw e;
        }
    }

    private void awaitMasters() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TAKEOVER_SECONDS);
        while (!CLASSES.stream().allMatch(this::hasItsMaster)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("classes do not get their masters");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private boolean hasItsMaster(ClassSection wished) {
        return cluster.masterOf(new ConflictClass(wished.name()))
                .filter(wished.master()::equals)
                .isPresent();
    }

    LocalCluster cluster() {
        return cluster;
    }

    /// Every other client has its statements prepared by the server.
    Connection open(int process, int turn) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:%d/%s?useServerPrepStmts=%b"
                        .formatted(
                                cluster.ports().get((process / 2 + turn) % SCHEDULERS),
                                Tables.schema(0),
                                process % 2 == 1),
                "quire",
                "quire");
    }

    /// Statements that had to wait for a lock so far.
    long lockWaits() {
        return cluster.lockWaits();
    }

    long lockWaitsOfBackend() throws SQLException {
        try (Connection direct = direct();
                Statement statement = direct.createStatement();
                ResultSet row =
                        statement.executeQuery(
                                "SELECT variable_value FROM information_schema.global_status"
                                        + " WHERE variable_name = 'Innodb_row_lock_waits'")) {
            row.next();
            return row.getLong(1);
        }
    }

    /// To the backend.
    Connection direct() throws SQLException {
        return DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire");
    }

    /// Returns when every replica is back and serves.
    void disturb(Mix mix) throws Exception {
        Random random = new Random(mix.seed());
        switch (mix.fault()) {
            case NONE -> {}
            case SLAVE_DIES -> revive(kill(slave(random), random), random);
            case MASTER_DIES -> revive(kill(leader(), random), random);
            case BOTH_DIE -> {
                String first = kill(leader(), random);
                String second = kill(leader(), random);
                revive(first, random);
                revive(second, random);
            }
            case BACKEND_WAITS -> {
                pause(random);
                try (Connection direct = direct()) {
                    Tables.execute(
                            direct,
                            "LOCK TABLES %s.list READ"
                                    .formatted(Tables.schema(random.nextInt(mix.schemas()))));
                    pause(random);
                    Tables.execute(direct, "UNLOCK TABLES");
                }
            }
        }
    }

    private String kill(String replica, Random random) {
        pause(random);
        cluster.kill(replica);
        return replica;
    }

    private void revive(String replica, Random random) {
        pause(random);
        cluster.revive(replica);
    }

    /// The master, once there is one.
    private String leader() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TAKEOVER_SECONDS);
        while (true) {
            try {
                return cluster.leader();
            } catch (QuireException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    private String slave(Random random) {
        TreeSet<String> names = new TreeSet<>(cluster.readsByNode().keySet());
        names.remove(leader());
        List<String> slaves = new ArrayList<>(names);
        return slaves.get(random.nextInt(slaves.size()));
    }

    /// Faults are to come at any moment of what clients do.
    private static void pause(Random random) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(LONGEST_MILLIS)));
    }

    @Override
    public void close() {
        try {
            cluster.close();
        } finally {
            backend.close();
        }
    }
}
