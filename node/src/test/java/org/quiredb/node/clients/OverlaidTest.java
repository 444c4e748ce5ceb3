package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.quiredb.node.Await.await;
import static org.quiredb.node.clients.Clients.ask;
import static org.quiredb.node.clients.Clients.error;
import static org.quiredb.node.clients.Clients.run;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What only the backend runs, in transactions that have changed something.
@ExtendWith(BothSides.class)
@Timeout(240)
@Tag("slow")
final class OverlaidTest {
    private BothSides.Ports ports;

    @BeforeEach
    void take(BothSides.Ports given) {
        ports = given;
    }

    /// Names, types, values, counts and errors, and the rows of all tiers afterwards.
    @ParameterizedTest
    @CsvSource({
        "overlaid.sql, READ COMMITTED, false",
        "overlaid.sql, REPEATABLE READ, false",
        "overlaid.sql, REPEATABLE READ, true",
        "overlaid.sql, SERIALIZABLE, false",
        "evaluated.sql, READ COMMITTED, false",
        "evaluated.sql, REPEATABLE READ, false",
        "evaluated.sql, REPEATABLE READ, true",
        "evaluated.sql, SERIALIZABLE, false",
        "lenient.sql, REPEATABLE READ, false",
        "lenient.sql, REPEATABLE READ, true",
        "lenient.sql, SERIALIZABLE, false",
        "zoned.sql, REPEATABLE READ, false",
        "zoned.sql, READ COMMITTED, true",
        "zoned.sql, SERIALIZABLE, false",
        "ansi.sql, REPEATABLE READ, false",
        "ansi.sql, READ COMMITTED, true",
        "ansi.sql, SERIALIZABLE, false",
        "temporary.sql, REPEATABLE READ, false",
        "temporary.sql, REPEATABLE READ, true",
        "temporary.sql, READ COMMITTED, false",
        "temporary.sql, SERIALIZABLE, false"
    })
    void everyStatementIsAnsweredAsByMariaDb(String script, String level, boolean prepared)
            throws Exception {
        List<String> differences = new ArrayList<>();
        try (Connection quire = SameAnswersTest.connect(ports.quire(), prepared);
                Connection mariaDb = SameAnswersTest.connect(ports.mariaDb(), prepared)) {
            List<String> all = new ArrayList<>();
            all.add("SET SESSION TRANSACTION ISOLATION LEVEL " + level);
            all.addAll(SameAnswersTest.statements(script));
            for (String sql : all) {
                boolean ready = prepared && !sql.contains("FORM") && !sql.contains("WERE");
                Answer expected = Answer.of(mariaDb, sql, ready);
                Answer actual = Answer.of(quire, sql, ready);
                if (!actual.equals(expected)) {
                    differences.add(sql + "\n  expected " + expected + "\n  actual   " + actual);
                }
            }
        }
        assertThat(String.join("\n", differences)).isEmpty();
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    /// Nobody else has it, and no backend's applier.
    @Test
    void aTableIsNotMadeOfATemporaryOne() throws Exception {
        try (Connection one = prepare()) {
            run(one, "CREATE TEMPORARY TABLE passing (id INT PRIMARY KEY)");
            assertThat(error(one, "CREATE TABLE kept SELECT * FROM passing")).isEqualTo(1235);
            assertThat(error(one, "CREATE TABLE kept LIKE passing")).isEqualTo(1235);
            assertThat(error(one, "SELECT * FROM kept")).isEqualTo(1146);
            run(one, "DROP TABLE passing");
        }
    }

    /// What a transaction reads on the backend is the state that it has read in memory, or it is
    /// told to begin again, and reads one state then.
    @Test
    void aRepeatableReadSeesOneStateInMemoryAndOnTheBackend() throws Exception {
        try (Connection one = prepare();
                Connection other = open()) {
            run(one, "BEGIN");
            assertThat(ask(one, "SELECT SUM(v) FROM seen")).isEqualTo("30");
            run(other, "UPDATE seen SET v = 5 WHERE id = 1");
            run(one, "UPDATE own SET v = 7 WHERE id = 1");
            assertThat(error(one, BOTH)).isEqualTo(1213);
            assertThat(ask(one, "SELECT v FROM own WHERE id = 1")).isEqualTo("1");

            run(one, "BEGIN");
            assertThat(ask(one, "SELECT SUM(v) FROM seen")).isEqualTo("25");
            run(other, "UPDATE seen SET v = 50 WHERE id = 2");
            run(one, "UPDATE own SET v = 7 WHERE id = 1");
            assertThat(ask(one, BOTH)).isEqualTo("5/20 7");
            run(other, "INSERT INTO own VALUES (3, 3)");
            assertThat(ask(other, BOTH)).isEqualTo("5/50 1/3");
            assertThat(ask(one, "SELECT SUM(v) FROM seen")).isEqualTo("25");
            run(one, "INSERT INTO own VALUES (2, 8)");
            assertThat(ask(one, BOTH)).isEqualTo("5/20 7/8");
            run(one, "COMMIT");
            assertThat(ask(one, BOTH)).isEqualTo("5/50 7/8/3");
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    /// What is no more, or is another now, was changed last in its class.
    ///
    /// @param kind of the first read, of which one that needs the backend would tell the others
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a; DROP TABLE dropped.last",
                "b; DROP TABLE dropped.first, dropped.last",
                "c; DROP DATABASE dropped",
                "d; TRUNCATE dropped.last",
                "e; RENAME TABLE dropped.last TO dropped.renamed",
                "f; CREATE OR REPLACE TABLE dropped.last (id INT PRIMARY KEY)",
                "g; CREATE TABLE dropped.another (id INT PRIMARY KEY)",
                "h; ALTER TABLE dropped.last ADD COLUMN v INT"
            })
    void aRepeatableReadSeesOneStateThoughWhatWasChangedLastIsGone(String kind, String change)
            throws Exception {
        try (Connection one = prepare()) {
            run(one, "CREATE OR REPLACE DATABASE dropped");
            run(one, "CREATE TABLE dropped.first (id INT PRIMARY KEY)");
            run(one, "CREATE TABLE dropped.last (id INT PRIMARY KEY)");
            run(one, "INSERT INTO dropped.first VALUES (1)");
            run(one, "INSERT INTO dropped.last VALUES (1)");
            run(one, change);
            run(one, "BEGIN");
            assertThat(ask(one, "SELECT SUM(v) AS " + kind + " FROM seen")).isEqualTo("30");
            run(one, "UPDATE own SET v = 7 WHERE id = 1");
            assertThat(ask(one, BOTH)).isEqualTo("10/20 7");
            run(one, "ROLLBACK");
            run(one, "DROP DATABASE IF EXISTS dropped");
        }
    }

    /// Reads of what it has not changed go to slaves, with its own changes on the master; what a
    /// foreign key changes with them counts as its own. A database that is gone is nothing new.
    @Test
    void aRepeatableReadSeesOneStateAndItsOwnChangesWhereverItsReadsRun() throws Exception {
        try (Connection one = prepare();
                Connection other = open()) {
            run(one, "CREATE DATABASE gone");
            run(one, "CREATE TABLE gone.t (id INT PRIMARY KEY)");
            run(one, "DROP DATABASE gone");
            run(one, "DROP TABLE IF EXISTS leaf, branch, root");
            run(one, "CREATE TABLE root (id INT PRIMARY KEY)");
            run(
                    one,
                    "CREATE TABLE branch (id INT PRIMARY KEY, r INT, FOREIGN KEY (r) REFERENCES root(id) ON DELETE CASCADE)");
            run(
                    one,
                    "CREATE TABLE leaf (id INT PRIMARY KEY, b INT, FOREIGN KEY (b) REFERENCES branch(id) ON DELETE SET NULL)");
            run(one, "INSERT INTO root VALUES (1), (2)");
            run(one, "INSERT INTO branch VALUES (1, 1), (2, 2)");
            run(one, "INSERT INTO leaf VALUES (1, 1), (2, 2)");

            run(one, "BEGIN");
            assertThat(ask(one, "SELECT SUM(v) FROM seen")).isEqualTo("30");
            run(other, "UPDATE seen SET v = 5 WHERE id = 1");
            run(other, "INSERT INTO leaf VALUES (3, 2)");
            run(one, "UPDATE own SET v = (SELECT SUM(v) FROM seen) WHERE id = 1");
            assertThat(ask(one, "SELECT SUM(v) FROM seen")).isEqualTo("30");
            assertThat(ask(one, "SELECT v FROM own WHERE id = 1")).isEqualTo("25");
            assertThat(ask(one, "SELECT CONCAT(COUNT(*), ' ', COUNT(b)) FROM leaf"))
                    .isEqualTo("2 2");
            run(one, "DELETE FROM root WHERE id = 1");
            assertThat(ask(one, "SELECT COUNT(*) FROM branch")).isEqualTo("1");
            assertThat(ask(one, "SELECT CONCAT(COUNT(*), ' ', COUNT(b)) FROM leaf"))
                    .isEqualTo("2 1");
            assertThat(ask(one, "SELECT COUNT(*) FROM seen JOIN root ON root.id = seen.id"))
                    .isEqualTo("1");
            assertThat(ask(one, "SELECT SUM(v) FROM seen")).isEqualTo("30");
            run(one, "COMMIT");
            assertThat(ask(one, "SELECT SUM(v) FROM seen")).isEqualTo("25");
            assertThat(ask(one, "SELECT CONCAT(COUNT(*), ' ', COUNT(b)) FROM leaf"))
                    .isEqualTo("3 2");
            run(one, "DROP TABLE leaf, branch, root");
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    @Test
    void aReadCommittedSeesWhatOthersHaveCommittedMeanwhile() throws Exception {
        try (Connection one = prepare();
                Connection other = open()) {
            run(one, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
            run(one, "BEGIN");
            run(one, "UPDATE own SET v = 7 WHERE id = 1");
            assertThat(ask(one, BOTH)).isEqualTo("10/20 7");
            run(other, "UPDATE seen SET v = 50 WHERE id = 2");
            assertThat(ask(other, BOTH)).isEqualTo("10/50 1");
            assertThat(ask(one, BOTH)).isEqualTo("10/50 7");
            run(one, "ROLLBACK");
            assertThat(ask(one, BOTH)).isEqualTo("10/50 1");
        }
    }

    @Test
    void aSerializableReadKeepsOthersFromWhatItHasRead() throws Exception {
        try (Connection one = prepare();
                Connection other = open()) {
            run(one, "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE");
            run(other, "SET innodb_lock_wait_timeout = 1");
            run(one, "BEGIN");
            run(one, "UPDATE own SET v = 7 WHERE id = 1");
            assertThat(ask(one, BOTH)).isEqualTo("10/20 7");
            assertThat(error(other, "INSERT INTO seen VALUES (3, 3)")).isEqualTo(1205);
            run(one, "COMMIT");
            run(other, "INSERT INTO seen VALUES (3, 3)");
        }
    }

    @Test
    void whatATriggerWouldDoOnTheBackendIsRefused() throws Exception {
        try (Connection one = prepare();
                Connection behind = connect(ports.behind())) {
            run(behind, "CREATE TRIGGER changes BEFORE UPDATE ON own FOR EACH ROW SET @a = 1");
            run(one, "BEGIN");
            run(one, "UPDATE own SET v = 7 WHERE id = 1");
            assertThat(error(one, BOTH)).isEqualTo(1235);
            run(one, "ROLLBACK");
            run(behind, "DROP TRIGGER changes");
        }
    }

    @Test
    void whatTakesTooLongEndsAndTheTransactionGoesOn() throws Exception {
        try (Connection one = prepare()) {
            run(one, "SET max_statement_time = 0.5");
            run(one, "BEGIN");
            run(one, "UPDATE own SET v = 7 WHERE id = 1");
            assertThat(error(one, "SELECT SLEEP(30) FROM own")).isEqualTo(1969);
            assertThat(ask(one, BOTH)).isEqualTo("10/20 7");
            run(one, "COMMIT");
            assertThat(ask(one, BOTH)).isEqualTo("10/20 7");
        }
    }

    @Test
    void soManyRowsAreLaidOverTheBackendAndNoMore() throws Exception {
        try (Connection one = prepare()) {
            run(one, "CREATE TABLE digit (n INT PRIMARY KEY)");
            run(one, "INSERT INTO digit VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)");
            run(one, "CREATE TABLE much (id INT PRIMARY KEY)");
            run(one, "BEGIN");
            run(
                    one,
                    "INSERT INTO much SELECT a.n * 1000 + b.n * 100 + c.n * 10 + d.n FROM digit a, digit b, digit c, digit d");
            assertThat(ask(one, "SELECT CONCAT(COUNT(*), STD(id) > 0) FROM much"))
                    .isEqualTo("100001");
            run(one, "INSERT INTO much VALUES (10000)");
            assertThat(error(one, "SELECT STD(id) FROM much")).isEqualTo(1235);
            run(one, "ROLLBACK");
        }
    }

    /// A backend that passes over a comment for other versions would read a COMMIT here, or worse.
    @Test
    void whatTheBackendMayReadAsAnotherStatementChangesNothingThere() throws Exception {
        try (Connection one = prepare()) {
            run(one, "BEGIN");
            run(one, "UPDATE own SET v = 7 WHERE id = 1");
            for (String sql :
                    List.of(
                            "/*!99999999 SELECT STD(v) FROM own */ COMMIT",
                            "/*!99999999 SELECT STD(v) FROM own */ DELETE FROM seen",
                            "/*!99999999 UPDATE own SET v = BIT_COUNT(v) */ COMMIT")) {
                assertThat(error(one, sql)).as(sql).isIn(1064, 1235);
            }
            run(one, "ROLLBACK");
            assertThat(error(one, "/*!99999999 SELECT STD(v) FROM own */ DELETE FROM seen"))
                    .isEqualTo(1235);
            assertThat(ask(one, BOTH)).isEqualTo("10/20 1");
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    @Test
    void noneOfManyEvaluatedChangesIsLost() throws Exception {
        try (Connection one = prepare()) {
            List<CompletableFuture<Void>> clients = new ArrayList<>();
            for (int client = 0; client < 3; client++) {
                boolean begins = client == 0;
                clients.add(CompletableFuture.runAsync(() -> count(begins)));
            }
            for (CompletableFuture<Void> client : clients) {
                client.get(120, TimeUnit.SECONDS);
            }
            assertThat(ask(one, "SELECT v FROM own WHERE id = 1")).isEqualTo("31");
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    private void count(boolean begins) {
        try (Connection connection = open()) {
            connection.setAutoCommit(!begins);
            for (int done = 0; done < 10; ) {
                int error = error(connection, "UPDATE own SET v = v + BIT_COUNT(1) WHERE id = 1");
                if (error == 0 && begins) {
                    connection.commit();
                }
                assertThat(error).isIn(0, 1213);
                done += error == 0 ? 1 : 0;
            }
        } catch (SQLException e) {
            throw new AssertionError("a client", e);
        }
    }

    /// What no key tells and others refer to, or what would be neither an insertion nor a deletion
    /// to foreign keys, and what a stored function behind a view might do beside.
    @Test
    void whatCannotBeChangedByPrimaryKeyIsRefused() throws Exception {
        try (Connection one = prepare();
                Connection behind = connect(ports.behind())) {
            run(one, "CREATE TABLE heap (a INT, KEY (a))");
            run(one, "CREATE TABLE heaped (a INT, FOREIGN KEY (a) REFERENCES heap (a))");
            run(
                    one,
                    "CREATE TABLE child (id INT PRIMARY KEY, own INT, FOREIGN KEY (own) REFERENCES own (id) ON DELETE CASCADE ON UPDATE CASCADE)");
            run(one, "CREATE VIEW shown AS SELECT * FROM own");
            run(one, "INSERT INTO heap VALUES (1)");
            run(one, "CREATE TABLE kinds (id INT, k ENUM('a', 'b'), PRIMARY KEY (id, k))");
            run(one, "CREATE TABLE kinds_alone (k ENUM('a', 'b'))");
            run(
                    one,
                    "CREATE TABLE kinds_wide (id INT PRIMARY KEY, k ENUM('a', 'b') CHARACTER SET ucs2)");
            run(
                    one,
                    "CREATE TABLE kinds_empty (id INT PRIMARY KEY, k ENUM('', 'a'), s SET('a', ''))");
            run(one, "CREATE TABLE letters (a VARCHAR(10))");
            run(one, "INSERT INTO letters VALUES ('a'), ('A')");
            run(one, "INSERT INTO child VALUES (1, 1)");
            run(one, "CREATE VIEW drawn AS SELECT RAND() AS n FROM own");
            run(
                    one,
                    "CREATE VIEW both_shown AS SELECT own.id, own.v, letters.a FROM own JOIN letters ON own.v = letters.a");
            run(behind, "CREATE FUNCTION does() RETURNS INT RETURN 1");
            run(behind, "CREATE VIEW calling AS SELECT id, v, does() AS n FROM own");
            for (String sql :
                    List.of(
                            "UPDATE heap SET a = BIT_COUNT(a)",
                            "UPDATE letters SET a = SOUNDEX(a) WHERE a LIKE BINARY 'A'",
                            "INSERT IGNORE INTO kinds VALUES (1, 'c')",
                            "INSERT IGNORE INTO kinds_alone VALUES ('c')",
                            "INSERT IGNORE INTO kinds_empty VALUES (1, 'c', 'a')",
                            "INSERT INTO kinds_empty VALUES (1, 'a', 'a,')",
                            "INSERT INTO kinds_empty VALUES (1, 'a', 2)",
                            "INSERT INTO kinds_empty VALUES (1, 'a', 3 & 3)",
                            "INSERT INTO letters SELECT n FROM calling",
                            "UPDATE calling SET v = 3",
                            "DELETE FROM letters WHERE a IN (SELECT n FROM drawn)",
                            "INSERT INTO both_shown (id, v) VALUES (7, 7)",
                            "INSERT INTO shown (id, v) VALUES (7, 7) RETURNING id",
                            "INSERT IGNORE INTO kinds_wide VALUES (1, 'c')",
                            "UPDATE shown SET id = id + BIT_COUNT(1)",
                            "INSERT INTO shown VALUES (1, 1) ON DUPLICATE KEY UPDATE id = 5 + BIT_COUNT(1)",
                            "REPLACE INTO shown VALUES (1, BIT_COUNT(1))",
                            "UPDATE own SET v = BIT_COUNT(v) WHERE (@n := @n + 1) <= 2",
                            "DELETE FROM own WHERE BIT_COUNT(v) > 0 AND SLEEP(0.01) = 0")) {
                assertThat(error(one, sql)).as(sql).isEqualTo(1235);
            }
            run(behind, "DROP FUNCTION does");
            assertThat(ask(one, BOTH)).isEqualTo("10/20 1");
            assertThat(ask(one, "SELECT COUNT(*) FROM child")).isEqualTo("1");
            assertThat(
                            ask(
                                    one,
                                    "SELECT GROUP_CONCAT(HEX(a) ORDER BY HEX(a) LIMIT 99) FROM letters"))
                    .isEqualTo("41,61");
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    /// What is behind a view is looked at with the client's own rights, and is not named to who has
    /// none.
    @Test
    void whoMayOnlyChangeAViewHearsOfNoTableBehindIt() throws Exception {
        try (Connection one = prepare();
                Connection behind = connect(ports.behind())) {
            run(one, "CREATE OR REPLACE VIEW front AS SELECT id, v FROM own");
            run(one, "CREATE OR REPLACE SQL SECURITY INVOKER VIEW asked AS SELECT id, v FROM own");
            run(behind, "CREATE OR REPLACE USER viewer@'%' IDENTIFIED BY 'viewer'");
            run(behind, "GRANT SELECT, INSERT, UPDATE, DELETE ON applications.front TO viewer@'%'");
            run(behind, "GRANT SELECT, UPDATE ON applications.asked TO viewer@'%'");
            run(behind, "CREATE OR REPLACE USER writer@'%' IDENTIFIED BY 'writer'");
            run(behind, "GRANT INSERT, UPDATE ON applications.front TO writer@'%'");
            run(behind, "GRANT INSERT, UPDATE ON applications.own TO writer@'%'");
        }
        await("the accounts are known", () -> logsIn("viewer") && logsIn("writer"));
        for (String who : List.of("viewer", "writer")) {
            try (Connection client = as(who)) {
                for (String sql :
                        List.of(
                                "UPDATE front SET v = 3",
                                "INSERT INTO front VALUES (7, 7)",
                                "UPDATE front SET v = BIT_COUNT(7)")) {
                    assertThatThrownBy(() -> run(client, sql))
                            .as(who + ": " + sql)
                            .isInstanceOfSatisfying(
                                    SQLException.class,
                                    e -> assertThat(e.getErrorCode()).isEqualTo(1235))
                            .hasMessageNotContaining("own");
                }
            }
        }
        try (Connection client = as("writer")) {
            assertThat(error(client, "UPDATE own SET v = BIT_COUNT(7)")).isEqualTo(1235);
            assertThat(error(client, "DELETE FROM own WHERE BIT_COUNT(v) = 1")).isEqualTo(1142);
            assertThat(error(client, "DELETE FROM front")).isEqualTo(1142);
        }
        try (Connection client = as("viewer")) {
            assertThat(error(client, "UPDATE asked SET v = 3")).isEqualTo(1356);
            assertThat(ask(client, "SELECT v FROM front")).isEqualTo("1");
        }
    }

    /// What stands in for the table on the backend fires nothing, is not what a view reads, and is
    /// for whoever has it to do anything with. What is changed by it is rows of other tables.
    @Test
    void aTableThatShowsRowsOfOthersIsReadOnTheBackendAndNotChanged() throws Exception {
        try (Connection one = prepare();
                Connection behind = connect(ports.behind())) {
            run(one, "CREATE TABLE child (id INT, v INT) ENGINE = MyISAM");
            run(one, "CREATE TABLE other_child LIKE child");
            run(
                    one,
                    "CREATE TABLE both_of_them (id INT, v INT) ENGINE = MERGE UNION = (child, other_child) INSERT_METHOD = LAST");
            run(one, "INSERT INTO child VALUES (1, 1)");
            for (String change :
                    List.of(
                            "INSERT INTO both_of_them VALUES (2, 2)",
                            "UPDATE both_of_them SET v = BIT_COUNT(7)",
                            "DELETE FROM both_of_them",
                            "BEGIN NOT ATOMIC DELETE FROM both_of_them; END")) {
                assertThat(error(one, change)).as(change).isEqualTo(1235);
            }
            assertThat(ask(one, "SELECT SUM(v) FROM both_of_them")).isEqualTo("1");
            assertThat(ask(behind, "SELECT SUM(v) FROM child")).isEqualTo("1");

            int other =
                    error(
                            one,
                            "CREATE TABLE unlike (id INT PRIMARY KEY) ENGINE = MERGE UNION = (child)");
            assertThat(other).isIn(0, 1168);
            assertThat(error(one, "SELECT * FROM unlike")).isEqualTo(1168);
            run(one, "DROP TABLE unlike");
            assertThat(error(one, "SELECT * FROM unlike")).isEqualTo(1146);
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    @Test
    void idsBehindOtherColumnsOfAKeyCountByWhatStandsBeforeThem() throws Exception {
        try (Connection one = prepare()) {
            run(
                    one,
                    "CREATE TABLE animals (g INT NOT NULL, id INT NOT NULL AUTO_INCREMENT, name VARCHAR(10), PRIMARY KEY (g, id)) ENGINE = Aria");
            run(one, "INSERT INTO animals (g, name) VALUES (1, 'dog'), (2, 'lark'), (1, 'cat')");
            run(one, "INSERT INTO animals VALUES (2, 7, 'owl'), (2, NULL, 'kite')");
            assertThat(ask(one, "SELECT LAST_INSERT_ID()")).isEqualTo("8");
            run(one, "DELETE FROM animals WHERE g = 1 AND id = 2");
            run(one, "SET insert_id = 40");
            run(one, "INSERT INTO animals (g) VALUES (3)");
            run(one, "BEGIN");
            run(one, "INSERT INTO animals (g) SELECT g FROM animals GROUP BY g");
            run(one, "COMMIT");
            assertThat(
                            ask(
                                    one,
                                    "SELECT GROUP_CONCAT(g, ':', id ORDER BY g, id LIMIT 99) FROM animals"))
                    .isEqualTo("1:1,1:2,2:1,2:7,2:8,2:9,3:40,3:41");
            run(
                    one,
                    "CREATE TRIGGER counts AFTER INSERT ON seen FOR EACH ROW INSERT INTO animals (g) VALUES (1)");
            run(one, "INSERT INTO seen VALUES (77, 7)");
            assertThat(ask(one, "SELECT MAX(id) FROM animals WHERE g = 1")).isEqualTo("3");
            run(one, "DROP TRIGGER counts");
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    @Test
    void aTableWithoutTransactionsIsChangedWhereACopyIsAsGood() throws Exception {
        try (Connection one = prepare();
                Connection behind = connect(ports.behind())) {
            run(one, "CREATE VIEW other AS SELECT v AS copied FROM seen");
            for (String table : List.of("copied", "fired", "viewed", "merged")) {
                run(one, "CREATE TABLE " + table + " (id INT PRIMARY KEY, v INT) ENGINE = MyISAM");
                run(one, "INSERT INTO " + table + " VALUES (1, 1), (2, 2)");
            }
            run(one, "CREATE TRIGGER fires AFTER UPDATE ON fired FOR EACH ROW SET @fired = 1");
            run(one, "CREATE VIEW behind AS SELECT COUNT(*) AS n FROM viewed");
            run(one, "CREATE VIEW above AS SELECT n FROM behind");
            run(
                    one,
                    "CREATE PROCEDURE adds(x INT) SQL SECURITY INVOKER INSERT INTO copied VALUES (x, x)");
            run(behind, "CREATE OR REPLACE USER caller@'%' IDENTIFIED BY 'caller'");
            run(
                    behind,
                    "GRANT EXECUTE, SELECT, INSERT, UPDATE, CREATE TEMPORARY TABLES ON applications.* TO caller@'%'");
            await("the account is known", () -> logsIn("caller"));

            String united =
                    "CREATE TABLE united (id INT PRIMARY KEY, v INT) ENGINE = MERGE UNION = (merged)";
            for (String table : List.of("fired", "viewed", "merged")) {
                if (table.equals("merged")) {
                    run(one, united);
                }
                String change = "UPDATE " + table + " SET v = BIT_COUNT(7)";
                assertThat(error(one, change)).as(change).isEqualTo(1235);
                assertThat(ask(behind, "SELECT SUM(v) FROM " + table)).isEqualTo("3");
            }
            run(one, "DROP TABLE united");
            run(one, "UPDATE merged SET v = BIT_COUNT(7)");
            run(one, "CREATE TABLE `delayed` (id INT PRIMARY KEY, v INT)"); // not what is named
            // there
            run(one, "CREATE PROCEDURE later(x INT) INSERT DELAYED INTO merged VALUES (x, x)");
            String hidden = "INSERT /*!50000 DELAYED */ INTO merged VALUES (3, BIT_COUNT(7))";
            assertThat(error(one, hidden)).isEqualTo(1235);
            run(one, "CALL later(5)"); // it is run step by step
            run(one, "BEGIN NOT ATOMIC INSERT DELAYED INTO merged VALUES (6, 6); END");
            run(one, "INSERT DELAYED INTO merged VALUES (3, BIT_COUNT(7)) RETURNING BIT_COUNT(v)");
            run(one, "UPDATE copied SET v = BIT_COUNT(7)");
            try (Connection caller = as("caller")) {
                assertThat(error(caller, "UPDATE copied SET v = BIT_COUNT(15)")).isEqualTo(1235);
                assertThat(error(caller, "CALL adds(3)")).isEqualTo(1235);
                run(behind, "GRANT DELETE ON applications.copied TO caller@'%'");
                await("the right is known", () -> error(caller, "CALL adds(4)") == 0);
            }
            assertThat(ask(one, "SELECT GROUP_CONCAT(id, ':', v ORDER BY id LIMIT 99) FROM copied"))
                    .isEqualTo("1:3,2:3,4:4");

            String rows =
                    IntStream.range(10, 10_010)
                            .mapToObj(id -> "(" + id + ", 1)")
                            .collect(Collectors.joining(", "));
            run(one, "INSERT INTO copied VALUES " + rows);
            assertThat(error(one, "UPDATE copied SET v = BIT_COUNT(15) WHERE id = 1"))
                    .isEqualTo(1235);
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    private Connection as(String account) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + ports.quire() + "/applications", account, account);
    }

    private boolean logsIn(String account) {
        try (Connection _ = as(account)) {
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    /// A transaction that has a state of the backend, and waits for its client, has locked there
    /// what it has locked on the master, and no more: other clients wait, appliers do not.
    @Test
    void appliersDoNotWaitForWhatAnIdleTransactionHasTried() throws Exception {
        try (Connection one = prepare();
                Connection other = open();
                Connection behind = connect(ports.behind())) {
            run(
                    one,
                    "CREATE TABLE child (id INT PRIMARY KEY, own INT, FOREIGN KEY (own) REFERENCES own (id))");
            run(one, "INSERT INTO child VALUES (1, 1)");
            run(one, "BEGIN");
            run(one, "INSERT INTO seen VALUES (3, 30)");
            assertThat(ask(one, BOTH)).isEqualTo("10/20/30 1");
            assertThat(error(one, "UPDATE child SET own = 6 + BIT_COUNT(3)")).isEqualTo(1452);
            run(other, "SET innodb_lock_wait_timeout = 1");
            assertThat(error(other, "INSERT INTO own VALUES (8, 8)")).isEqualTo(1205);
            run(other, "UPDATE own SET v = 2 WHERE id = 1");
            await(
                    "the applier does not wait",
                    () -> answers(behind, "SELECT v FROM own WHERE id = 1", "2"));
            run(one, "COMMIT");
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    /// With a LIMIT it is only the backend that runs it.
    private static final String BOTH =
            "SELECT CONCAT((SELECT GROUP_CONCAT(v ORDER BY id SEPARATOR '/' LIMIT 9) FROM seen), ' ', (SELECT GROUP_CONCAT(v ORDER BY id SEPARATOR '/' LIMIT 9) FROM own))";

    private Connection prepare() throws SQLException {
        Connection connection = SameAnswersTest.connect(ports.quire(), false);
        run(connection, "CREATE TABLE seen (id INT PRIMARY KEY, v INT)");
        run(connection, "CREATE TABLE own (id INT PRIMARY KEY, v INT)");
        run(connection, "INSERT INTO seen VALUES (1, 10), (2, 20)");
        run(connection, "INSERT INTO own VALUES (1, 1)");
        return connection;
    }

    private Connection open() throws SQLException {
        Connection connection = connect(ports.quire());
        run(connection, "USE applications");
        return connection;
    }

    private static Connection connect(int port) throws SQLException {
        return Clients.connect(port, "applications");
    }

    private static boolean answers(Connection connection, String sql, String answer) {
        try {
            return ask(connection, sql).equals(answer);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }
}
