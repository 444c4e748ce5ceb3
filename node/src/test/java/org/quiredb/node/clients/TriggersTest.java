package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.node.Await.await;
import static org.quiredb.node.clients.Clients.ask;
import static org.quiredb.node.clients.Clients.connect;
import static org.quiredb.node.clients.Clients.error;
import static org.quiredb.node.clients.Clients.run;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Triggers fire as on a server, once each, and nothing of what they do is lost.
@ExtendWith(BothSides.class)
@Timeout(300)
@Tag("slow")
final class TriggersTest {
    private static final int CLIENTS = 4;

    private final BothSides.Ports ports;

    TriggersTest(BothSides.Ports ports) {
        this.ports = ports;
    }

    @ParameterizedTest
    @CsvSource({"READ COMMITTED, true", "REPEATABLE READ, false"})
    void everyStatementIsAnsweredAsByMariaDb(String level, boolean prepared) throws Exception {
        SameAnswersTest.requireSame("triggers.sql", level, prepared, ports);
    }

    /// Quire would have to change the rows that it changes, and appliers would make it do so again.
    @Test
    void whatATriggerDoesThatWasMadePastTheTierIsRefused() throws Exception {
        try (Connection one = connect(ports.quire(), "");
                Connection behind = connect(ports.behind(), "")) {
            run(one, "CREATE DATABASE IF NOT EXISTS firing CHARACTER SET utf8mb4");
            run(one, "CREATE OR REPLACE TABLE firing.t (id INT PRIMARY KEY, v INT)");
            run(one, "CREATE OR REPLACE TABLE firing.counter (id INT PRIMARY KEY, n INT)");
            run(one, "INSERT INTO firing.counter VALUES (1, 0)");
            String create =
                    "CREATE OR REPLACE TRIGGER firing.counts AFTER INSERT ON firing.t FOR EACH ROW UPDATE firing.counter SET n = n + 1";
            run(behind, create);
            run(one, "ALTER TABLE firing.t ADD COLUMN w INT"); // so that the tier sees it
            assertThat(error(one, "INSERT INTO firing.t VALUES (1, 1, 1)")).isEqualTo(1235);
            // which an applier may store by another statement
            assertThat(error(one, "DELETE FROM firing.t")).isEqualTo(1235);
            run(one, create);
            run(one, "INSERT INTO firing.t VALUES (1, 1, 1)");
            assertThat(ask(one, "SELECT n FROM firing.counter")).isEqualTo("1");
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    /// Whatever its master does meanwhile: what was acknowledged is counted once, the rest once or
    /// not at all, as the rows are.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatATriggerCountsIsAsManyAsThereAreRows(boolean masterDies) throws Exception {
        try (Connection one = connect(ports.quire(), "")) {
            run(one, "DROP DATABASE IF EXISTS counting");
            run(one, "CREATE DATABASE counting CHARACTER SET utf8mb4");
            run(one, "CREATE TABLE counting.t (id INT AUTO_INCREMENT PRIMARY KEY, v INT)");
            run(one, "CREATE TABLE counting.counter (id INT PRIMARY KEY, n INT, total INT)");
            run(one, "INSERT INTO counting.counter VALUES (1, 0, 0)");
            run(
                    one,
                    "CREATE TRIGGER counting.comes AFTER INSERT ON counting.t FOR EACH ROW UPDATE counter SET n = n + 1, total = total + NEW.v");
            run(
                    one,
                    "CREATE TRIGGER counting.moves AFTER UPDATE ON counting.t FOR EACH ROW UPDATE counter SET total = total + NEW.v - OLD.v");
        }
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger done = new AtomicInteger();
        AtomicInteger unsure = new AtomicInteger();
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            List<Integer> doors = ports.tier().ports();
            int port = doors.get(i % doors.size());
            boolean within = i % 2 == 1;
            clients.add(CompletableFuture.runAsync(() -> add(port, within, over, done, unsure)));
        }
        try {
            await("some are added", () -> done.get() > 5);
            if (masterDies) {
                String master = ports.tier().leader();
                ports.tier().kill(master);
                int before = done.get();
                await("more are added", () -> done.get() > before + 5);
                ports.tier().revive(master);
                ports.tier().awaitReturn(master);
            }
            int before = done.get();
            await("many are added", () -> done.get() > before + 100);
        } finally {
            over.set(true);
        }
        for (CompletableFuture<Void> client : clients) {
            client.get(60, TimeUnit.SECONDS);
        }
        try (Connection one = connect(ports.quire(), "counting")) {
            assertThat(ask(one, "SELECT CONCAT(n, ' ', total) FROM counter"))
                    .isEqualTo(ask(one, "SELECT CONCAT(COUNT(*), ' ', SUM(v)) FROM t"));
            int rows = Integer.parseInt(ask(one, "SELECT COUNT(*) FROM t"));
            assertThat(rows).isBetween(done.get(), done.get() + unsure.get());
            assertThat(done.get()).isGreaterThan(10);
            if (!masterDies) {
                assertThat(unsure.get()).isZero();
            }
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    private static void add(
            int port,
            boolean within,
            AtomicBoolean over,
            AtomicInteger done,
            AtomicInteger unsure) {
        while (!over.get()) {
            boolean asked = false;
            try (Connection one = connect(port, "counting")) {
                while (!over.get()) {
                    String insert = "INSERT INTO t (v) VALUES (1)";
                    asked = false;
                    if (within) {
                        run(one, "BEGIN");
                        run(one, insert);
                        run(one, "UPDATE t SET v = v + 1 WHERE id = LAST_INSERT_ID()");
                    }
                    asked = true;
                    run(one, within ? "COMMIT" : insert);
                    done.incrementAndGet();
                }
            } catch (SQLException e) {
                boolean undone = e.getErrorCode() == 1213 || e.getErrorCode() == 1205;
                unsure.addAndGet(asked && !undone ? 1 : 0);
            }
        }
    }

    /// Whoever could would change rows that the tier takes for others.
    @Test
    void noClientSwitchesTriggersOff() throws Exception {
        try (Connection one = connect(ports.quire(), "")) {
            for (String sql :
                    List.of(
                            "SET @quire_applies = 1",
                            "SET @QUIRE_Applies := 1",
                            "SET @`quire_applies` = 1",
                            "SELECT 1 INTO @'quire_applies'",
                            "SELECT @a := 1, @quire_applies := 1",
                            "EXECUTE IMMEDIATE 'SET @quire_applies = 1'",
                            "CREATE PROCEDURE mysql.p() SET @quire_applies = 1",
                            "SET STATEMENT max_statement_time = 5 FOR SET @quire_applies = 1")) {
                assertThat(error(one, sql)).as(sql).isEqualTo(1235);
            }
            assertThat(error(one, "PREPARE s FROM 'SET @quire_applies = 1'")).isIn(0, 1235);
            assertThat(error(one, "EXECUTE s")).isIn(1235, 1243);
        }
    }

    /// Both servers' own program takes them, and gives them back.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDumpHasThemAndIsRestored(boolean ofTheBackend) throws Exception {
        try (Connection one = connect(ports.quire(), "")) {
            run(one, "DROP DATABASE IF EXISTS fired_dump");
            run(one, "CREATE DATABASE fired_dump CHARACTER SET utf8mb4");
            run(one, "CREATE TABLE fired_dump.t (id INT PRIMARY KEY, v VARCHAR(20))");
            run(
                    one,
                    "CREATE TABLE fired_dump.log (id INT AUTO_INCREMENT PRIMARY KEY, w VARCHAR(40))");
            run(
                    one,
                    "CREATE TRIGGER fired_dump.first BEFORE INSERT ON fired_dump.t FOR EACH ROW\nBEGIN -- what it is for\n  SET NEW.v = CONCAT(NEW.v, ' \u00e9'); # and so on\n  INSERT INTO log (w) VALUES (NEW.v);\nEND");
            run(
                    one,
                    "CREATE TRIGGER fired_dump.second BEFORE INSERT ON fired_dump.t FOR EACH ROW INSERT INTO log (w) VALUES ('second')");
            run(one, "INSERT INTO fired_dump.t VALUES (1, 'a')");
        }
        try (Connection behind = connect(ports.behind(), "fired_dump")) {
            await("it is applied", () -> isApplied(behind));
        }
        String dump = program("mariadb-dump", ofTheBackend ? ports.behind() : ports.quire(), "");
        assertThat(dump.contains("quire_applies")).as(dump).isEqualTo(ofTheBackend);
        try (Connection one = connect(ports.quire(), "")) {
            run(one, "DROP DATABASE fired_dump");
            run(one, "CREATE DATABASE fired_dump CHARACTER SET utf8mb4");
        }
        program("mariadb", ports.quire(), dump);
        try (Connection one = connect(ports.quire(), "fired_dump");
                Connection behind = connect(ports.behind(), "fired_dump")) {
            run(one, "INSERT INTO t VALUES (2, 'b')");
            assertThat(ask(one, "SELECT GROUP_CONCAT(w ORDER BY id LIMIT 99) FROM log"))
                    .isEqualTo("a \u00e9,second,b \u00e9,second");
            assertThat(
                            ask(
                                    behind,
                                    "SELECT COUNT(*) FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = 'fired_dump' AND ACTION_STATEMENT LIKE 'IF @quire_applies IS NULL THEN %'"))
                    .isEqualTo("2");
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    private static boolean isApplied(Connection behind) {
        try {
            return ask(behind, "SELECT COUNT(*) FROM log").equals("2");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private String program(String name, int port, String input) throws Exception {
        Process process =
                new ProcessBuilder(
                                ports.programs().resolve(name).toString(),
                                "--no-defaults",
                                "--skip-ssl",
                                "-h127.0.0.1",
                                "-P" + port,
                                "-u" + BothSides.USER,
                                "-p" + BothSides.PASSWORD,
                                "--default-character-set=utf8mb4",
                                "fired_dump")
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (OutputStream to = process.getOutputStream()) {
            to.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return said;
    }

    /// Where the server tells what has changed, not all rows are looked at, of which there are more
    /// than may be.
    @Test
    void tablesMayBeLarge() throws Exception {
        try (Connection one = connect(ports.quire(), "")) {
            run(one, "DROP DATABASE IF EXISTS large");
            run(one, "CREATE DATABASE large CHARACTER SET utf8mb4");
            run(one, "USE large");
            run(one, "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v INT, KEY (v))");
            run(one, "CREATE TABLE log (id INT AUTO_INCREMENT PRIMARY KEY, w VARCHAR(40))");
            run(one, "CREATE TABLE big (id INT PRIMARY KEY, n INT)");
            run(one, "INSERT INTO t (v) SELECT seq FROM seq_1_to_9000");
            run(one, "INSERT INTO t (v) SELECT v + 9000 FROM t");
            run(one, "INSERT INTO log (w) SELECT v FROM t");
            run(one, "INSERT INTO big SELECT id, 0 FROM t");
            for (String event : List.of("INSERT", "UPDATE", "DELETE")) {
                String row = event.equals("DELETE") ? "OLD" : "NEW";
                run(
                        one,
                        "CREATE TRIGGER %s_of_t AFTER %s ON t FOR EACH ROW INSERT INTO log (w) VALUES (CONCAT('%s ', %s.v))"
                                .formatted(event, event, event, row));
            }
            run(one, "INSERT INTO t (v) VALUES (-1), (-2)");
            run(one, "UPDATE t SET v = v - 10 WHERE v < 0");
            run(one, "DELETE FROM t WHERE v = -11");
            assertThat(error(one, "INSERT INTO t (id, v) VALUES (5, 5)")).isEqualTo(1062);
            // which are not behind all others
            run(one, "DELETE FROM t WHERE id = 7");
            assertThat(error(one, "INSERT INTO t (id, v) VALUES (7, 7)")).isEqualTo(1235);
            assertThat(
                            ask(
                                    one,
                                    "SELECT GROUP_CONCAT(w ORDER BY id LIMIT 99) FROM log WHERE w > 'A'"))
                    .isEqualTo("INSERT -1,INSERT -2,UPDATE -12,UPDATE -11,DELETE -11,DELETE 7");
            run(
                    one,
                    "CREATE TRIGGER counts AFTER INSERT ON t FOR EACH ROW UPDATE big SET n = n + 1 WHERE id = 1");
            assertThat(error(one, "INSERT INTO t (v) VALUES (-3)")).isEqualTo(1235);
            assertThat(ports.tier().verify().differences()).isEmpty();
            run(one, "DROP DATABASE large"); // or all later comparisons read it
        }
    }
}
