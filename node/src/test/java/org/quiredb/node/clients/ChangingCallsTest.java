package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.node.Await.await;
import static org.quiredb.node.clients.Clients.ask;
import static org.quiredb.node.clients.Clients.connect;
import static org.quiredb.node.clients.Clients.error;
import static org.quiredb.node.clients.Clients.run;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Procedures that change rows are called as on a server, and nothing of what they do is lost.
@ExtendWith(BothSides.class)
@Timeout(300)
@Tag("slow")
final class ChangingCallsTest {
    private static final int CLIENTS = 4;
    private static final int ACCOUNTS = 5;

    private final BothSides.Ports ports;

    ChangingCallsTest(BothSides.Ports ports) {
        this.ports = ports;
    }

    @BeforeEach
    void prepare() throws SQLException {
        for (int port : new int[] {ports.quire(), ports.mariaDb()}) {
            try (Connection one = connect(port, "")) {
                run(one, "CREATE DATABASE IF NOT EXISTS calling CHARACTER SET utf8mb4");
                run(one, "CREATE OR REPLACE TABLE calling.t (id INT PRIMARY KEY, n INT NOT NULL)");
                for (int id = 0; id < ACCOUNTS; id++) {
                    run(one, "INSERT INTO calling.t VALUES (" + id + ", 100)");
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"READ COMMITTED, true", "REPEATABLE READ, false"})
    void everyStatementIsAnsweredAsByMariaDb(String level, boolean prepared) throws Exception {
        SameAnswersTest.requireSame("procedures-changing.sql", level, prepared, ports);
    }

    @Test
    void aCallableStatementGetsItsParameters() throws Exception {
        create(
                "CREATE OR REPLACE PROCEDURE calling.adds(IN a INT, OUT b INT, INOUT c INT) BEGIN UPDATE t SET n = n + c WHERE id = a; SELECT n INTO b FROM t WHERE id = a; SET c = c + 1; SELECT id FROM t ORDER BY id; END");
        assertThat(adds(ports.quire())).isEqualTo(adds(ports.mariaDb())).isEqualTo("5 107 8");
    }

    private static String adds(int port) throws SQLException {
        try (Connection one = connect(port, "calling");
                CallableStatement call = one.prepareCall("{CALL adds(?, ?, ?)}")) {
            call.setInt(1, 2);
            call.registerOutParameter(2, Types.INTEGER);
            call.setInt(3, 7);
            call.registerOutParameter(3, Types.INTEGER);
            assertThat(call.execute()).isTrue();
            int rows = 0;
            try (ResultSet result = call.getResultSet()) {
                while (result.next()) {
                    rows++;
                }
            }
            return rows + " " + call.getInt(2) + ' ' + call.getInt(3);
        }
    }

    /// A program may decide by them.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rowsAreCountedInAProgramAsItsClientCountsThem(boolean found) throws Exception {
        create(
                "CREATE OR REPLACE PROCEDURE calling.counts() BEGIN UPDATE t SET n = 100 WHERE id < 3; IF ROW_COUNT() = 0 THEN UPDATE t SET n = 7 WHERE id = 4; END IF; UPDATE t SET n = n WHERE id = 1; END");
        assertThat(counts(ports.quire(), found))
                .isEqualTo(counts(ports.mariaDb(), found))
                .isEqualTo(found ? "4 100" : "1 7");
    }

    private static String counts(int port, boolean found) throws SQLException {
        String url = "jdbc:mysql://127.0.0.1:%d/calling?useAffectedRows=%b".formatted(port, !found);
        try (Connection one = DriverManager.getConnection(url, BothSides.USER, BothSides.PASSWORD);
                Statement statement = one.createStatement()) {
            return statement.executeUpdate("CALL counts()")
                    + " "
                    + ask(one, "SELECT n FROM t WHERE id = 4");
        }
    }

    /// Whatever its master does meanwhile: what was acknowledged is there once, the rest once or
    /// not at all, and money is moved, not made.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noCallIsLostNorDoneTwice(boolean masterDies) throws Exception {
        create(
                "CREATE OR REPLACE PROCEDURE calling.moves(IN f INT, IN g INT, IN x INT) BEGIN DECLARE had INT; SELECT n INTO had FROM t WHERE id = f FOR UPDATE; UPDATE t SET n = had - x WHERE id = f; UPDATE t SET n = n + x WHERE id = g; UPDATE counter SET n = n + 1; END");
        try (Connection one = connect(ports.quire(), "calling")) {
            run(one, "CREATE OR REPLACE TABLE counter (id INT PRIMARY KEY, n INT NOT NULL)");
            run(one, "INSERT INTO counter VALUES (1, 0)");
        }
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger done = new AtomicInteger();
        AtomicInteger unsure = new AtomicInteger();
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Random random = new Random(i);
            List<Integer> doors = ports.tier().ports();
            int port = doors.get(i % doors.size());
            boolean within = i % 2 == 1;
            clients.add(
                    CompletableFuture.runAsync(
                            () -> move(port, within, random, over, done, unsure)));
        }
        try {
            await("some are called", () -> done.get() > 5);
            if (masterDies) {
                String master = ports.tier().leader();
                ports.tier().kill(master);
                int before = done.get();
                await("more are called", () -> done.get() > before + 5);
                ports.tier().revive(master);
                ports.tier().awaitReturn(master);
            }
            int before = done.get();
            await("many are called", () -> done.get() > before + 100);
        } finally {
            over.set(true);
        }
        for (CompletableFuture<Void> client : clients) {
            client.get(120, TimeUnit.SECONDS);
        }
        try (Connection one = connect(ports.quire(), "calling")) {
            assertThat(ask(one, "SELECT SUM(n) FROM t")).isEqualTo("500");
            int counted = Integer.parseInt(ask(one, "SELECT n FROM counter"));
            assertThat(counted).isBetween(done.get(), done.get() + unsure.get());
            assertThat(done.get()).isGreaterThan(10);
            if (!masterDies) {
                assertThat(unsure.get()).isZero();
            }
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    private static void move(
            int port,
            boolean within,
            Random random,
            AtomicBoolean over,
            AtomicInteger done,
            AtomicInteger unsure) {
        while (!over.get()) {
            boolean asked = false;
            try (Connection one = connect(port, "calling")) {
                while (!over.get()) {
                    int from = random.nextInt(ACCOUNTS);
                    int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
                    String call = "CALL moves(" + from + ", " + to + ", " + random.nextInt(9) + ")";
                    asked = false;
                    if (within) {
                        run(one, "BEGIN");
                        run(one, call);
                    }
                    asked = true;
                    run(one, within ? "COMMIT" : call);
                    done.incrementAndGet();
                }
            } catch (SQLException e) {
                boolean undone = e.getErrorCode() == 1213 || e.getErrorCode() == 1205;
                unsure.addAndGet(asked && !undone ? 1 : 0);
            }
        }
    }

    /// Whatever it has become since it was looked at: it is another each time.
    @Test
    void whatIsReplacedMeanwhileReachesNothingPastTheLog() throws Exception {
        String plain = "UPDATE t SET n = n + 1";
        String ends =
                "BEGIN DECLARE r ROW (a INT); COMMIT; START TRANSACTION; DELETE FROM t; COMMIT; END";
        String other =
                "BEGIN DECLARE r ROW (a INT); INSERT INTO untold VALUES (1); DROP TABLE t; END";
        try (Connection one = connect(ports.quire(), "calling")) {
            run(one, "CREATE OR REPLACE TABLE untold (a INT PRIMARY KEY)");
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        CompletableFuture<Void> replacing =
                CompletableFuture.runAsync(() -> {
                    try (Connection behind = connect(ports.behind(), "calling")) {
                        while (System.nanoTime() < end) {
                            for (String body : List.of(plain, ends, plain, other)) {
                                run(behind, "CREATE OR REPLACE PROCEDURE p() " + body);
                            }
                        }
                    } catch (SQLException e) {
                        throw new AssertionError(e);
                    }
                });
        int called = 0;
        try (Connection one = connect(ports.quire(), "calling")) {
            while (System.nanoTime() < end) {
                int error = error(one, "CALL p()");
                assertThat(error).isIn(0, 1412, 1235, 1305, 1399);
                called += error == 0 ? 1 : 0;
            }
            replacing.get(60, TimeUnit.SECONDS);
            try (Connection behind = connect(ports.behind(), "calling")) {
                run(behind, "CREATE OR REPLACE PROCEDURE p() " + plain);
            }
            run(one, "CALL p()");
            called++;
            assertThat(ask(one, "SELECT COUNT(*) FROM t WHERE n > 100")).isEqualTo("5");
            assertThat(ask(one, "SELECT MAX(n) <= 100 + " + called + " FROM t")).isEqualTo("1");
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
        try (Connection behind = connect(ports.behind(), "calling")) {
            assertThat(ask(behind, "SELECT COUNT(*) FROM untold")).isEqualTo("0");
        }
    }

    /// Who finds a row by its key, and then waits for it, has its key locked already.
    @Test
    void transactionsOfOneRowMeetNoDeadlockWithCalls() throws Exception {
        create("CREATE OR REPLACE PROCEDURE raises() UPDATE t SET n = n + 1 WHERE id = 0");
        String of = "UPDATE t SET n = n + 1 WHERE id = 1";
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        for (List<String> sent :
                List.of(
                        List.of("CALL raises()"),
                        List.of("CALL raises()"),
                        List.of("BEGIN", of, "COMMIT"),
                        List.of("BEGIN", of, "COMMIT"),
                        List.of("BEGIN", "SAVEPOINT s", of, "COMMIT"))) {
            clients.add(
                    CompletableFuture.runAsync(() -> {
                        try (Connection one = connect(ports.quire(), "calling")) {
                            for (int i = 0; i < 60; i++) {
                                for (String sql : sent) {
                                    run(one, sql);
                                }
                            }
                        } catch (SQLException e) {
                            throw new AssertionError(e);
                        }
                    }));
        }
        for (CompletableFuture<Void> client : clients) {
            client.get(120, TimeUnit.SECONDS);
        }
        try (Connection one = connect(ports.quire(), "calling")) {
            assertThat(ask(one, "SELECT GROUP_CONCAT(n ORDER BY id LIMIT 99) FROM t WHERE id < 2"))
                    .isEqualTo("220,280");
        }
    }

    private void create(String sql) throws SQLException {
        for (int port : new int[] {ports.quire(), ports.mariaDb()}) {
            try (Connection one = connect(port, "calling")) {
                run(one, sql);
            }
        }
    }
}
