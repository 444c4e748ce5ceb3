package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.config.ClassSection;

/// Classes by patterns: one schema in two classes, one class over tables of two schemas, each with
/// a master of its own.
@Tag("slow")
final class ClassPatternsTierTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int ROUNDS = 60;
    private static final List<ClassSection> CLASSES =
            List.of(
                    new ClassSection("orders", "slave-1", List.of("shop.order*")),
                    new ClassSection(
                            "people", "slave-2", List.of("shop.customer", "crm.contact*")));

    @TempDir private Path data;

    @Test
    @Timeout(180)
    void tablesOfOneSchemaHaveTheMastersOfTheirClasses() throws Exception {
        try (EmbeddedBackend backend = FreshBackend.start(data)) {
            create(backend);
            ClusterConfig config =
                    new ClusterConfig(0, backend.port(), data, 2, 0, "quire", "quire")
                            .with(CLASSES);
            try (LocalCluster tier = LocalCluster.inside(config.over(backend), 0)) {
                tier.startBackend();
                tier.startTier(statuses -> {});
                awaitMasters(tier);
                String url = "jdbc:mysql://127.0.0.1:%d/shop".formatted(tier.port());
                updatesOverTwoClassesAreRefused(url);
                classesAreUpdatedSideBySideAndReadAtOneTag(url);
                schemaChangesGoToTheMasterOfTheTable(url);
                schemaChangesOverTwoClassesAreRefused(url);
                assertThat(tier.verify().differences()).isEmpty();
            }
        }
    }

    private static void create(EmbeddedBackend backend) throws SQLException {
        try (Connection direct = DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire")) {
            execute(
                    direct,
                    "CREATE DATABASE shop",
                    "CREATE DATABASE crm",
                    "CREATE TABLE shop.item (id INT PRIMARY KEY, n INT NOT NULL)",
                    "CREATE TABLE shop.orders (id INT PRIMARY KEY, n INT NOT NULL)",
                    "CREATE TABLE shop.order_line (id INT PRIMARY KEY, n INT NOT NULL)",
                    "CREATE TABLE shop.customer (id INT PRIMARY KEY, n INT NOT NULL)",
                    "CREATE TABLE crm.contact (id INT PRIMARY KEY, n INT NOT NULL)",
                    "INSERT INTO shop.item VALUES (1, 0)",
                    "INSERT INTO shop.orders VALUES (1, 0)",
                    "INSERT INTO shop.order_line VALUES (1, 0)",
                    "INSERT INTO shop.customer VALUES (1, 0)",
                    "INSERT INTO crm.contact VALUES (1, 0)");
        }
    }

    private static void awaitMasters(LocalCluster tier) {
        long deadlineNanos = System.nanoTime() + LIMIT.toNanos();
        while (!(master(tier, "orders").equals("slave-1")
                && master(tier, "people").equals("slave-2")
                && master(tier, "default").equals("master"))) {
            assertThat(System.nanoTime()).isLessThan(deadlineNanos);
            LockSupport.parkNanos(5_000_000);
        }
    }

    private static String master(LocalCluster tier, String name) {
        return tier.masterOf(new ConflictClass(name)).orElse("");
    }

    private static void updatesOverTwoClassesAreRefused(String url) throws SQLException {
        try (Connection connection = open(url)) {
            connection.setAutoCommit(false);
            execute(connection, "UPDATE orders SET n = 0", "UPDATE order_line SET n = 0");
            assertThatThrownBy(() -> execute(connection, "UPDATE item SET n = 0"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1235))
                    .hasMessageContaining("table shop.item is of class default")
                    .hasMessageContaining("the transaction is of class orders");
            for (String table : List.of("nowhere", "crm.nowhere")) {
                assertThatThrownBy(() -> execute(connection, "UPDATE " + table + " SET n = 0"))
                        .hasMessageContaining("nowhere' doesn't exist");
            }
            connection.commit();
            for (String table : List.of("orders", "customer", "item")) {
                assertThatThrownBy(() -> execute(connection, "UPDATE nowhere SET n = 0"))
                        .hasMessageContaining("nowhere' doesn't exist");
                execute(connection, "UPDATE " + table + " SET n = 0");
                connection.commit();
            }
            assertThatThrownBy(() ->
                            execute(
                                    connection,
                                    "UPDATE customer c JOIN orders o ON c.id = o.id SET c.n = 0"))
                    .hasMessageContaining("table shop.customer is of class people")
                    .hasMessageContaining("table shop.orders is of class orders");
            connection.rollback();
        }
    }

    /// The writer of a class counts two tables up together; one client counts all classes up, one
    /// after the other.
    private static void classesAreUpdatedSideBySideAndReadAtOneTag(String url) throws Exception {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> clients = new ArrayList<>();
        clients.add(client(url, failures, c -> both(c, "orders", "order_line")));
        clients.add(client(url, failures, c -> both(c, "customer", "crm.contact")));
        clients.add(client(url, failures, c -> execute(c, "UPDATE item SET n = n + 1")));
        clients.add(client(url, failures, ClassPatternsTierTest::readAtOneTag));
        for (Thread client : clients) {
            client.join();
        }
        assertThat(failures).isEmpty();
        try (Connection connection = open(url)) {
            for (String table :
                    List.of("item", "orders", "order_line", "customer", "crm.contact")) {
                assertThat(number(connection, table)).as(table).isEqualTo(ROUNDS);
            }
        }
    }

    private interface Round {
        void run(Connection connection) throws SQLException;
    }

    private static Thread client(String url, Queue<Throwable> failures, Round round) {
        return Thread.startVirtualThread(() -> {
            try (Connection connection = open(url)) {
                for (int i = 0; i < ROUNDS; i++) {
                    round.run(connection);
                }
            } catch (SQLException | AssertionError e) {
                failures.add(e);
            }
        });
    }

    private static void both(Connection connection, String a, String b) throws SQLException {
        connection.setAutoCommit(false);
        execute(connection, "UPDATE " + a + " SET n = n + 1", "UPDATE " + b + " SET n = n + 1");
        connection.commit();
    }

    private static void readAtOneTag(Connection connection) throws SQLException {
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        int orders = number(connection, "orders");
        int contacts = number(connection, "crm.contact");
        int items = number(connection, "item");
        LockSupport.parkNanos(1_000_000); // the others go on meanwhile
        assertThat(number(connection, "customer")).isEqualTo(contacts);
        assertThat(number(connection, "order_line")).isEqualTo(orders);
        assertThat(number(connection, "item")).isEqualTo(items);
        connection.commit();
    }

    private static void schemaChangesGoToTheMasterOfTheTable(String url) throws SQLException {
        try (Connection connection = open(url)) {
            execute(
                    connection,
                    "ALTER TABLE orders ADD note VARCHAR(20) NOT NULL DEFAULT ''",
                    "ALTER TABLE crm.contact ADD INDEX (n)",
                    "CREATE TABLE order_note (id INT PRIMARY KEY, n INT, FOREIGN KEY (n) REFERENCES orders (id))",
                    "CREATE TABLE shelf (id INT PRIMARY KEY, n INT)",
                    "CREATE TABLE contact_note (id INT PRIMARY KEY, n INT)",
                    "RENAME TABLE customer TO crm.contacts",
                    "RENAME TABLE crm.contacts TO customer",
                    "CREATE DATABASE fresh",
                    "CREATE TABLE fresh.t (id INT PRIMARY KEY, n INT)",
                    "INSERT INTO fresh.t VALUES (1, 7)",
                    "DROP TABLE crm.contact");
            connection.setAutoCommit(false);
            execute(
                    connection,
                    "INSERT INTO order_note VALUES (1, 1)",
                    "UPDATE orders SET note = 'later', n = 7");
            connection.commit();
            execute(
                    connection,
                    "INSERT INTO shelf VALUES (1, 7)",
                    "INSERT INTO contact_note VALUES (1, 7)");
            connection.commit();
            connection.setReadOnly(true);
            for (String table : List.of("orders", "shelf", "contact_note", "fresh.t")) {
                assertThat(number(connection, table)).as(table).isEqualTo(7);
            }
        }
    }

    private static void schemaChangesOverTwoClassesAreRefused(String url) throws SQLException {
        try (Connection connection = open(url)) {
            for (String sql :
                    List.of(
                            "RENAME TABLE item TO order_item",
                            "DROP TABLE item, orders",
                            "DROP DATABASE shop",
                            "CREATE TABLE item_note (id INT PRIMARY KEY, n INT, FOREIGN KEY (n) REFERENCES orders (id))",
                            "ALTER TABLE item ADD FOREIGN KEY (n) REFERENCES orders (id)")) {
                assertThatThrownBy(() -> execute(connection, sql))
                        .as(sql)
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getErrorCode()).isEqualTo(1235))
                        .hasMessageContaining("is of class default")
                        .hasMessageContaining("is of class orders");
            }
            assertThat(number(connection, "item")).isEqualTo(ROUNDS);
        }
    }

    private static Connection open(String url) throws SQLException {
        return DriverManager.getConnection(url, "quire", "quire");
    }

    private static void execute(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static int number(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT n FROM " + table)) {
            assertThat(rows.next()).isTrue();
            return rows.getInt(1);
        }
    }
}
