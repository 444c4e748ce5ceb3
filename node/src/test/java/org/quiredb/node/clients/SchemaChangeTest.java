package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
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
