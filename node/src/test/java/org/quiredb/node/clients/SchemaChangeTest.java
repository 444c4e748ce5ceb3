package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Every kind of DDL, with rows before and after it, is answered by both sides alike, and leaves
/// the tier as its backend.
@ExtendWith(BothSides.class)
@Tag("slow")
final class SchemaChangeTest {
    @Test
    void everySchemaChangeIsAnsweredAsByMariaDb(BothSides.Ports ports) throws Exception {
        List<String> differences = new ArrayList<>();
        try (Connection quire = SameAnswersTest.connect(ports.quire(), false);
                Connection mariaDb = SameAnswersTest.connect(ports.mariaDb(), false)) {
            for (String sql : SameAnswersTest.statements("schema.sql")) {
                Answer expected = Answer.of(mariaDb, sql, false);
                Answer actual = Answer.of(quire, sql, false);
                if (!actual.equals(expected)) {
                    differences.add(sql + "\n  expected " + expected + "\n  actual   " + actual);
                }
            }
        }
        assertThat(differences).isEmpty();
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    /// Where the limit of the tier's own waiting is a multiple of this.
    @Test
    void whoSaysForHowLongWaitsForOthersTransactionsNoLonger(BothSides.Ports ports)
            throws Exception {
        List<String> expected = impatient(ports.mariaDb());
        assertThat(expected).filteredOn(answer -> answer.contains("1205")).hasSize(5);
        assertThat(impatient(ports.quire())).isEqualTo(expected);
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    private static List<String> impatient(int port) throws Exception {
        List<String> seen = new ArrayList<>();
        long beganNanos = System.nanoTime();
        try (Connection one = SameAnswersTest.connect(port, false);
                Connection other = SameAnswersTest.connect(port, false)) {
            run(one, seen, "CREATE TABLE impatient (id INT PRIMARY KEY, n INT)");
            run(one, seen, "INSERT INTO impatient VALUES (1, 1)");
            run(other, seen, "BEGIN");
            run(other, seen, "UPDATE impatient SET n = 2");
            run(one, seen, "ALTER TABLE impatient NOWAIT ADD a INT");
            run(one, seen, "ALTER TABLE impatient WAIT 1 ADD a INT");
            run(one, seen, "CREATE INDEX i ON impatient (n) NOWAIT");
            run(one, seen, "SET lock_wait_timeout = 1");
            run(one, seen, "TRUNCATE TABLE impatient");
            run(one, seen, "DROP TABLE impatient NOWAIT");
            run(other, seen, "COMMIT");
            assertThat(Duration.ofNanos(System.nanoTime() - beganNanos))
                    .isLessThan(Duration.ofSeconds(50)); // of which each would wait without it
            run(one, seen, "ALTER TABLE impatient NOWAIT ADD nowait INT");
            run(one, seen, "SELECT * FROM impatient");
            run(one, seen, "DROP TABLE impatient WAIT 5");
        }
        return seen;
    }

    /// As it changes nothing: others' transactions would keep a schema change waiting.
    @Test
    void whatFindsEverythingAsItAsksForWaitsForNobody(BothSides.Ports ports) throws Exception {
        List<String> expected = found(ports.mariaDb());
        assertThat(expected).noneMatch(answer -> answer.contains("error"));
        assertThat(found(ports.quire())).isEqualTo(expected);
    }

    private static List<String> found(int port) throws Exception {
        List<String> seen = new ArrayList<>();
        try (Connection one = SameAnswersTest.connect(port, false);
                Connection other = SameAnswersTest.connect(port, false)) {
            run(one, seen, "CREATE TABLE found (id INT PRIMARY KEY, n INT)");
            run(one, seen, "INSERT INTO found VALUES (1, 1)");
            run(one, seen, "SET lock_wait_timeout = 1");
            run(other, seen, "BEGIN");
            run(other, seen, "UPDATE found SET n = 2");
            for (String sql :
                    List.of(
                            "CREATE TABLE IF NOT EXISTS found (id INT PRIMARY KEY)",
                            "CREATE DATABASE IF NOT EXISTS applications",
                            "DROP TABLE IF EXISTS lost, astray",
                            "DROP DATABASE IF EXISTS astray")) {
                run(one, seen, sql);
                run(one, seen, "SHOW WARNINGS");
            }
            run(other, seen, "COMMIT");
            run(one, seen, "SELECT * FROM found");
        }
        return seen;
    }

    private static void run(Connection connection, List<String> seen, String sql) throws Exception {
        seen.add(sql + ": " + Answer.of(connection, sql, false));
    }

    /// Also for whoever has no current database.
    @Test
    void whatReplacesADatabaseLeavesNoneOfItsTables(BothSides.Ports ports) throws Exception {
        String url = "jdbc:mysql://127.0.0.1:" + ports.quire() + "/";
        try (Connection connection =
                        DriverManager.getConnection(url, BothSides.USER, BothSides.PASSWORD);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE replaced");
            statement.execute("CREATE TABLE replaced.t (id INT PRIMARY KEY, n INT)");
            statement.execute("INSERT INTO replaced.t VALUES (1, 0)");
            statement.execute("CREATE OR REPLACE DATABASE replaced");
            assertThat(Answer.of(connection, "SELECT n FROM replaced.t", false).toString())
                    .contains("1146");
            statement.execute("CREATE TABLE replaced.t (id INT PRIMARY KEY, n INT)");
            statement.execute("INSERT INTO replaced.t VALUES (1, 5)");
            assertThat(ports.tier().verify().differences()).isEmpty();
            statement.execute("DROP DATABASE replaced");
        }
    }
}
