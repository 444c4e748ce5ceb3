package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.node.Await.await;
import static org.quiredb.node.clients.Clients.ask;
import static org.quiredb.node.clients.Clients.connect;
import static org.quiredb.node.clients.Clients.error;
import static org.quiredb.node.clients.Clients.run;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Stored functions may change rows, also those that the backend had before it had a tier: whatever
/// calls one, nothing changes there that the log does not know.
@ExtendWith(BothSides.class)
@Timeout(300)
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ChangingFunctionsTest {
    private static final int NOT_SUPPORTED = 1235;
    private static final int READ_ONLY = 1792;
    private static final int NO_KEY = 1175;
    private static final int NOT_LOCKED = 1100;
    private static final String COUNT = "SELECT COUNT(*) FROM called";

    private final BothSides.Ports ports;

    ChangingFunctionsTest(BothSides.Ports ports) {
        this.ports = ports;
    }

    @BeforeAll
    void make() throws Exception {
        try (Connection quire = connect(ports.quire(), "")) {
            run(quire, "CREATE DATABASE functions");
            run(quire, "CREATE TABLE functions.called (id INT AUTO_INCREMENT PRIMARY KEY)");
            run(quire, "CREATE TABLE functions.one (id INT PRIMARY KEY, v INT)");
            run(quire, "INSERT INTO functions.one VALUES (1, 1)");
            run(quire, "CREATE TABLE functions.other (id INT PRIMARY KEY)");
            run(quire, "CREATE TABLE functions.numbered (name VARCHAR(9) PRIMARY KEY, n INT)");
            run(quire, "CREATE TABLE functions.given (id INT PRIMARY KEY)");
            run(quire, "CREATE TABLE functions.alike (id INT AUTO_INCREMENT, a INT, KEY (id))");
        }
        try (Connection quire = connect(ports.quire(), "functions")) {
            run(
                    quire,
                    "CREATE FUNCTION next_number(which VARCHAR(9)) RETURNS INT BEGIN UPDATE numbered SET n = LAST_INSERT_ID(n + 1) WHERE name = which; RETURN LAST_INSERT_ID(); END");
        }
        try (Connection behind = connect(ports.behind(), "functions")) {
            for (String sql :
                    List.of(
                            "CREATE FUNCTION counts() RETURNS INT BEGIN INSERT INTO called VALUES (NULL); RETURN 1; END",
                            "CREATE FUNCTION hides() RETURNS INT BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; INSERT INTO called VALUES (NULL); RETURN 1; END",
                            "CREATE FUNCTION outer_one() RETURNS INT RETURN counts() + 1",
                            "CREATE FUNCTION plain() RETURNS INT RETURN (SELECT MAX(v) FROM one)",
                            "CREATE FUNCTION `sum`(a INT) RETURNS INT BEGIN INSERT INTO called VALUES (NULL); RETURN 1; END",
                            "CREATE FUNCTION `of`() RETURNS INT BEGIN INSERT INTO called VALUES (NULL); RETURN 1; END",
                            "CREATE FUNCTION always(a INT) RETURNS INT DETERMINISTIC BEGIN INSERT INTO called VALUES (NULL); RETURN a; END",
                            "CREATE VIEW narrowed AS SELECT id, v FROM one WHERE id = always(1)",
                            "CREATE VIEW viewed AS SELECT counts() AS x",
                            "CREATE FUNCTION by_view() RETURNS INT RETURN (SELECT x FROM viewed)",
                            "CREATE FUNCTION takes() RETURNS INT BEGIN INSERT INTO called VALUES (NULL); RETURN NEXTVAL(numbers); END",
                            "CREATE FUNCTION locks() RETURNS INT BEGIN INSERT INTO called VALUES (NULL); RETURN GET_LOCK('a', 0); END",
                            "CREATE FUNCTION keyless() RETURNS INT BEGIN INSERT INTO called VALUES (NULL); UPDATE alike SET a = a + 1; RETURN 1; END",
                            "CREATE PROCEDURE reads_view() SELECT x FROM viewed",
                            "CREATE SEQUENCE numbers")) {
                run(behind, sql);
            }
        }
        try (Connection quire = connect(ports.quire(), "functions")) {
            run(quire, "CREATE TABLE fires (id INT AUTO_INCREMENT PRIMARY KEY)");
            run(
                    quire,
                    "CREATE TRIGGER fired BEFORE INSERT ON fires FOR EACH ROW SET @seen = (SELECT x FROM viewed)");
        }
    }

    @AfterAll
    void drop() throws Exception {
        try (Connection quire = connect(ports.quire(), "")) {
            run(quire, "DROP DATABASE functions");
        }
    }

    /// As any change, with all that they read and change, and with what views call.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT counts()",
                "SELECT functions.counts()",
                "SELECT outer_one()",
                "SELECT hides()",
                "SELECT id FROM one WHERE counts() = id",
                "SELECT id FROM one ORDER BY counts()",
                "SELECT counts() INTO @a",
                "WITH w AS (SELECT counts() AS x) SELECT x FROM w",
                "UPDATE one SET v = counts()",
                "UPDATE one SET v = counts() WHERE id = 1",
                "UPDATE one SET v = 2 WHERE id = counts()",
                "INSERT INTO one VALUES (2, counts())",
                "INSERT INTO one VALUES (counts() + 1, 3)",
                "INSERT INTO one SELECT 2, counts()",
                "REPLACE INTO one VALUES (1, counts())",
                "DELETE FROM one WHERE id = counts()",
                "DO counts()",
                "SET @a = counts()",
                "EXECUTE IMMEDIATE 'SELECT counts()'",
                "SELECT `sum`(1)",
                "SELECT sum (1)",
                "SELECT of()",
                "SELECT by_view()",
                "SELECT x FROM viewed",
                "SELECT 1 FROM one WHERE id = (SELECT x FROM viewed)",
                "SET @a = (SELECT x FROM viewed)",
                "DO (SELECT x FROM viewed)",
                "INSERT INTO one SELECT 2, x FROM viewed",
                "CALL reads_view()",
                "SELECT keyless()",
                "INSERT INTO fires VALUES (NULL)",
                "SELECT schema_name FROM information_schema.schemata WHERE counts() = 2"
            })
    void areRunAsChanges(String sql) throws Exception {
        try (Connection quire = connect(ports.quire(), "functions")) {
            run(quire, "DELETE FROM called");
            run(quire, "REPLACE INTO one VALUES (1, 1)");
            run(quire, "DELETE FROM one WHERE id > 1");
            run(quire, sql);
            String once = ask(quire, COUNT);
            assertThat(once).as(sql).isNotEqualTo("0");

            run(quire, "REPLACE INTO one VALUES (1, 1)");
            run(quire, "DELETE FROM one WHERE id > 1");
            run(quire, "BEGIN");
            run(quire, "INSERT INTO other VALUES (1)");
            run(quire, sql);
            assertThat(ask(quire, COUNT)).as(sql).isNotEqualTo(once);
            run(quire, "ROLLBACK");
            assertThat(ask(quire, COUNT)).as(sql).isEqualTo(once);

            run(quire, "START TRANSACTION READ ONLY");
            assertThat(error(quire, sql)).as(sql).isEqualTo(READ_ONLY);
            run(quire, "ROLLBACK");
            run(quire, "LOCK TABLES one WRITE");
            assertThat(error(quire, sql)).as(sql).isIn(0, NOT_SUPPORTED, NOT_LOCKED);
            run(quire, "UNLOCK TABLES");
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1 /*M! , counts() */",
                "SET sql_mode = IF(counts() = 1, '', '')",
                "SET @a = counts(), sql_mode = ''",
                "SHOW TABLES WHERE counts()",
                "CREATE TABLE made AS SELECT counts() AS x",
                "CREATE TEMPORARY TABLE made AS SELECT counts() AS x",
                "CREATE TABLE made (x INT) AS VALUES (counts())",
                "CREATE TABLE made AS SELECT x FROM viewed",
                "CREATE TEMPORARY TABLE made AS SELECT x FROM viewed",
                "SELECT NEXTVAL(numbers), x FROM viewed",
                "SELECT IS_FREE_LOCK('a'), counts()",
                "SELECT IS_FREE_LOCK('a'), x FROM viewed",
                "DO IS_FREE_LOCK((SELECT x FROM viewed))",
                "SET @a = IS_FREE_LOCK('a') + (SELECT x FROM viewed)",
                "SELECT NEXTVAL(numbers), counts()",
                "SELECT takes()",
                "SELECT locks()",
                "INSERT INTO one VALUES (2, locks())",
                "SELECT counts(), locks()"
            })
    void areRefusedBeforeAnythingOfThemIsLeft(String sql) throws Exception {
        try (Connection quire = connect(ports.quire(), "functions");
                Connection behind = connect(ports.behind(), "functions")) {
            String before = ask(quire, COUNT);
            assertThat(error(quire, sql)).as(sql).isEqualTo(NOT_SUPPORTED);
            quire.setAutoCommit(false);
            assertThat(error(quire, sql)).as(sql).isEqualTo(NOT_SUPPORTED);
            quire.rollback();

            assertThat(ask(quire, COUNT)).isEqualTo(before);
            assertThat(ask(behind, COUNT)).isEqualTo(before);
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT id, counts() FROM mine",
                "SELECT mine.id, x FROM mine, viewed",
                "INSERT INTO mine VALUES (counts())",
                "INSERT INTO mine SELECT x FROM viewed",
                "INSERT INTO one SELECT id, counts() FROM mine",
                "INSERT INTO one SELECT id, x FROM mine, viewed"
            })
    void areRefusedBesideTemporaryTables(String sql) throws Exception {
        try (Connection quire = connect(ports.quire(), "functions")) {
            run(quire, "CREATE TEMPORARY TABLE mine (id INT)");
            run(quire, "INSERT INTO mine VALUES (5)");
            String before = ask(quire, COUNT);
            assertThat(error(quire, sql)).as(sql).isEqualTo(NOT_SUPPORTED);
            assertThat(ask(quire, COUNT)).isEqualTo(before);
            run(quire, "SELECT counts()");
            assertThat(ask(quire, COUNT)).isNotEqualTo(before);
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT GET_LOCK('a', 0), x FROM viewed",
                "DO GET_LOCK('a', (SELECT x FROM viewed))",
                "SET @a = GET_LOCK('a', 0) + by_view()",
                "SET wait_timeout = (SELECT x FROM viewed)",
                "SET wait_timeout = by_view()",
                "SET max_statement_time = by_view()"
            })
    void leaveNothingBesideLocksAndInSettings(String sql) throws Exception {
        try (Connection quire = connect(ports.quire(), "functions");
                Connection behind = connect(ports.behind(), "functions")) {
            String before = ask(quire, COUNT);
            assertThat(error(quire, sql)).as(sql).isIn(NOT_SUPPORTED, READ_ONLY);
            assertThat(ask(behind, COUNT)).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE one SET v = 1 WHERE id = (SELECT x FROM viewed)",
                "UPDATE one SET v = 1 WHERE id = by_view()"
            })
    void areNotRunToSeeWhetherAnUpdateIsSafe(String sql) throws Exception {
        try (Connection quire = connect(ports.quire(), "functions");
                Connection behind = connect(ports.behind(), "functions")) {
            String before = ask(quire, COUNT);
            run(quire, "SET sql_safe_updates = 1");
            assertThat(error(quire, sql)).as(sql).isIn(NOT_SUPPORTED, NO_KEY);
            assertThat(ask(behind, COUNT)).isEqualTo(before);
        }
    }

    /// A setting that a query gives is made again on each connection that the session is given.
    @Test
    void areNotRunByASetting() throws Exception {
        try (Connection quire = connect(ports.quire(), "functions");
                Connection behind = connect(ports.behind(), "functions")) {
            String before = ask(quire, COUNT);
            int _ = error(quire, "SET SESSION sql_mode = (SELECT IF(x, '', '') FROM viewed)");
            int _ = error(quire, "SELECT UUID()");
            assertThat(ask(behind, COUNT)).isEqualTo(before);
        }
    }

    /// A server calls some to find out how it would run a statement.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "EXPLAIN SELECT v FROM narrowed",
                "EXPLAIN SELECT v FROM narrowed FOR UPDATE",
                "EXPLAIN UPDATE narrowed SET v = 2",
                "EXPLAIN DELETE FROM narrowed",
                "EXPLAIN INSERT INTO one SELECT id + 1, v FROM narrowed",
                "DESCRIBE SELECT IS_FREE_LOCK('a'), v FROM narrowed FOR UPDATE"
            })
    void leaveNothingWhereTheyAreExplained(String sql) throws Exception {
        try (Connection quire = connect(ports.quire(), "functions");
                Connection behind = connect(ports.behind(), "functions")) {
            String before = ask(quire, COUNT);
            assertThat(error(quire, sql)).as(sql).isIn(0, NOT_SUPPORTED);
            assertThat(ask(behind, COUNT)).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "EXPLAIN SELECT v FROM one FOR UPDATE",
                "EXPLAIN SELECT v FROM one WHERE id = 1 LOCK IN SHARE MODE",
                "EXPLAIN SELECT v FROM (SELECT * FROM one FOR UPDATE) AS o",
                "EXPLAIN UPDATE one SET v = 2",
                "EXPLAIN DELETE FROM one",
                "DESC DELETE FROM one",
                "EXPLAIN INSERT INTO one SELECT id + 1, v FROM one",
                "EXPLAIN REPLACE INTO one SELECT id + 1, v FROM one"
            })
    void keepNothingFromBeingExplained(String sql) throws Exception {
        try (Connection quire = connect(ports.quire(), "functions")) {
            assertThat(error(quire, sql)).as(sql).isZero();
            quire.setAutoCommit(false);
            assertThat(error(quire, sql)).as(sql).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "READ COMMITTED, true",
        "READ COMMITTED, false",
        "REPEATABLE READ, false",
        "SERIALIZABLE, true"
    })
    void everyStatementIsAnsweredAsByMariaDb(String level, boolean prepared) throws Exception {
        SameAnswersTest.requireSame("functions-changing.sql", level, prepared, ports);
    }

    /// Of which no more rows are looked at than scheduler.limits.overlayRows.
    @Test
    void addRowsToTablesOfAnySize() throws Exception {
        try (Connection quire = connect(ports.quire(), "functions")) {
            run(quire, "CREATE TABLE large (id INT PRIMARY KEY, a VARCHAR(20))");
            run(quire, "INSERT INTO large SELECT seq + 1000000, '' FROM seq_1_to_9000");
            run(quire, "INSERT INTO large SELECT id + 1000000, a FROM large");
            run(quire, "REPLACE INTO numbered VALUES ('l', 0)");
            run(
                    quire,
                    "INSERT INTO large VALUES (next_number('l'), CONCAT('n', next_number('l')))");
            run(quire, "INSERT INTO large SET id = next_number('l'), a = 'x'");
            run(quire, "UPDATE large SET a = next_number('l') WHERE id = 3");
            run(quire, "SET @which = 'l', @a = 'y'");
            run(quire, "INSERT INTO large VALUES (next_number(@which), @a)");
            assertThat(
                            ask(
                                    quire,
                                    "SELECT GROUP_CONCAT(id, a ORDER BY id LIMIT 99) FROM large WHERE id < 1000000"))
                    .isEqualTo("1n2,34,5y");
            assertThat(error(quire, "UPDATE large SET a = '' WHERE id = next_number('l')"))
                    .isEqualTo(NOT_SUPPORTED);
            assertThat(ask(quire, "SELECT n FROM numbered WHERE name = 'l'")).isEqualTo("5");
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    /// Whatever its master does meanwhile: each is given to one client, and what was acknowledged
    /// is there.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noNumberIsGivenTwice(boolean masterDies) throws Exception {
        try (Connection quire = connect(ports.quire(), "functions")) {
            run(quire, "REPLACE INTO numbered VALUES ('a', 0)");
            run(quire, "DELETE FROM given");
        }
        Numbers numbers = new Numbers();
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        List<Integer> doors = ports.tier().ports();
        for (int i = 0; i < WAYS.size(); i++) {
            int port = doors.get(i % doors.size());
            List<String> way = WAYS.get(i);
            clients.add(CompletableFuture.runAsync(() -> numbers.take(port, way)));
        }
        try {
            await("some are given", () -> numbers.taken.size() > 5);
            if (masterDies) {
                String master = ports.tier().leader();
                ports.tier().kill(master);
                int before = numbers.taken.size();
                await("more are given", () -> numbers.taken.size() > before + 5);
                ports.tier().revive(master);
                ports.tier().awaitReturn(master);
            }
            int before = numbers.taken.size();
            await("many are given", () -> numbers.taken.size() > before + 100);
        } finally {
            numbers.over.set(true);
        }
        for (CompletableFuture<Void> client : clients) {
            client.get(60, TimeUnit.SECONDS);
        }
        assertThat(numbers.taken).doesNotHaveDuplicates();
        try (Connection quire = connect(ports.quire(), "functions")) {
            int last = Integer.parseInt(ask(quire, "SELECT n FROM numbered WHERE name = 'a'"));
            int given = Integer.parseInt(ask(quire, "SELECT COUNT(*) FROM given"));
            assertThat(last).isBetween(numbers.taken.size(), numbers.taken.size() + numbers.unsure);
            assertThat(given).isBetween(numbers.added, numbers.added + numbers.unsure);
            if (!masterDies) {
                assertThat(numbers.unsure).isZero();
            }
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    /// How clients take numbers: the statement that does, after and before others.
    private static final List<List<String>> WAYS =
            List.of(
                    List.of("", "SELECT next_number('a')", ""),
                    List.of("BEGIN", "SELECT next_number('a') FOR UPDATE", "COMMIT"),
                    List.of(
                            "",
                            "INSERT INTO given (id) VALUES (next_number('a')) RETURNING id",
                            ""),
                    List.of("SET @n = next_number('a')", "SELECT @n", ""),
                    List.of(
                            "SET @n = 0",
                            "INSERT INTO given VALUES (@n := next_number('a'))",
                            "SELECT @n"));

    /// Threads: any; guarded by itself, but for what is of one kind.
    private static final class Numbers {
        private final AtomicBoolean over = new AtomicBoolean();
        private final List<String> taken = Collections.synchronizedList(new ArrayList<>());
        private int unsure;
        private int added;

        void take(int port, List<String> way) {
            while (!over.get()) {
                try (Connection one = connect(port, "functions")) {
                    while (!over.get()) {
                        take(one, way);
                    }
                } catch (SQLException e) {
                    note(e);
                }
            }
        }

        private void take(Connection one, List<String> way) throws SQLException {
            if (!way.getFirst().isEmpty()) {
                run(one, way.getFirst());
            }
            String number = "";
            for (String sql : way.subList(1, way.size())) {
                if (sql.startsWith("SELECT") || sql.endsWith("RETURNING id")) {
                    number = ask(one, sql);
                } else if (!sql.isEmpty()) {
                    run(one, sql);
                }
            }
            taken.add(number);
            note(way);
        }

        private synchronized void note(List<String> way) {
            added += way.get(1).startsWith("INSERT") ? 1 : 0;
        }

        private synchronized void note(SQLException e) {
            unsure += e.getErrorCode() == 1213 || e.getErrorCode() == 1205 ? 0 : 1;
        }
    }

    /// Whatever it has become since it was looked at: it is another each time.
    @Test
    void whatIsReplacedMeanwhileReachesNothingPastTheLog() throws Exception {
        String adds = "BEGIN INSERT INTO called VALUES (NULL); RETURN 1; END";
        String other = "BEGIN INSERT INTO other VALUES (NULL); DELETE FROM one; RETURN 1; END";
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        CompletableFuture<Void> replacing =
                CompletableFuture.runAsync(() -> {
                    try (Connection behind = connect(ports.behind(), "functions")) {
                        while (System.nanoTime() < end) {
                            for (String body : List.of("RETURN 1", adds, other)) {
                                run(
                                        behind,
                                        "CREATE OR REPLACE FUNCTION replaced() RETURNS INT "
                                                + body);
                            }
                        }
                        run(behind, "CREATE OR REPLACE FUNCTION replaced() RETURNS INT " + adds);
                    } catch (SQLException e) {
                        throw new AssertionError(e);
                    }
                });
        try (Connection quire = connect(ports.quire(), "functions")) {
            while (System.nanoTime() < end) {
                int error = error(quire, "SELECT replaced()");
                assertThat(error).isIn(0, 1048, 1213, 1235, 1305, 1412);
            }
            replacing.get(60, TimeUnit.SECONDS);
            int before = Integer.parseInt(ask(quire, COUNT));
            run(quire, "SELECT replaced()");
            assertThat(ask(quire, COUNT)).isEqualTo(String.valueOf(before + 1));
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    /// Once, while its tables are waited for: it begins anew with what the function is by then.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT turned()",
                "SET @a = turned()",
                "DO turned()",
                "INSERT INTO given VALUES (turned())",
                "INSERT INTO given SELECT turned()"
            })
    void whatIsReplacedOnceIsCalledAsItIsThen(String sql) throws Exception {
        String turned =
                "CREATE OR REPLACE FUNCTION turned() RETURNS INT BEGIN UPDATE %1$s SET n = n + 1; RETURN (SELECT n FROM %1$s); END";
        try (Connection quire = connect(ports.quire(), "functions");
                Connection holds = connect(ports.quire(), "functions");
                Connection behind = connect(ports.behind(), "functions")) {
            for (String table : List.of("turn_one", "turn_two")) {
                run(quire, "CREATE OR REPLACE TABLE " + table + " (id INT PRIMARY KEY, n INT)");
                run(quire, "INSERT INTO " + table + " VALUES (1, 0)");
            }
            run(behind, turned.formatted("turn_one"));
            holds.setAutoCommit(false);
            run(holds, "UPDATE turn_one SET n = 10");
            long before = ports.tier().lockWaits();
            CompletableFuture<Integer> calls =
                    CompletableFuture.supplyAsync(() -> error(quire, sql));
            await("its tables are waited for", () -> ports.tier().lockWaits() > before);
            run(behind, turned.formatted("turn_two"));
            holds.commit();
            assertThat(calls.get(60, TimeUnit.SECONDS)).isZero();
            assertThat(ask(quire, "SELECT CONCAT(a.n, b.n) FROM turn_one a, turn_two b"))
                    .isEqualTo("101");
            run(quire, "DELETE FROM given");
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    /// What reads goes on as before, and what is not there is told as a server tells it.
    @Test
    void doNotKeepFromOthers() throws Exception {
        try (Connection quire = connect(ports.quire(), "functions")) {
            assertThat(ask(quire, "SELECT plain()")).isEqualTo("1");
            assertThat(ask(quire, "SELECT functions.plain() + 1")).isEqualTo("2");
            run(quire, "SET @a = plain()");
            assertThat(ask(quire, "SELECT @a")).isEqualTo("1");
            run(quire, "SET @a = NEXTVAL(numbers)");
            assertThat(ask(quire, "SELECT @a")).isEqualTo("1");
            assertThat(error(quire, "INSERT INTO one VALUES (8), (9) RETURNING NEXTVAL(numbers)"))
                    .isEqualTo(1235); // it is another one for each row
            assertThat(ask(quire, "SELECT LASTVAL(numbers)")).isEqualTo("1");
            assertThat(ask(quire, "SELECT GET_LOCK('a', 0), v FROM one")).isEqualTo("1");
            assertThat(ask(quire, "SELECT RELEASE_LOCK('a')")).isEqualTo("1");
            assertThat(error(quire, "SELECT missing()")).isEqualTo(1305);
            assertThat(error(quire, "SELECT functions.missing()")).isEqualTo(1305);
            run(quire, "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE");
            assertThat(ask(quire, "SELECT plain()")).isEqualTo("1");
        }
    }
}
