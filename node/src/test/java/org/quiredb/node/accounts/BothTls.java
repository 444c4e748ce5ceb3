package org.quiredb.node.accounts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.config.BackendSection;
import org.quiredb.node.config.TlsSection;

/// A tier and a MariaDB with the same accounts and the same rows.
final class BothTls implements AutoCloseable {
    static final String PASSWORD = "pa$$ wörd";

    private static final List<String> ROWS =
            List.of(
                    "CREATE DATABASE shop",
                    "CREATE DATABASE bank",
                    "CREATE TABLE shop.item (id INT PRIMARY KEY, name VARCHAR(40), price INT)",
                    "CREATE TABLE shop.secret (id INT PRIMARY KEY, word VARCHAR(40))",
                    "CREATE TABLE bank.account (id INT PRIMARY KEY, money INT)",
                    "INSERT INTO shop.item VALUES (1, 'one', 10), (2, 'two', 20)",
                    "INSERT INTO shop.secret VALUES (1, 'open'), (2, 'sesame')",
                    "INSERT INTO bank.account VALUES (1, 1000000)");

    private static final List<String> ACCOUNTS =
            List.of(
                    "CREATE USER reader@'%' IDENTIFIED BY '" + PASSWORD + "'",
                    "GRANT SELECT ON shop.* TO reader@'%'",
                    "CREATE USER one@'127.0.0.1' IDENTIFIED BY '" + PASSWORD + "'",
                    "GRANT SELECT, INSERT, UPDATE, DELETE ON shop.item TO one@'127.0.0.1'",
                    "CREATE USER one@'%' IDENTIFIED BY 'another'",
                    "CREATE USER writer@'127.0.%' IDENTIFIED BY '" + PASSWORD + "'",
                    "GRANT INSERT, UPDATE, DELETE ON shop.* TO writer@'127.0.%'",
                    "CREATE USER columns@'%' IDENTIFIED BY '" + PASSWORD + "'",
                    "GRANT SELECT (id, name), UPDATE (price) ON shop.item TO columns@'%'",
                    "CREATE USER owner@'%' IDENTIFIED BY '" + PASSWORD + "'",
                    "GRANT ALL ON `sh_p`.* TO owner@'%'",
                    "CREATE USER everything@'%' IDENTIFIED BY '" + PASSWORD + "'",
                    "GRANT ALL ON *.* TO everything@'%'",
                    "CREATE USER nothing@'%' IDENTIFIED BY '" + PASSWORD + "'",
                    "CREATE USER free@'%'",
                    "GRANT SELECT ON shop.* TO free@'%'",
                    "CREATE USER tls@'%' IDENTIFIED BY '" + PASSWORD + "' REQUIRE SSL",
                    "CREATE USER x509@'%' IDENTIFIED BY '" + PASSWORD + "' REQUIRE X509",
                    "CREATE USER locked@'%' IDENTIFIED BY '" + PASSWORD + "' ACCOUNT LOCK",
                    "CREATE USER elsewhere@'10.9.8.7' IDENTIFIED BY '" + PASSWORD + "'",
                    "CREATE USER net@'127.0.0.0/255.0.0.0' IDENTIFIED BY '" + PASSWORD + "'",
                    "GRANT SELECT ON shop.item TO net@'127.0.0.0/255.0.0.0'",
                    "CREATE ROLE clerk",
                    "CREATE ROLE seller",
                    "GRANT SELECT ON bank.* TO clerk",
                    "GRANT INSERT, SELECT ON shop.item TO seller",
                    "GRANT seller TO clerk",
                    "CREATE USER roled@'%' IDENTIFIED BY '" + PASSWORD + "'",
                    "GRANT clerk TO roled@'%'",
                    "SET DEFAULT ROLE clerk FOR roled@'%'");

    private final Path folder;
    private final TlsMariaDb mariaDb;
    private final TlsMariaDb backend;
    private final LocalCluster tier;

    BothTls() throws IOException, InterruptedException, SQLException {
        folder = Files.createTempDirectory("quire-accounts");
        mariaDb = TlsMariaDb.start(folder.resolve("other"));
        backend = TlsMariaDb.start(folder.resolve("behind"));
        BackendSection there =
                BackendSection.at(
                        List.of("jdbc:mysql://127.0.0.1:%d/".formatted(backend.port())),
                        "quire",
                        "quire");
        tier =
                LocalCluster.inside(
                        new ClusterConfig(0, 0, there, 1, 0, "quire", "quire")
                                .with(TlsSection.DEFAULT),
                        0);
        tier.startBackend();
        tier.startTier(statuses -> {});
        for (int port : List.of(mariaDb.port(), tier.port())) {
            asQuire(port, ROWS);
        }
        for (int port : List.of(mariaDb.port(), backend.port())) {
            asQuire(port, ACCOUNTS);
        }
    }

    static void asQuire(int port, List<String> statements) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:" + port + "/", "quire", "quire");
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    int mariaDb() {
        return mariaDb.port();
    }

    LocalCluster tier() {
        return tier;
    }

    int quire() {
        return tier.port();
    }

    int backend() {
        return backend.port();
    }

    /// Where the server's own client programs are.
    Path programs() {
        return folder.resolve("other").resolve("program").resolve("bin");
    }

    @Override
    public void close() throws IOException {
        tier.close();
        backend.close();
        mariaDb.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
