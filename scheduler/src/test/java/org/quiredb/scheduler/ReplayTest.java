package org.quiredb.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.replay.ReplayLimits;

/// A master that has lost a transaction, step by step: what the scheduler asks of it then, and what
/// the client sees.
@Tag("slow")
class ReplayTest {
    private static final ReplicaReply ONE_ROW = updated(1);
    private static final ReplicaReply TWO_ROWS = updated(2);
    private static final ReplicaReply DEADLOCK =
            new ReplicaReply.Failed(
                    ErrorCode.DEADLOCK.number(), ErrorCode.DEADLOCK.sqlState(), "dead", true, 0);
    private static final ReplicaReply NO_STABILITY =
            new ReplicaReply.Failed(
                    ErrorCode.TIER_UNAVAILABLE.number(),
                    ErrorCode.TIER_UNAVAILABLE.sqlState(),
                    "not stable in time",
                    false,
                    0);
    private static final ReplicaReply NOT_OPEN = new ReplicaReply.Refused(Reason.NOT_OPEN, 1, "");

    private final StandInReplica.Tier tier = new StandInReplica.Tier();
    private final StandInReplica master = new StandInReplica("m", "master", tier);
    private final StandInReplica slave = new StandInReplica("s", "slave", tier);
    private final StandInLogger logger = new StandInLogger();
    private final Scheduler scheduler = start();
    private Connection client;

    @BeforeEach
    void beginATransaction() throws Exception {
        TestServer.get().execute("CREATE DATABASE IF NOT EXISTS shop");
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (!scheduler.status().state().equals("serving")) {
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
            Thread.onSpinWait();
        }
        client =
                DriverManager.getConnection(
                        "jdbc:mysql://127.0.0.1:" + scheduler.port() + "/shop", "quire", "secret");
        client.setAutoCommit(false);
        assertThat(change("UPDATE item SET a = 1")).isEqualTo(1);
        assertThat(change("UPDATE item SET b = 2")).isEqualTo(1);
    }

    @AfterEach
    void stop() throws SQLException {
        client.close();
        scheduler.close();
        List.of(master, slave).forEach(StandInReplica::close);
        logger.close();
    }

    @Test
    void aStatementOfALostTransactionComesAfterThoseBeforeItInAnotherOne() throws SQLException {
        Set<Long> lost = lose();
        assertThat(change("UPDATE item SET c = 3")).isEqualTo(1);
        assertThat(updatesOtherThan(lost))
                .extracting(u -> u.call().sql())
                .containsExactly(
                        "UPDATE item SET a = ?", "UPDATE item SET b = ?", "UPDATE item SET c = ?");
        assertThat(updatesOtherThan(lost))
                .extracting(ReplicaRequest.Update::begins)
                .containsExactly(true, false, false);
        assertThat(updatesOtherThan(lost))
                .extracting(ReplicaRequest.Update::transactionId)
                .containsOnly(updatesOtherThan(lost).getFirst().transactionId());
        client.commit();
        counted(1, 0);
    }

    /// It was received, and may have its place in the order: another master knows nothing of it.
    @ParameterizedTest
    @ValueSource(strings = {"no stability", "not open"})
    void aCommitThatIsFoundRolledBackIsMadeAgain(String answer) throws SQLException {
        Set<Long> lost = lose();
        master.instead =
                request ->
                        switch (request) {
                            case ReplicaRequest.Commit commit
                                    when lost.contains(commit.transactionId()) ->
                                    Optional.of(
                                            answer.equals("not open") ? NOT_OPEN : NO_STABILITY);
                            case ReplicaRequest.Outcome outcome -> {
                                assertThat(lost).contains(outcome.transactionId());
                                yield Optional.of(new ReplicaReply.RolledBack());
                            }
                            default -> Optional.empty();
                        };
        client.commit();
        assertThat(updatesOtherThan(lost)).hasSize(2);
        assertThat(commits()).hasSize(2);
        assertThat(commits().getLast())
                .isEqualTo(updatesOtherThan(lost).getFirst().transactionId());
        assertThat(tier.vector().get(1)).as("commits").isEqualTo(1);
        counted(1, 0);
    }

    @Test
    void aCommitThatIsFoundCommittedIsNotMadeAgain() throws SQLException {
        master.instead =
                request ->
                        switch (request) {
                            case ReplicaRequest.Commit commit -> Optional.of(NO_STABILITY);
                            case ReplicaRequest.Outcome outcome ->
                                    Optional.of(new ReplicaReply.Committed(tier.commit(), 1));
                            default -> Optional.empty();
                        };
        client.commit();
        assertThat(commits()).hasSize(1);
        counted(0, 0);
    }

