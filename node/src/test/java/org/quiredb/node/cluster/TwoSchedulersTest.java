package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.quiredb.node.Await.await;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.status.StatusClient;

/// Two schedulers side by side: what one has shown, the other does, through the death of either.
@Tag("slow")
final class TwoSchedulersTest {
    private static final int ROUNDS = 150;
    private static final long STALL_LIMIT_MILLIS = 1_000;

    /// Only the backend runs it.
    private static final String ON_THE_BACKEND = " AND INET_ATON('127.0.0.1') > 0";

    @TempDir private Path data;

    @Test
    @Timeout(180)
    void clientsOfEitherSeeOneDatabaseWhileOneDiesAndReturns() throws Exception {
        try (EmbeddedBackend backend = FreshBackend.start(data)) {
            try (Connection direct =
                            DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire");
                    Statement statement = direct.createStatement()) {
                statement.execute("CREATE DATABASE shop");
                statement.execute(
                        "CREATE TABLE shop.counter (id INT PRIMARY KEY, number INT NOT NULL)");
                statement.execute(
                        "INSERT INTO shop.counter VALUES (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)");
            }
            ClusterConfig config =
                    new ClusterConfig(0, backend.port(), data, 2, 0, "quire", "quire")
                            .with(new ClusterConfig.Copies(2, 1));
            try (LocalCluster tier = LocalCluster.start(config, backend)) {
                String first = url(tier.ports().get(0));
                String second = url(tier.ports().get(1));
                bothAreListed(tier);
                everyWriteIsReadAtOnce(first, second, ROUNDS);
                tablesMadeAtBothAreDistinct(first, second);
                definitionsMadeAtOneAreThoseOfBoth(first, second);
                whatIsThereIsForBoth(first, second);
                whatIsLockedAtOneIsAtBoth(first, second);
                accountsAreThoseOfBoth(first, second);
                clientsOfBothAreListed(first, second);
                oneDies(tier);
                everyWriteIsReadAtOnce(second, second, 20);
                tier.revive(scheduler(tier, 0));
                everyWriteIsReadAtOnce(second, first, ROUNDS);
                assertThat(tier.verify().differences()).isEmpty();
            }
        }
    }

    private static void bothAreListed(LocalCluster tier) {
        try (StatusClient status = StatusClient.connect("127.0.0.1", tier.statusPort())) {
            assertThat(status.cluster().stream().map(ClusterNode::name).toList())
                    .containsAll(tier.schedulers());
        }
    }

    private static String scheduler(LocalCluster tier, int which) {
        return tier.processes().stream()
                .filter(name -> name.startsWith("scheduler"))
                .sorted()
                .toList()
                .get(which);
    }

    private static String url(int port) {
        return "jdbc:mysql://127.0.0.1:%d/shop".formatted(port);
    }

    private static Connection open(String url) throws SQLException {
        return DriverManager.getConnection(url, "quire", "quire");
    }

