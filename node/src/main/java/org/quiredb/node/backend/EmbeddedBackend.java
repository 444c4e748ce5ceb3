package org.quiredb.node.backend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// A MariaDB server that lives as long as its owner and keeps its tables in a data folder. One that
/// dies alone is started again; one whose process was killed dies with it, or is ended by the next
/// start in its folder.
///
/// It listens on one address, 127.0.0.1 where no other is named, and has one account with every
/// right, which may log in from this machine. Threads: one, but kill and close by any.
public final class EmbeddedBackend implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofMinutes(3);
    private static final String CONNECTION_EXCEPTION = "08";
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration ENDING = Duration.ofSeconds(5);

    private final ServerFolder folder;
    private final KeptServer server;
    private final Site site;
    private final int port;
    private final String serverVersion;

    /// Where a server listens, and whom it lets in.
    ///
    /// @param clients the addresses of those who may log in, as MySQL's accounts name them
    public record Site(String address, String clients) {
        public static final Site LOOPBACK = new Site("127.0.0.1", "127.0.0.1");

        private String url(int port) {
            return "jdbc:mysql://%s:%d/".formatted(address, port);
        }
    }

    private EmbeddedBackend(
            ServerFolder folder, KeptServer server, Site site, int port, String serverVersion) {
        this.folder = folder;
        this.server = server;
        this.site = site;
        this.port = port;
        this.serverVersion = serverVersion;
    }

    /// Starts the server, creating its system tables and the account where the folder is new.
    ///
    /// @throws QuireException when the port is taken or the server does not come up
    public static EmbeddedBackend start(Path dataFolder, int port, String user, String password) {
        return start(dataFolder, Site.LOOPBACK, port, user, password);
    }

    /// The same, elsewhere than on loopback.
    public static EmbeddedBackend start(
            Path dataFolder, Site site, int port, String user, String password) {
        if (!Files.exists(dataFolder.resolve("program"))) {
            requireFree(site, port); // nothing is written for a start that cannot be
        }
        try {
            ServerFolder folder = ServerFolder.claim(dataFolder);
            try {
                return start(folder, site, port, user, password);
            } catch (IOException | InterruptedException | RuntimeException e) {
                folder.close();
                throw e;
            }
        } catch (IOException e) {
            throw notStarted(dataFolder, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw notStarted(dataFolder, e);
        }
    }

    private static QuireException notStarted(Path folder, Exception e) {
        return new QuireException(
                ErrorCode.TIER_UNAVAILABLE,
                "the embedded MariaDB did not start in %s: %s".formatted(folder, firstLine(e)),
                e);
    }

    private static EmbeddedBackend start(
            ServerFolder folder, Site site, int port, String user, String password)
            throws IOException, InterruptedException {
        awaitFree(site, port);
        folder.complete();
        List<String> again = command(folder, site, port);
        Path account = account(folder.temporary(), site, user, password);
        List<String> first = new ArrayList<>(again);
        first.add("--init-file=" + account);
        KeptServer server = new KeptServer(folder.program(), folder.log(), first, again);
        try {
            String version = awaitVersion(server, folder, site.url(port), user, password);
            server.served();
            if (server.failed()) {
                throw new IOException("MariaDB ended as it began to serve, see " + folder.log());
            }
            Files.delete(account);
            return new EmbeddedBackend(folder, server, site, port, version);
        } catch (IOException | InterruptedException | RuntimeException e) {
            server.kill();
            throw e;
        }
    }

    private static List<String> command(ServerFolder folder, Site site, int port) {
        List<String> command = new ArrayList<>(ParentDeath.launcher());
        command.addAll(
                List.of(
                        Installation.server(folder.program()).toString(),
                        "--no-defaults",
                        "--basedir=" + folder.program(),
                        "--datadir=" + folder.data(),
                        "--tmpdir=" + folder.temporary(),
                        "--pid-file=" + folder.temporary().resolve("server.pid"),
                        "--socket=", // none: its path could be too long
                        "--port=" + port,
                        "--user=" + System.getProperty("user.name"),
                        "--skip-name-resolve",
                        "--bind-address=" + site.address(),
                        "--skip-ssl", // else each start makes a key: seconds of CPU
                        "--character-set-server=utf8mb4",
                        "--default-time-zone=+00:00",
                        "--innodb-buffer-pool-size=1G",
                        "--innodb-log-file-size=256M",
                        "--max-connections=500",
                        "--max-allowed-packet=64M"));
        return List.copyOf(command);
    }

    /// Returns when the server lets its account in.
    private static String awaitVersion(
            KeptServer server, ServerFolder folder, String url, String user, String password)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            boolean failed = server.failed();
            try {
                return version(url, user, password);
            } catch (SQLException e) {
                if (!String.valueOf(e.getSQLState()).startsWith(CONNECTION_EXCEPTION)) {
                    throw new IOException(e.getMessage(), e);
                }
                if (failed) {
                    throw new IOException(lastError(folder.log()), e);
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new IOException("it let nobody in within " + START_LIMIT, e);
                }
                Thread.sleep(POLL);
            }
        }
    }

    private static String lastError(Path log) throws IOException {
        List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
        return lines.stream()
                .filter(line -> line.contains("[ERROR]"))
                .findFirst()
                .orElse("it ended at once, " + log + " says why");
    }

    private static String firstLine(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given");
    }

    /// What the server runs before it takes clients; its own client would want TLS.
    private static Path account(Path folder, Site site, String user, String password)
            throws IOException {
        Path file = Files.createTempFile(folder, "account", ".sql"); // for nobody else to read
        return Files.writeString(
                file,
                """
                CREATE USER IF NOT EXISTS '%1$s'@'%3$s' IDENTIFIED BY '%2$s';
                GRANT ALL PRIVILEGES ON *.* TO '%1$s'@'%3$s' WITH GRANT OPTION;
                """
                        .formatted(user, password, site.clients()));
    }

    public int port() {
        return port;
    }

    /// Of the server, which is another one after each death.
    public long processId() {
        return server.processId();
    }

    public String serverVersion() {
        return serverVersion;
    }

    public String jdbcUrl() {
        return site.url(port);
    }

    /// Ends the server as a power failure does; its folder can be started again.
    public void kill() {
        server.kill();
        giveUpFolder();
    }

    @Override
    public void close() {
        server.stop();
        giveUpFolder();
    }

    private void giveUpFolder() {
        try {
            folder.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String version(String url, String user, String password) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, user, password);
                Statement statement = connection.createStatement();
                var result = statement.executeQuery("SELECT VERSION()")) {
            result.next();
            return result.getString(1);
        }
    }

    /// A server that was killed a moment ago has its port until its memory is given back.
    private static void awaitFree(Site site, int port) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + ENDING.toNanos();
        while (!isFree(site, port) && System.nanoTime() - deadlineNanos < 0) {
            Thread.sleep(POLL);
        }
        requireFree(site, port);
    }

    private static boolean isFree(Site site, int port) {
        try {
            requireFree(site, port);
            return true;
        } catch (QuireException e) {
            return false;
        }
    }

    private static void requireFree(Site site, int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(site.address(), port));
        } catch (IOException e) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "Port %d on %s is in use; stop what listens there or choose another with --backend-port or backend.embedded.port"
                            .formatted(port, site.address()),
                    e);
        }
    }
}
