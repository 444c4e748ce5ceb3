package org.quiredb.logger;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.lifecycle.Parts;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.sql.SqlValue.BytesValue;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.logger.active.LeaderLock;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.Mark;

/// A commit waits for one statement of the log, which sees all that forbids it.
@Tag("slow")
class QuickAppendTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");

    private final Parts parts = new Parts();
    private TestServer server;
    private LoggerClient logger;
    private Connection connection;

    @BeforeEach
    void begin() throws Exception {
        server = TestServer.get();
        server.reset();
        server.execute(
                "CREATE TABLE shop.total (id INT PRIMARY KEY, amount BIGINT NOT NULL)",
                "INSERT INTO shop.total VALUES (1, 0)");
        Backend home = new Backend(0, server.address());
        home.prepare();
        LeaderLock leader = parts.add(LeaderLock.open(home));
        logger =
                new LoggerClient(
                        parts.add(
                                PersistenceLogger.start(
                                        new LoggerConfiguration(
                                                "logger",
                                                List.of(server.address()),
                                                8,
                                                1000,
                                                10_000,
                                                100),
                                        leader.begin("a:1"))));
        Topology first = Topology.vacant(0).begunBy(new Member("m", "h", 1, false));
        logger.ask(new LoggerRequest.ChangeTopology(first, List.of()));
        logger.ask(new LoggerRequest.OpenClass(SHOP, 1));
        assertThat(append(0, record(1, 1))).isEqualTo(new LoggerReply.Position(1));
        connection = home.connect();
        execute("SET foreign_key_checks = 0"); // as who takes a term
    }

    @AfterEach
    void end() throws Exception {
        connection.close();
        parts.close();
    }

    @Test
    void anAppendIsOneStatement() throws Exception {
        long before = statements();
        assertThat(append(0, record(2, 20))).isEqualTo(new LoggerReply.Position(2));
        assertThat(statements() - before).isEqualTo(1);
        assertThat(append(0, record(3, 1), record(4, 1), record(5, 1)))
                .isEqualTo(new LoggerReply.Position(5));
        assertThat(statements() - before).isEqualTo(2);
    }

    @Test
    void whatIsStableIsToldWithoutAStatement() throws Exception {
        assertThat(append(0, record(2, 20))).isEqualTo(new LoggerReply.Position(2));
        long before = statements();
        assertThat(append(0)).isEqualTo(new LoggerReply.Position(2));
        assertThat(append(0)).isEqualTo(new LoggerReply.Position(2));
        assertThat(statements() - before).isZero();
        assertThat(append(2)).isEqualTo(new LoggerReply.Position(2));
        logger.ask(new LoggerRequest.AwaitApplied(SHOP, 2));
        assertThat(server.query("SELECT amount FROM shop.total")).containsExactly("20");
    }

    @Test
    void whatIsAppendedTogetherIsAppliedInOrder() throws Exception {
        CommitRecord[] many =
                LongStream.rangeClosed(2, 90)
                        .mapToObj(n -> record(n, n))
                        .toArray(CommitRecord[]::new);
        assertThat(append(0, many)).isEqualTo(new LoggerReply.Position(90));
        logger.ask(new LoggerRequest.AwaitApplied(SHOP, 90));
        assertThat(server.query("SELECT amount FROM shop.total")).containsExactly("90");
    }

    @Test
    void bytesOfEveryKindAreLoggedAsTheyAre() throws Exception {
        byte[] bytes = {0, 39, 92, 63, -1, 26};
        String text = "'\\\"\u0000\n\r\u001a ? é \uD83D\uDE00";
        CommitRecord odd =
                Records.of(
                        2,
                        -7,
                        Records.insert(
                                "odd",
                                Map.of("id", SqlValue.of(text), "b", new BytesValue(bytes))));
        assertThat(append(0, odd, record(3, 3))).isEqualTo(new LoggerReply.Position(3));
        assertThat(logger.ask(new LoggerRequest.FindTransaction(SHOP, -7, 0)))
                .isEqualTo(new LoggerReply.Found(List.of(odd)));
        assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSizeGreaterThan(10);
    }

    @Test
    void anotherLoggersTermIsSeen() throws Exception {
        execute("UPDATE quire.logger_active SET term = term + 1");
        assertThat(append(0, record(2, 2))).isEqualTo(new LoggerReply.Standby());
        assertThat(append(0)).isEqualTo(new LoggerReply.Standby());
        assertThat(logged()).isEqualTo(1);
    }

    /// On its way or there already: a statement that read without locks would miss the first.
    @Test
    void aTermThatIsBeingTakenIsWaitedForAndSeen() throws Exception {
        connection.setAutoCommit(false);
        execute("UPDATE quire.logger_active SET term = term + 1");
        CompletableFuture<LoggerReply> answer =
                CompletableFuture.supplyAsync(() -> append(0, record(2, 2)));
        awaitLockWait();
        assertThat(answer).isNotDone();
        connection.commit();
        connection.setAutoCommit(true);
        assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo(new LoggerReply.Standby());
        assertThat(logged()).isEqualTo(1);
    }

    /// Asks seldom: the server answers as before while it is asked within 100 ms.
    private void awaitLockWait() throws Exception {
        String waiting =
                "SELECT COUNT(*) FROM information_schema.INNODB_TRX WHERE trx_state = 'LOCK WAIT'";
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (number(waiting, 1) == 0) {
            assertThat(System.nanoTime() - deadline).isNegative();
            Thread.sleep(150);
        }
    }

    /// The records of the term before are there still, and refer to it.
    @Test
    void aTermIsTakenFromWhoHasLogged() throws Exception {
        assertThat(append(0, record(2, 2))).isEqualTo(new LoggerReply.Position(2));
        try (LeaderLock other = LeaderLock.open(new Backend(0, server.address()))) {
            other.begin("b:1");
            assertThat(append(0, record(3, 3), record(4, 4))).isEqualTo(new LoggerReply.Standby());
            assertThat(logged()).isEqualTo(2);
        }
    }

    @Test
    void aServerThatChecksNoForeignKeysKeepsOthersOutAsWell() throws Exception {
        server.execute("SET GLOBAL foreign_key_checks = 0");
        try {
            Mark.endHolder(connection, Mark.LOG); // so that the log's connection is a new one
            assertThat(append(0, record(2, 2))).isEqualTo(new LoggerReply.Position(2));
            assertThat(append(0, record(3, 3))).isEqualTo(new LoggerReply.Position(3));
            execute("UPDATE quire.logger_active SET term = term + 1");
            assertThat(append(0, record(4, 4))).isEqualTo(new LoggerReply.Standby());
            assertThat(logged()).isEqualTo(3);
        } finally {
            server.execute("SET GLOBAL foreign_key_checks = 1");
        }
    }

    /// Who added the term may have ended after any step, and who was told to drop an older log has.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DO 0",
                "ALTER TABLE quire.commit_log DROP COLUMN term",
                "ALTER TABLE quire.commit_log DROP COLUMN term; ALTER TABLE quire.logger_active DROP KEY term",
                "DROP TABLE quire.commit_log; ALTER TABLE quire.logger_active DROP KEY term"
            })
    void theTablesOfAQuireThatLoggedNoTermAreGivenIt(String without) throws Exception {
        execute(
                "ALTER TABLE quire.commit_log DROP FOREIGN KEY "
                        + server.query(
                                        "SELECT CONSTRAINT_NAME FROM information_schema.REFERENTIAL_CONSTRAINTS"
                                                + " WHERE CONSTRAINT_SCHEMA = 'quire'")
                                .getFirst());
        for (String one : without.split("; ", -1)) {
            execute(one);
        }
        Backend home = new Backend(0, server.address());
        home.prepare();
        home.prepare();
        long before = logged();
        execute("UPDATE quire.logger_active SET term = term + 1");
        assertThat(append(0, record(2, 2))).isEqualTo(new LoggerReply.Standby());
        assertThat(logged()).isEqualTo(before);
    }

    @Test
    void anotherMastersTermIsSeen() throws Exception {
        assertThat(append(0, record(2, 2))).isEqualTo(new LoggerReply.Position(2));
        logger.ask(new LoggerRequest.OpenClass(SHOP, 9));
        assertThat(append(0, record(3, 3), record(4, 4))).isEqualTo(new LoggerReply.OldEpoch(9));
        assertThat(logged()).isEqualTo(2);
    }

    @Test
    void anotherTopologyIsReadBeforeItIsGoneBy() throws Exception {
        Topology next =
                Topology.vacant(0)
                        .begunBy(new Member("m", "h", 1, false))
                        .begunBy(new Member("n", "h", 2, false));
        logger.ask(new LoggerRequest.ChangeTopology(next, List.of()));
        assertThat(append(0, record(2, 2))).isEqualTo(new LoggerReply.OldEpoch(next.epoch()));
        assertThat(logged()).isEqualTo(1);
    }

    @Test
    void whatIsThereIsNotStoredTwice() throws Exception {
        assertThat(append(0, record(2, 2))).isEqualTo(new LoggerReply.Position(2));
        assertThat(append(0, record(2, 2))).isEqualTo(new LoggerReply.Position(2));
        assertThat(append(0, record(2, 2), record(3, 3))).isEqualTo(new LoggerReply.Position(3));
        execute(
                "INSERT INTO quire.commit_log SELECT class_name, 4, 0, epoch, 99, record, NULL FROM quire.commit_log WHERE commit_number = 3");
        assertThat(append(0, record(4, 4))).isInstanceOf(LoggerReply.Failed.class);
        assertThat(append(0, record(9, 9))).isInstanceOf(LoggerReply.Failed.class);
        assertThat(logged()).isEqualTo(4);
    }

    private LoggerReply append(long stable, CommitRecord... records) {
        return logger.ask(new LoggerRequest.Append(SHOP, 1, stable, List.of(records)));
    }

    private static CommitRecord record(long number, long amount) {
        return Records.total(number, 1000 + number, amount);
    }

    /// That the server has run, but for these questions.
    private long statements() throws SQLException {
        asked++;
        return number("SHOW GLOBAL STATUS LIKE 'Questions'", 2) - asked;
    }

    private long asked;

    private long logged() throws SQLException {
        return number("SELECT COUNT(*) FROM quire.commit_log", 1);
    }

    private long number(String sql, int column) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(column);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
