package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.config.ClassSection;

/// An application's transactions and foreign keys go over several databases, which are one class
/// unless it is configured otherwise (docs/cluster.md).
@Tag("slow")
final class OneClassTest {
    private static final List<ClassSection> TWO =
            List.of(new ClassSection("shop", "master", List.of()));

    @TempDir private Path data;

    @Test
    @Timeout(180)
    void databasesOfOneClassAreChangedTogether() throws Exception {
        try (EmbeddedBackend backend = FreshBackend.start(data)) {
            ClusterConfig config =
                    new ClusterConfig(0, backend.port(), data, 1, 1, "quire", "quire");
            try (LocalCluster tier = started(config.with(TWO).over(backend));
                    Connection client = connect(tier);
                    Statement statement = client.createStatement()) {
                statement.execute("CREATE DATABASE crm");
                statement.execute("CREATE DATABASE shop");
                statement.execute("CREATE TABLE crm.kept (id INT PRIMARY KEY, v INT)");
                statement.execute("CREATE TABLE shop.kept (id INT PRIMARY KEY, v INT)");
                client.setAutoCommit(false);
                statement.execute("INSERT INTO crm.kept VALUES (1, 1)");
                assertThatThrownBy(() -> statement.execute("INSERT INTO shop.kept VALUES (1, 1)"))
                        .hasMessageContaining("replica.classes");
                client.commit();
            }
            try (LocalCluster tier = started(config.over(backend));
                    Connection client = connect(tier);
                    Statement statement = client.createStatement()) {
                client.setAutoCommit(false);
                statement.execute("UPDATE crm.kept SET v = 2");
                statement.execute("INSERT INTO shop.kept VALUES (1, 2)");
                client.commit();
                client.setAutoCommit(true);
                schema(statement);
                transactions(client, statement);
                tier.kill("master");
                transactions(client, statement);
                tablesOfOneName(statement);
                statement.execute("DROP DATABASE shop");
                assertThat(rows(statement, "SELECT id, v FROM crm.kept")).containsExactly("1 7");
                assertThat(rows(statement, "SELECT id, customer FROM crm.order_of")).isEmpty();
                assertThat(tier.verify().differences()).isEmpty();
            }
        }
    }

    private static LocalCluster started(ClusterConfig config) {
        LocalCluster tier = LocalCluster.inside(config, 0);
        tier.startBackend();
        tier.startTier(statuses -> {});
        return tier;
    }

    private static Connection connect(LocalCluster tier) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:%d/".formatted(tier.port()), "quire", "quire");
    }

    private static void schema(Statement statement) throws SQLException {
        statement.execute("CREATE DATABASE later");
        statement.execute("CREATE TABLE later.t (id INT PRIMARY KEY)");
        assertThatThrownBy(() -> statement.execute("INSERT INTO later.t SELECT id FROM crm.none"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1146));
        statement.execute("DROP DATABASE later");
        statement.execute("CREATE TABLE crm.customer (id INT PRIMARY KEY, name VARCHAR(20))");
        statement.execute(
                "CREATE TABLE shop.order_of (id INT PRIMARY KEY, customer INT, FOREIGN KEY (customer) REFERENCES crm.customer (id) ON DELETE CASCADE)");
        statement.execute("CREATE TABLE shop.moved SELECT id, name FROM crm.customer");
        statement.execute("RENAME TABLE shop.moved TO crm.moved");
        statement.execute("ALTER TABLE crm.moved ADD PRIMARY KEY (id)");
        statement.execute("CREATE TABLE crm.order_of LIKE shop.order_of");
    }

    /// Leaves the tables as they were.
    private static void transactions(Connection client, Statement statement) throws SQLException {
        client.setAutoCommit(false);
        statement.execute("INSERT INTO crm.customer VALUES (1, 'Ada'), (2, 'Bob')");
        statement.execute("INSERT INTO shop.order_of VALUES (10, 1), (11, 2)");
        statement.execute("INSERT INTO crm.moved SELECT id + 5, name FROM crm.customer");
        client.rollback();
        assertThat(rows(statement, "SELECT id, name FROM crm.customer")).isEmpty();
        statement.execute("INSERT INTO crm.customer VALUES (1, 'Ada'), (2, 'Bob')");
        statement.execute("INSERT INTO shop.order_of VALUES (10, 1), (11, 2)");
        assertThatThrownBy(() -> statement.execute("INSERT INTO shop.order_of VALUES (12, 7)"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1452));
        client.commit();
        client.setAutoCommit(true);
        assertThat(
                        rows(
                                statement,
                                "SELECT o.id, c.name FROM shop.order_of o JOIN crm.customer c ON c.id = o.customer ORDER BY 1"))
                .containsExactly("10 Ada", "11 Bob");
        statement.execute("DELETE FROM crm.customer WHERE id = 1");
        assertThat(rows(statement, "SELECT id, customer FROM shop.order_of"))
                .containsExactly("11 2");
        statement.execute(
                "DELETE c, o FROM crm.customer c JOIN shop.order_of o ON o.customer = c.id");
        assertThat(rows(statement, "SELECT id, name FROM crm.customer")).isEmpty();
    }

    /// By their databases alone they are told from each other.
    private static void tablesOfOneName(Statement statement) throws SQLException {
        statement.execute(
                "UPDATE crm.kept, shop.kept SET crm.kept.v = 3, shop.kept.v = 4 WHERE crm.kept.id = shop.kept.id");
        assertThat(rows(statement, "SELECT crm.kept.v, shop.kept.v FROM crm.kept, shop.kept"))
                .containsExactly("3 4");
        statement.execute(
                "INSERT INTO crm.kept SELECT * FROM shop.kept ON DUPLICATE KEY UPDATE v = crm.kept.v + shop.kept.v");
        statement.execute("USE crm");
        statement.execute(
                "DELETE shop.kept FROM kept JOIN shop.kept ON crm.kept.id = shop.kept.id");
        assertThat(rows(statement, "SELECT id, v FROM shop.kept")).isEmpty();
    }

    private static List<String> rows(Statement statement, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                rows.add(result.getString(1) + " " + result.getString(2));
            }
        }
        return rows;
    }
}