    @Test
    void aCommitThatTheLogHasForgottenIsNotMadeAgain() throws SQLException {
        master.instead =
                request ->
                        switch (request) {
                            case ReplicaRequest.Commit commit -> Optional.of(NO_STABILITY);
                            case ReplicaRequest.Outcome outcome ->
                                    Optional.of(new ReplicaReply.Forgotten());
                            default -> Optional.empty();
                        };
        assertThatThrownBy(() -> client.commit())
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1053))
                .hasMessageContaining("may or may not be committed");
        assertThat(commits()).hasSize(1);
        assertThat(updates()).hasSize(2);
        counted(0, 0);
    }

    @Test
    void whatARolledBackTransactionHasSeenIsInTheNextTag() throws SQLException {
        VersionVector seen = VersionVector.EMPTY.with(1, 7).with(2, 9);
        master.instead =
                request ->
                        request instanceof ReplicaRequest.Rollback
                                ? Optional.of(new ReplicaReply.RolledBack(seen))
                                : Optional.empty();
        client.rollback();
        assertThat(tagOfARead().covers(seen)).isTrue();
    }

    @Test
    void whatAnErrorHasToldIsInTheNextTagWhenItEndsTheTransaction() throws SQLException {
        VersionVector seen = VersionVector.EMPTY.with(1, 7).with(2, 9);
        master.instead =
                request ->
                        request instanceof ReplicaRequest.Update
                                ? Optional.of(((ReplicaReply.Failed) DEADLOCK).seeing(seen))
                                : Optional.empty();
        assertThatThrownBy(() -> change("UPDATE item SET c = 3")).isInstanceOf(SQLException.class);
        assertThat(tagOfARead().covers(seen)).isTrue();
    }

    private VersionVector tagOfARead() throws SQLException {
        client.setAutoCommit(true);
        try (Statement statement = client.createStatement()) {
            statement.executeQuery("SELECT a FROM item").close();
        }
        return Stream.of(master, slave)
                .flatMap(replica -> replica.requests.stream())
                .filter(ReplicaRequest.Read.class::isInstance)
                .map(request -> ((ReplicaRequest.Read) request).tag())
                .reduce((earlier, later) -> later)
                .orElseThrow();
    }

    @Test
    void whoseResultsComeOutOtherwiseIsToldAndItsReplayRolledBack() throws SQLException {
        Set<Long> lost = lose();
        AtomicInteger replayed = new AtomicInteger();
        answerOthersThan(lost, () -> replayed.incrementAndGet() == 2 ? TWO_ROWS : ONE_ROW);
        assertThatThrownBy(() -> change("UPDATE item SET c = 3"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1213))
                .hasMessageContaining("what it has read is otherwise now");
        assertThat(replayed).hasValue(2);
        assertThat(master.requests.getLast()).isInstanceOf(ReplicaRequest.Rollback.class);
        counted(0, 1);
    }

    /// Its results are not otherwise: another transaction went first.
    @Test
    void aReplayThatIsADeadlocksVictimIsRunOnceMore() throws SQLException {
        Set<Long> lost = lose();
        AtomicInteger replayed = new AtomicInteger();
        answerOthersThan(lost, () -> replayed.incrementAndGet() == 2 ? DEADLOCK : ONE_ROW);
        assertThat(change("UPDATE item SET c = 3")).isEqualTo(1);
        assertThat(replayed).as("two, two again, and the new one").hasValue(5);
        assertThat(updatesOtherThan(lost))
                .extracting(ReplicaRequest.Update::begins)
                .containsExactly(true, false, true, false, false);
        counted(1, 0);
    }

    @Test
    void whatIsLongerThanTheLimitIsNotReplayed() throws SQLException {
        for (int i = 3; i <= ReplayLimits.DEFAULT.statements() + 1; i++) {
            change("UPDATE item SET a = 0");
        }
        Set<Long> lost = lose();
        assertThatThrownBy(() -> change("UPDATE item SET c = 3"))
                .hasMessageContaining("too long to replay");
        assertThat(updatesOtherThan(lost)).isEmpty();
    }

    /// The master knows nothing any more of the transactions that it has been asked for.
    private Set<Long> lose() {
        Set<Long> lost = new HashSet<>();
        updates().forEach(update -> lost.add(update.transactionId()));
        master.instead = request -> refusal(request, lost);
        return lost;
    }

    private void answerOthersThan(Set<Long> lost, Supplier<ReplicaReply> answer) {
        master.instead =
                request ->
                        request instanceof ReplicaRequest.Update
                                ? refusal(request, lost).or(() -> Optional.of(answer.get()))
                                : Optional.empty();
    }

    private static Optional<ReplicaReply> refusal(ReplicaRequest request, Set<Long> lost) {
        return request instanceof ReplicaRequest.Update update
                        && lost.contains(update.transactionId())
                ? Optional.of(NOT_OPEN)
                : Optional.empty();
    }

    private List<ReplicaRequest.Update> updatesOtherThan(Set<Long> lost) {
        return updates().stream().filter(u -> !lost.contains(u.transactionId())).toList();
    }

    private List<ReplicaRequest.Update> updates() {
        return master.requests.stream()
                .filter(ReplicaRequest.Update.class::isInstance)
                .map(ReplicaRequest.Update.class::cast)
                .toList();
    }

    private List<Long> commits() {
        return master.requests.stream()
                .filter(ReplicaRequest.Commit.class::isInstance)
                .map(request -> ((ReplicaRequest.Commit) request).transactionId())
                .toList();
    }

    private void counted(int replays, int differed) {
        assertThat(scheduler.status().figure("replays")).isEqualTo(replays);
        assertThat(scheduler.status().figure("replays.differed")).isEqualTo(differed);
    }

    private int change(String sql) throws SQLException {
        try (Statement statement = client.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    private static ReplicaReply updated(int rows) {
        return new ReplicaReply.Updated(rows, 42, 0, "", VersionVector.EMPTY, 1);
    }

    private Scheduler start() {
        try {
            return OpenScheduler.start(
                    new SchedulerConfig(
                            "scheduler",
                            "127.0.0.1",
                            0,
                            0,
                            "quire",
                            "secret",
                            "11.4.5-MariaDB",
                            List.of(master.address(), slave.address()),
                            List.of(logger.address()),
                            List.of(TestServer.get().url()),
                            "quire",
                            "quire",
                            10,
                            4,
                            SchedulerConfig.DEFAULT_MAXIMUM_TAG,
                            ReplayLimits.DEFAULT));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
