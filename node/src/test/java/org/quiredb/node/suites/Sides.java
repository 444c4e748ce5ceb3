package org.quiredb.node.suites;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.quiredb.common.error.QuireException;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;

/// A MariaDB alone and a tier over another. Suites log in as `root` without a password, so both let
/// that account in.
///
/// Threads: one.
final class Sides implements AutoCloseable {
    static final String USER = "root";

    private static final String OWNER = "quire";

    private final Path folder;
    private EmbeddedBackend alone;
    private EmbeddedBackend behind;
    private LocalCluster tier;
    private int renewed;

    Sides(Path folder) throws SQLException {
        this.folder = folder;
        alone = server("alone");
        try {
            behind = server("behind");
            try {
                tier = tier();
            } catch (RuntimeException e) {
                behind.close();
                throw e;
            }
        } catch (RuntimeException | SQLException e) {
            alone.close();
            throw e;
        }
    }

    int alone() {
        return alone.port();
    }

    int quire() {
        return tier.port();
    }

    /// The client programs of the server.
    Path programs() {
        return folder.resolve("alone").resolve("program").resolve("bin");
    }

    /// Statements that the tier has left to its backend so far.
    long onBackend() {
        return tier.fallbackStatements();
    }

    /// What is wrong with the tier itself after a test; empty when nothing is.
    List<String> broken() {
        try {
            List<String> failures = tier.failures();
            if (!failures.isEmpty()) {
                return failures;
            }
            tier.awaitCurrent(1);
            return tier.verify().differences().stream().map(Object::toString).toList();
        } catch (QuireException | IllegalStateException e) {
            return List.of("the tier does not answer: " + e.getMessage());
        }
    }

    /// A tier that a test has broken gives way to a new one over a new server.
    void renewTier() throws SQLException {
        stopTier();
        renewed++;
        behind = server("behind-" + renewed);
        tier = tier();
    }

    /// A test has left what cannot be removed by statements, as files in the server's folder.
    void renew() throws SQLException {
        renewTier();
        alone.close();
        alone = server("alone-" + renewed);
        clear();
    }

    /// Removes what a test has left on both sides: databases, accounts, settings.
    void clear() throws SQLException {
        Remains.clear(alone());
        Remains.clear(behind.port(), quire());
    }

    private LocalCluster tier() {
        return LocalCluster.start(
                new ClusterConfig(0, behind.port(), folder, 1, 0, OWNER, OWNER), behind);
    }

    private EmbeddedBackend server(String name) throws SQLException {
        EmbeddedBackend server = FreshBackend.start(folder.resolve(name));
        try (Connection direct = DriverManager.getConnection(server.jdbcUrl(), OWNER, OWNER);
                Statement statement = direct.createStatement()) {
            statement.execute("CREATE OR REPLACE USER 'root'@'127.0.0.1' IDENTIFIED BY ''");
            statement.execute(
                    "GRANT ALL PRIVILEGES ON *.* TO 'root'@'127.0.0.1' WITH GRANT OPTION");
            statement.execute("CREATE DATABASE IF NOT EXISTS test");
            statement.execute("CREATE DATABASE mtr"); // what the suite's own runner has there
            statement.execute(
                    "CREATE PROCEDURE mtr.add_suppression(pattern TEXT) SELECT 1 INTO @o");
            return server;
        } catch (SQLException e) {
            server.close();
            throw e;
        }
    }

    private void stopTier() {
        try {
            tier.close();
        } finally {
            behind.close();
        }
    }

    @Override
    public void close() {
        try {
            stopTier();
        } finally {
            alone.close();
        }
    }
}
