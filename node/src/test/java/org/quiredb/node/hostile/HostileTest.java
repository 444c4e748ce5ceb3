package org.quiredb.node.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.node.Await.await;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;

/// Invariant 10 of the design, under a seed that a failure prints.
///
/// `-Dquire.hostile.minutes=N` says how long the long run takes, `-Dquire.hostile.seed=N` where the
/// clients' seeds begin.
@Tag("slow")
final class HostileTest {
    static final int DATABASES = 2;

    private static final int CLIENTS = 16;
    private static final int GOOD_CLIENTS = 2;
    private static final Duration SHORT = Duration.ofSeconds(8);
    private static final Duration WARM = Duration.ofSeconds(3);
    private static final Duration TOLD_EVERY = Duration.ofMinutes(5);
    private static final long BOUND_MILLIS = 20_000;
    private static final int MORE_THREADS = 30;
    private static final int MORE_DESCRIPTORS = 80;
    private static final int MORE_MEGABYTES = 120;

    @TempDir private static Path data;
    @TempDir private static Path outside;
    private static EmbeddedBackend backend;
    private static LocalCluster tier;

    @BeforeAll
    static void start() {
        backend = FreshBackend.start(data);
        tier =
                LocalCluster.start(
                        new ClusterConfig(0, backend.port(), data, 2, 0, "quire", "quire"),
                        backend);
    }

    @AfterAll
    static void stop() {
        try {
            if (tier != null) {
                tier.close();
            }
        } finally {
            if (backend != null) {
                backend.close();
            }
        }
    }

    @Test
    @Timeout(240)
    void nothingThatAClientSendsHarmsOthers() throws Exception {
        check(1, SHORT);
    }

    @Test
    @Tag("long")
    void nothingThatAClientSendsForLongHarmsOthers() throws Exception {
        check(
                Long.getLong("quire.hostile.seed", System.nanoTime()),
                Duration.ofMinutes(Long.getLong("quire.hostile.minutes", 1)));
    }

    private static void check(long seed, Duration duration) throws Exception {
        System.out.printf("hostile clients, seed %d%n", seed);
        Places places = new Places(outside, data);
        Statements statements = Statements.read(places);
        prepare();
        Map<String, String> roles = roles();
        Sightings sightings = new Sightings();
        attack(seed - 1, WARM, statements, places, sightings); // caches fill, pools grow
        clear();
        Footprint before = Footprint.now();
        Set<Path> open = Footprint.openFiles();
        attack(seed, duration, statements, places, sightings);
        try {
            clear();
        } catch (SQLException e) {
            throw new AssertionError(e + ", what runs on the backend: " + onBackend(), e);
        }
        System.out.println(sightings);
        sightings.internal().forEach(error -> System.out.println("internal error: " + error));

        String when = "seed %d, last:%n%s".formatted(seed, String.join("\n", sightings.last()));
        assertThat(sightings.wrong()).as("seed %d", seed).isEmpty();
        assertThat(tier.failures()).as(when).isEmpty();
        assertThat(roles()).as(when).isEqualTo(roles);
        assertThat(places.escaped()).as(when).isEmpty();
        tier.awaitCurrent(1);
        assertThat(tier.verify().differences()).as(when).isEmpty();
        opened(open, when);
        givenBack(before, when);
    }

    /// Files of the tier and of this JVM aside, what is open now was open before.
    private static void opened(Set<Path> before, String when) throws IOException {
        Set<Path> open = Footprint.openFiles();
        open.removeAll(before);
        open.removeIf(file ->
                file.startsWith(data)
                        || file.toString().endsWith(".jar")
                        || file.startsWith("/dev")
                        || file.startsWith("/proc"));
        assertThat(open).as(when).isEmpty();
    }

    private static void givenBack(Footprint before, String when) {
        List<Footprint> last = new ArrayList<>();
        try {
            await(
                    "what was taken is given back, " + when,
                    () -> {
                        last.clear();
                        last.add(footprint());
                        Footprint now = last.getFirst();
                        return now.threads() <= before.threads() + MORE_THREADS
                                && now.descriptors() <= before.descriptors() + MORE_DESCRIPTORS
                                && now.heapMegabytes() <= before.heapMegabytes() + MORE_MEGABYTES;
                    });
        } finally {
            System.out.printf("before %s, after %s%n", before, last);
        }
    }