    private static void clientsOfBothAreListed(String a, String b) throws SQLException {
        try (Connection one = open(a);
                Connection other = open(b);
                Statement statement = one.createStatement()) {
            List<Long> ids = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery("SHOW PROCESSLIST")) {
                while (rows.next()) {
                    ids.add(rows.getLong(1));
                }
            }
            for (Connection listed : List.of(one, other)) {
                assertThat(ids).contains(listed.unwrap(com.mysql.cj.MysqlConnection.class).getId());
            }
        }
    }

    /// Passwords and rights, right after one has changed them.
    private static void accountsAreThoseOfBoth(String a, String b) throws SQLException {
        try (Connection one = open(a);
                Connection other = open(b)) {
            for (int round = 0; round < 6; round++) {
                Connection maker = round % 2 == 0 ? one : other;
                String url = round % 2 == 0 ? b : a;
                String password = "secret" + round;
                String made = round == 0 ? "CREATE USER" : "ALTER USER";
                assertThat(warnings(maker, made + " shopper@'%' IDENTIFIED BY '" + password + "'"))
                        .isZero();
                assertThat(warnings(maker, "GRANT SELECT ON shop.counter TO shopper@'%'")).isZero();
                try (Connection shopper = DriverManager.getConnection(url, "shopper", password)) {
                    Statement reading = shopper.createStatement();
                    assertThat(reading.execute("SELECT number FROM counter")).isTrue();
                    assertThat(warnings(maker, "REVOKE SELECT ON shop.counter FROM shopper@'%'"))
                            .isZero();
                    assertThatThrownBy(() -> reading.execute("SELECT number FROM counter"))
                            .hasMessageContaining("denied");
                }
            }
            assertThat(warnings(one, "DROP USER shopper@'%'")).isZero();
            assertThatThrownBy(() -> DriverManager.getConnection(b, "shopper", "secret5"))
                    .hasMessageContaining("Access denied");
        }
    }

    /// Views and stored programs, right after the other one has replaced them.
    private static void definitionsMadeAtOneAreThoseOfBoth(String a, String b) throws SQLException {
        try (Connection one = open(a);
                Connection other = open(b)) {
            for (int round = 0; round < 20; round++) {
                Connection maker = round % 2 == 0 ? one : other;
                Connection asker = round % 2 == 0 ? other : one;
                try (Statement make = maker.createStatement();
                        Statement ask = asker.createStatement()) {
                    make.execute(
                            "CREATE OR REPLACE VIEW seen AS SELECT id + %d AS n FROM counter WHERE id = 1"
                                    .formatted(round));
                    make.execute(
                            "CREATE OR REPLACE FUNCTION given() RETURNS INT READS SQL DATA"
                                    + " RETURN (SELECT id + %d FROM counter WHERE id = 1)"
                                            .formatted(round));
                    make.execute(
                            "CREATE OR REPLACE PROCEDURE shown() BEGIN START TRANSACTION;"
                                    + " SELECT id + %d FROM counter WHERE id = 1; COMMIT; END"
                                            .formatted(round));
                    for (String query :
                            List.of("SELECT n FROM seen", "SELECT given()", "CALL shown()")) {
                        try (ResultSet row = ask.executeQuery(query)) {
                            row.next();
                            assertThat(row.getInt(1)).as(query).isEqualTo(round + 1);
                        }
                    }
                }
            }
        }
    }

    /// IF [NOT] EXISTS, right after the other one has made or dropped what it asks for.
    private static void whatIsThereIsForBoth(String a, String b) throws SQLException {
        try (Connection one = open(a);
                Connection other = open(b)) {
            for (int round = 0; round < 10; round++) {
                Connection maker = round % 2 == 0 ? one : other;
                Connection asker = round % 2 == 0 ? other : one;
                assertThat(warnings(maker, "CREATE TABLE made (id INT)")).isZero();
                assertThat(warnings(asker, "CREATE TABLE IF NOT EXISTS made (id INT)")).isOne();
                assertThat(warnings(maker, "DROP TABLE IF EXISTS made")).isZero();
                assertThat(warnings(asker, "DROP TABLE IF EXISTS made")).isOne();
                assertThat(warnings(maker, "DROP TABLE IF EXISTS made")).isOne();
                assertThat(warnings(asker, "CREATE TABLE IF NOT EXISTS made (id INT)")).isZero();
                assertThat(warnings(asker, "INSERT INTO made VALUES (1)")).isZero();
                assertThat(warnings(maker, "CREATE TABLE IF NOT EXISTS made (id INT)")).isOne();
                assertThat(warnings(maker, "DROP TABLE made")).isZero();
                assertThat(warnings(maker, "CREATE DATABASE IF NOT EXISTS made")).isZero();
                assertThat(warnings(asker, "CREATE DATABASE IF NOT EXISTS made")).isOne();
                assertThat(warnings(asker, "DROP DATABASE IF EXISTS made")).isZero();
                assertThat(warnings(maker, "DROP DATABASE IF EXISTS made")).isOne();
            }
        }
    }

    private static int warnings(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
            try (ResultSet count = statement.executeQuery("SHOW COUNT(*) WARNINGS")) {
                count.next();
                return count.getInt(1);
            }
        }
    }

    private static void everyWriteIsReadAtOnce(String a, String b, int rounds) throws SQLException {
        try (Connection one = open(a);
                Connection other = open(b)) {
            for (int round = 0; round < rounds; round++) {
                Connection writer = round % 2 == 0 ? one : other;
                Connection reader = round % 2 == 0 ? other : one;
                int written;
                try (Statement statement = writer.createStatement()) {
                    statement.executeUpdate("UPDATE counter SET number = number + 1 WHERE id = 1");
                    written = number(writer, "");
                }
                assertThat(number(reader, round % 25 == 7 ? ON_THE_BACKEND : ""))
                        .as("round %d", round)
                        .isEqualTo(written);
            }
        }
    }

    private static int number(Connection connection, String where) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT number FROM counter WHERE id = 1" + where)) {
            row.next();
            return row.getInt(1);
        }
    }

    private static void whatIsLockedAtOneIsAtBoth(String a, String b) throws Exception {
        try (Connection owner = open(a);
                Connection other = open(b);
                Statement statement = owner.createStatement()) {
            for (int round = 0; round < 20; round++) {
                statement.execute("LOCK TABLES counter WRITE");
                statement.executeUpdate("UPDATE counter SET number = -1 WHERE id = 1");
                CompletableFuture<Integer> read =
                        CompletableFuture.supplyAsync(() -> numberOf(other));
                statement.executeUpdate("UPDATE counter SET number = -2 WHERE id = 1");
                statement.executeUpdate("UPDATE counter SET number = 7 WHERE id = 1");
                assertThat(read).isNotDone();
                statement.execute("UNLOCK TABLES");
                assertThat(read.get(10, TimeUnit.SECONDS)).isEqualTo(7);
            }
        }
    }

    private static int numberOf(Connection connection) {
        try {
            return number(connection, "");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void tablesMadeAtBothAreDistinct(String a, String b) throws Exception {
        List<Thread> makers = new ArrayList<>();
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        for (int maker = 0; maker < 2; maker++) {
            String url = maker == 0 ? a : b;
            String name = "made" + maker;
            makers.add(
                    Thread.startVirtualThread(() -> {
                        try (Connection connection = open(url);
                                Statement statement = connection.createStatement()) {
                            for (int i = 0; i < 5; i++) {
                                statement.execute(
                                        "CREATE TABLE %s_%d (id INT PRIMARY KEY, text VARCHAR(9))"
                                                .formatted(name, i));
                                statement.execute(
                                        "INSERT INTO %s_%d VALUES (%d, '%s')"
                                                .formatted(name, i, i, name));
                            }
                        } catch (SQLException | RuntimeException e) {
                            failures.add(e);
                        }
                    }));
        }
        for (Thread maker : makers) {
            maker.join();
        }
        assertThat(failures).isEmpty();
        try (Connection connection = open(a);
                Statement statement = connection.createStatement()) {
            for (int maker = 0; maker < 2; maker++) {
                for (int i = 0; i < 5; i++) {
                    try (ResultSet row =
                            statement.executeQuery("SELECT * FROM made%d_%d".formatted(maker, i))) {
                        row.next();
                        assertThat(row.getInt(1)).isEqualTo(i);
                        assertThat(row.getString(2)).isEqualTo("made" + maker);
                    }
                }
            }
        }
    }

    /// Its open transactions are rolled back, its clients go to the other one, whose clients hardly
    /// wait.
    private static void oneDies(LocalCluster tier) throws Exception {
        int dying = tier.ports().get(0);
        int living = tier.ports().get(1);
        String either =
                "jdbc:mysql://127.0.0.1:%d,127.0.0.1:%d/shop?failOverReadOnly=false"
                        .formatted(dying, living);
        try (Load ofBoth = new Load(either, 2);
                Load ofLiving = new Load(url(living), 3)) {
            Connection open = open(url(dying));
            open.setAutoCommit(false);
            try (Statement statement = open.createStatement()) {
                statement.executeUpdate("UPDATE counter SET number = -1 WHERE id = 4");
            }
            try (Statement statement = open(url(dying)).createStatement()) {
                statement.execute("LOCK TABLES made0_0 WRITE");
            }
            await("progress", () -> ofBoth.updates() > 20 && ofLiving.updates() > 20);
            ofLiving.resetStall();
            tier.kill(scheduler(tier, 0));
            try (Connection other = open(url(living));
                    Statement statement = other.createStatement()) {
                statement.executeUpdate("UPDATE counter SET number = 7 WHERE id = 4");
                statement.executeQuery("SELECT * FROM made0_0").close();
                statement.executeUpdate("UPDATE made0_0 SET text = 'free'");
            }
            open.abort(Runnable::run);
            int before = ofBoth.updates();
            int livingBefore = ofLiving.updates();
            await(
                    "progress after the death",
                    () -> ofBoth.updates() > before + 20 && ofLiving.updates() > livingBefore + 20);
            System.out.printf(
                    "a scheduler dies: clients of the other waited %d ms at most, its own %d ms%n",
                    ofLiving.stallMillis(), ofBoth.stallMillis());
            assertThat(ofLiving.failures()).isZero();
            assertThat(ofLiving.stallMillis()).isLessThan(STALL_LIMIT_MILLIS);
            assertThat(ofBoth.failures()).isLessThanOrEqualTo(1);
        }
    }

    /// One client that counts, and knows what the count must be.
    private static final class Load implements AutoCloseable {
        private final String url;
        private final int row;
        private final AtomicBoolean closed = new AtomicBoolean();
        private final AtomicInteger updates = new AtomicInteger();
        private final AtomicInteger failures = new AtomicInteger();
        private final AtomicLong longestNanos = new AtomicLong();
        private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
        private final Thread thread;

        Load(String url, int row) {
            this.url = url;
            this.row = row;
            thread = Thread.startVirtualThread(this::run);
        }

        private void run() {
            while (!closed.get()) {
                try (Connection connection = open(url)) {
                    while (!closed.get()) {
                        long began = System.nanoTime();
                        count(connection);
                        longestNanos.accumulateAndGet(System.nanoTime() - began, Math::max);
                    }
                } catch (SQLException e) {
                    failures.incrementAndGet();
                }
            }
        }

        private void count(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("UPDATE counter SET number = number + 1 WHERE id = " + row);
                int least = updates.incrementAndGet();
                try (ResultSet read =
                        statement.executeQuery("SELECT number FROM counter WHERE id = " + row)) {
                    read.next();
                    if (read.getInt(1) < least) {
                        wrong.add(read.getInt(1) + " after " + least);
                    }
                }
            }
        }

        int updates() {
            assertThat(wrong).isEmpty();
            return updates.get();
        }

        int failures() {
            return failures.get();
        }

        void resetStall() {
            longestNanos.set(0);
        }

        long stallMillis() {
            return TimeUnit.NANOSECONDS.toMillis(longestNanos.get());
        }

        @Override
        public void close() {
            closed.set(true);
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
