package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.node.clients.Clients.ask;
import static org.quiredb.node.clients.Clients.error;
import static org.quiredb.node.clients.Clients.run;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Queries that lock, and that memory does not evaluate: what they find is the newest, and stays so
/// until the transaction ends.
@ExtendWith(BothSides.class)
@Tag("slow")
final class LockingReadsTest {
    private static final String DUE = "d < MAKEDATE(2020, 1)";

    private final BothSides.Ports ports;

    LockingReadsTest(BothSides.Ports ports) {
        this.ports = ports;
    }

    @BeforeEach
    void fill() throws SQLException {
        for (int port : List.of(ports.quire(), ports.mariaDb())) {
            try (Connection connection = Clients.connect(port, "")) {
                run(connection, "CREATE OR REPLACE DATABASE locking");
                run(connection, "USE locking");
                run(connection, "CREATE TABLE job (id INT PRIMARY KEY, d DATE, n INT, KEY (d))");
                run(
                        connection,
                        "INSERT INTO job VALUES (1, '2019-01-01', 1), (2, '2019-01-02', 3), (3, '2021-01-01', 7), (4, '2019-01-04', 2)");
                run(
                        connection,
                        "CREATE TABLE part (a VARCHAR(9), b BINARY(2), n INT, PRIMARY KEY (a, b))");
                run(connection, "INSERT INTO part VALUES ('ä', 'xy', 1), ('c''', x'ff00', 3)");
                run(connection, "CREATE VIEW due AS SELECT id, n FROM job WHERE " + DUE);
            }
        }
    }

    private static Connection open(int port, String level) throws SQLException {
        Connection connection = Clients.connect(port, "locking");
        run(connection, "SET SESSION TRANSACTION ISOLATION LEVEL " + level);
        run(connection, "SET innodb_lock_wait_timeout = 1");
        return connection;
    }

    private static List<String> all(Connection connection, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                rows.add(result.getString(1));
            }
        }
        return rows;
    }

    @ParameterizedTest
    @ValueSource(strings = {"READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"})
    void answerAsAServerOverTheTransactionsOwnRows(String level) throws SQLException {
        try (Connection tier = open(ports.quire(), level);
                Connection server = open(ports.mariaDb(), level)) {
            List<String> queries =
                    List.of(
                            "SELECT id, BIT_COUNT(n) AS c FROM job WHERE "
                                    + DUE
                                    + " ORDER BY c, id",
                            "SELECT *, "
                                    + DUE
                                    + " FROM job x ORDER BY BIT_COUNT(n) DESC, id LIMIT 1, 2",
                            "SELECT id FROM job WHERE BIT_COUNT(n) > 9 OR 0 ORDER BY id LIMIT 3",
                            "SELECT SUM(BIT_COUNT(n)) FROM job",
                            "SELECT j.id FROM job j JOIN job k ON k.id = BIT_COUNT(j.n) ORDER BY j.id",
                            "SELECT a FROM part AS p WHERE BIT_COUNT(p.n) > 0 OR p.a = '?' ORDER BY p.n",
                            "SELECT id FROM due ORDER BY id",
                            "SELECT id FROM job WHERE BIT_COUNT(n) IN (SELECT BIT_COUNT(n) FROM due) ORDER BY id");
            for (boolean within : List.of(false, true)) {
                for (Connection one : List.of(tier, server)) {
                    if (within) {
                        run(one, "BEGIN");
                        run(one, "UPDATE job SET n = 15 WHERE id = 2");
                        run(one, "INSERT INTO job VALUES (9, '2018-01-01', 5)");
                    }
                }
                for (String query : queries) {
                    for (String clause : List.of(" FOR UPDATE", " LOCK IN SHARE MODE")) {
                        assertThat(all(tier, query + clause))
                                .as(query + clause)
                                .isEqualTo(all(server, query + clause));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"})
    void keepOthersFromWhatTheyHaveFound(String level) throws SQLException {
        try (Connection one = open(ports.quire(), level);
                Connection other = open(ports.quire(), level)) {
            run(one, "BEGIN");
            if (!level.equals("SERIALIZABLE")) { // which locks
                assertThat(ask(one, "SELECT COUNT(*) FROM job")).isEqualTo("4");
            }
            run(other, "UPDATE job SET n = 9 WHERE id = 1");
            String taken = "SELECT n FROM job WHERE BIT_COUNT(n) = 2 ORDER BY id FOR UPDATE";
            assertThat(ask(one, taken)).isEqualTo("9"); // the newest
            assertThat(error(other, "UPDATE job SET n = 10 WHERE id = 1")).isEqualTo(1205);
            assertThat(error(other, taken)).isEqualTo(1205);
            assertThat(error(other, "SELECT n FROM job WHERE BIT_COUNT(n) = 2 LOCK IN SHARE MODE"))
                    .isEqualTo(1205);
            if (!level.equals("READ COMMITTED")) { // where others may come
                assertThat(error(other, "INSERT INTO job VALUES (8, NULL, 12)")).isEqualTo(1205);
            }
            run(one, "UPDATE job SET n = n + 1 WHERE id = 1");
            run(one, "COMMIT");
            run(other, "UPDATE job SET n = n + 1 WHERE id = 1");
            assertThat(ask(one, "SELECT n FROM job WHERE id = 1")).isEqualTo("11");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"})
    void passOverWhatOthersHaveLocked(String level) throws SQLException {
        String next = "SELECT id FROM job WHERE " + DUE + " ORDER BY id LIMIT 1 FOR UPDATE ";
        try (Connection one = open(ports.quire(), level);
                Connection two = open(ports.quire(), level);
                Connection three = open(ports.quire(), level)) {
            for (Connection each : List.of(one, two, three)) {
                run(each, "BEGIN");
            }
            assertThat(ask(one, next + "SKIP LOCKED")).isEqualTo("1");
            assertThat(ask(two, next + "SKIP LOCKED")).isEqualTo("2");
            assertThat(error(three, next + "NOWAIT")).isEqualTo(1205);
            run(three, "BEGIN");
            assertThat(ask(three, "SELECT id FROM job WHERE " + DUE + " FOR UPDATE SKIP LOCKED"))
                    .isEqualTo("4");
            run(one, "DELETE FROM job WHERE id = 1");
            run(one, "COMMIT");
            run(two, "COMMIT");
            assertThat(ask(two, next + "NOWAIT")).isEqualTo("2");
            String part =
                    "SELECT n FROM part WHERE BIT_COUNT(n) ORDER BY n LIMIT 1 FOR UPDATE SKIP LOCKED";
            run(two, "BEGIN");
            assertThat(ask(two, part)).isEqualTo("1");
            assertThat(ask(three, part)).isEqualTo("3");
        }
    }

    @Test
    void areRefusedWhereNobodyKnowsWhatToLock() throws SQLException {
        try (Connection one = open(ports.quire(), "REPEATABLE READ")) {
            assertThat(error(one, "SELECT BIT_COUNT(id) FROM due FOR UPDATE SKIP LOCKED"))
                    .isEqualTo(1235);
            assertThat(error(one, "SELECT BIT_COUNT(nothing) FROM job FOR UPDATE")).isEqualTo(1054);
            run(one, "BEGIN");
            assertThat(error(one, "SELECT BIT_COUNT(nothing) FROM job FOR UPDATE")).isEqualTo(1054);
            assertThat(error(one, "SELECT id FROM absent WHERE BIT_COUNT(id) FOR UPDATE"))
                    .isIn(1146, 1235);
        }
    }
}