    private static Footprint footprint() {
        try {
            return Footprint.now();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void attack(
            long seed, Duration duration, Statements statements, Places places, Sightings sightings)
            throws Exception {
        execute("DELETE FROM behaved.ledger");
        long end = System.nanoTime() + duration.toNanos();
        AtomicBoolean all = new AtomicBoolean(true);
        BooleanSupplier goesOn = () -> System.nanoTime() < end && sightings.wrong().isEmpty();
        List<Thread> hostile = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            hostile.add(
                    Thread.ofPlatform()
                            .name("hostile-" + i)
                            .start(
                                    new HostileClient(
                                            i,
                                            tier.port(),
                                            seed * CLIENTS + i,
                                            statements,
                                            places,
                                            sightings,
                                            goesOn)));
        }
        List<GoodClient> good = new ArrayList<>();
        List<Thread> goodThreads = new ArrayList<>();
        for (int i = 0; i < GOOD_CLIENTS; i++) {
            execute("INSERT INTO behaved.ledger VALUES (" + i + ", 0)");
            GoodClient client = new GoodClient(i, tier.port(), sightings, all::get);
            good.add(client);
            goodThreads.add(Thread.ofPlatform().name("good-" + i).start(client));
        }
        long told = System.nanoTime();
        while (goesOn.getAsBoolean()) {
            secretIsOpen(places, sightings);
            tier.failures().forEach(failure -> sightings.wrong("lost: " + failure));
            if (System.nanoTime() - told > TOLD_EVERY.toNanos()) {
                told = System.nanoTime();
                System.out.println(sightings);
            }
        }
        for (Thread thread : hostile) {
            thread.join();
        }
        all.set(false);
        for (int i = 0; i < GOOD_CLIENTS; i++) {
            goodThreads.get(i).join();
            GoodClient client = good.get(i);
            System.out.printf(
                    "good client %d: %d rounds, longest %d ms%n",
                    i, client.counted(), client.longestMillis());
            if (client.longestMillis() > BOUND_MILLIS) {
                sightings.wrong(
                        "%s took %d ms".formatted(client.longest(), client.longestMillis()));
            }
        }
    }

    private static void secretIsOpen(Places places, Sightings sightings) throws Exception {
        if (Footprint.openFiles().contains(places.secret())) {
            sightings.wrong("a file outside the data folders is open: " + places.secret());
        }
        Thread.sleep(Duration.ofMillis(50));
    }

    /// Epochs included: a role that was lost and taken by another has a newer one.
    private static Map<String, String> roles() {
        Map<String, String> roles = new TreeMap<>();
        tier.replicas()
                .forEach((name, status) ->
                        roles.put(
                                name, status.role() + " " + status.state() + " " + status.epoch()));
        tier.schedulers().forEach(name -> roles.put(name, "serves " + tier.serves(name)));
        return roles;
    }

    private static void prepare() throws SQLException {
        execute("CREATE DATABASE IF NOT EXISTS behaved");
        execute("CREATE TABLE IF NOT EXISTS behaved.ledger (id INT PRIMARY KEY, n BIGINT)");
        for (int i = 0; i < DATABASES; i++) {
            for (String sql : tables("h" + i)) {
                execute(sql);
            }
        }
    }

    static List<String> tables(String database) {
        return List.of(
                "CREATE DATABASE IF NOT EXISTS " + database,
                "CREATE TABLE IF NOT EXISTS "
                        + database
                        + ".t (id INT AUTO_INCREMENT PRIMARY KEY, v INT, s TEXT)",
                "CREATE TABLE IF NOT EXISTS "
                        + database
                        + ".u (id INT PRIMARY KEY, w INT, d DATE, FOREIGN KEY (w) REFERENCES "
                        + database
                        + ".t (id) ON DELETE CASCADE)",
                "INSERT IGNORE INTO "
                        + database
                        + ".t VALUES (1, 1, 'one'), (2, 2, 'two'), (3, 3, '3')",
                "INSERT IGNORE INTO " + database + ".u VALUES (1, 1, '2024-01-01'), (2, 2, NULL)");
    }

    /// What the clients left in the databases is nobody's any more.
    private static void clear() throws SQLException {
        List<String> databases = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW DATABASES")) {
            while (rows.next()) {
                databases.add(rows.getString(1));
            }
        }
        databases.removeAll(
                List.of(
                        "behaved",
                        "information_schema",
                        "mysql",
                        "performance_schema",
                        "sys",
                        "quire",
                        "test"));
        for (String database : databases) {
            execute("DROP DATABASE `" + database.replace("`", "``") + "`");
        }
        for (int i = 0; i < DATABASES; i++) {
            for (String sql : tables("h" + i)) {
                execute(sql);
            }
        }
    }

    private static String onBackend() throws SQLException {
        StringBuilder told = new StringBuilder();
        try (Connection connection =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:" + backend.port() + "/",
                                "quire",
                                "quire");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW FULL PROCESSLIST")) {
            while (rows.next()) {
                told.append('\n');
                for (int i = 1; i <= 8; i++) {
                    told.append(rows.getString(i)).append(" | ");
                }
            }
        }
        return told.toString();
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + tier.port() + "/", "quire", "quire");
    }
}
