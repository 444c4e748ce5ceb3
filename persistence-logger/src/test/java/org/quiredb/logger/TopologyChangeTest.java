package org.quiredb.logger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;

@Tag("slow")
class TopologyChangeTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private static final Topology FIRST =
            Topology.vacant(0)
                    .begunBy(member("m"))
                    .changed(Set.of(), List.of(member("a"), member("b")));
    private static final Topology SUCCEEDED = FIRST.takenOver(Set.of("m"), "a", Set.of("a", "b"));

    private PersistenceLogger logger;
    private LoggerClient client;

    @BeforeEach
    void startUnderAMaster() throws Exception {
        TestServer server = TestServer.get();
        server.reset();
        server.execute(
                "CREATE TABLE shop.total (id INT PRIMARY KEY, amount BIGINT NOT NULL)",
                "INSERT INTO shop.total VALUES (1, 0)");
        logger =
                PersistenceLogger.start(
                        new LoggerConfiguration(
                                "logger", List.of(server.address()), 8, 1000, 10_000, 100));
        client = new LoggerClient(logger);
        change(Topology.vacant(0).begunBy(member("m")));
        client.ask(new LoggerRequest.OpenClass(SHOP, 1));
        change(FIRST);
    }

    @AfterEach
    void close() {
        logger.close();
    }

    @Test
    void onlyTheNextEpochChangesTheTopologyAndWhoLosesLearnsWhoWon() {
        assertThat(change(SUCCEEDED)).isEqualTo(SUCCEEDED);
        assertThat(change(FIRST.takenOver(Set.of("m"), "b", Set.of("a", "b"))))
                .isEqualTo(SUCCEEDED);
        assertThat(change(SUCCEEDED)).as("asked again").isEqualTo(SUCCEEDED);
        assertThat(client.ask(new LoggerRequest.ReadTopology()))
                .isInstanceOfSatisfying(
                        LoggerReply.TopologyReply.class,
                        reply -> assertThat(reply.topology()).isEqualTo(SUCCEEDED));
    }

    @Test
    void aMasterOfAnOlderTermLogsNothingMore() {
        assertThat(append(1, 0, record(1)))
                .as("an epoch under the same master")
                .isEqualTo(new LoggerReply.Position(1));
        change(SUCCEEDED);
        assertThat(append(1, 0, record(2))).isEqualTo(new LoggerReply.OldEpoch(3));
        assertThat(append(3, 0, record(2))).isEqualTo(new LoggerReply.Position(2));
    }

    @Test
    void aClassThatIsHandedOnFencesItsFormerMasterAndNoOtherClass() {
        ConflictClass bank = new ConflictClass("bank");
        client.ask(new LoggerRequest.OpenClass(bank, 1));
        change(FIRST.handed(Set.of(bank), "a"));
        assertThat(client.ask(new LoggerRequest.Append(bank, 1, 0, List.of(record(1)))))
                .isEqualTo(new LoggerReply.OldEpoch(3));
        assertThat(client.ask(new LoggerRequest.Append(bank, 3, 0, List.of(record(1)))))
                .isEqualTo(new LoggerReply.Position(1));
        assertThat(append(1, 0, record(1))).isEqualTo(new LoggerReply.Position(1));
    }

    @Test
    void whatNoSurvivorHasIsCutOffAndItsTransactionIsNotFound() {
        append(1, 1, record(1), record(2), record(3));
        LoggerReply reply =
                client.ask(
                        new LoggerRequest.ChangeTopology(
                                SUCCEEDED, List.of(new ClassPosition(SHOP, 2))));

        assertThat(reply)
                .isEqualTo(
                        new LoggerReply.TopologyReply(
                                SUCCEEDED, List.of(new ClassPosition(SHOP, 2))));
        assertThat(found(3)).isEmpty();
        assertThat(found(2)).containsExactly(record(2));
        CommitRecord other = new CommitRecord(3, 99, record(3).logged());
        assertThat(append(3, 3, other)).isEqualTo(new LoggerReply.Position(3));
        assertThat(client.ask(new LoggerRequest.AwaitApplied(SHOP, 3)))
                .isEqualTo(new LoggerReply.Position(3));
    }

    /// As one of a database that had a class of its own before the tier was begun anew.
    @Test
    void aClassThatWasLeftBeforeIsNobodysAndOneThatALostLeaderHasBegunIsTheHeirs() {
        ConflictClass begun = new ConflictClass("begun");
        append(1, 1, record(1), record(2));
        change(Topology.vacant(2).begunBy(member("m")));
        change(Topology.vacant(2).begunBy(member("m")).changed(Set.of(), List.of(member("a"))));
        for (ConflictClass one : List.of(ConflictClass.DEFAULT, begun)) {
            client.ask(new LoggerRequest.OpenClass(one, 3));
            client.ask(new LoggerRequest.Append(one, 3, 0, List.of(record(1))));
        }
        Topology heir =
                Topology.vacant(2)
                        .begunBy(member("m"))
                        .changed(Set.of(), List.of(member("a")))
                        .takenOver(Set.of("m"), "a", Set.of("a"));
        List<ClassPosition> held = List.of(new ClassPosition(ConflictClass.DEFAULT, 1));
        LoggerReply reply = client.ask(new LoggerRequest.ChangeTopology(heir, held));
        assertThat(reply)
                .isEqualTo(
                        new LoggerReply.TopologyReply(
                                heir, List.of(new ClassPosition(begun, 1), held.getFirst())));
        assertThat(client.ask(new LoggerRequest.ChangeTopology(heir, held)))
                .as("asked again")
                .isEqualTo(reply);
    }

    @Test
    void anHeirThatIsBehindTheBackendIsRefused() {
        append(1, 2, record(1), record(2));
        client.ask(new LoggerRequest.AwaitApplied(SHOP, 2));
        assertThat(
                        client.ask(
                                new LoggerRequest.ChangeTopology(
                                        SUCCEEDED, List.of(new ClassPosition(SHOP, 1)))))
                .isInstanceOf(LoggerReply.Failed.class);
        assertThat(append(1, 2, record(3))).isEqualTo(new LoggerReply.Position(3));
    }

    @Test
    void aTransactionThatMayHaveBeenForgottenIsNotSaidToBeUncommitted() throws Exception {
        append(1, 0, record(1), record(2), record(3));
        assertThat(find(9, 0)).isEqualTo(new LoggerReply.Found(List.of()));
        TestServer.get().execute("DELETE FROM quire.commit_log WHERE commit_number <= 2");
        assertThat(find(2, 1)).isEqualTo(new LoggerReply.Forgotten());
        assertThat(find(9, 1)).isEqualTo(new LoggerReply.Forgotten());
        assertThat(find(9, 2))
                .as("begun when what is gone was stable")
                .isEqualTo(new LoggerReply.Found(List.of()));
        assertThat(find(3, 0)).isEqualTo(new LoggerReply.Found(List.of(record(3))));
    }

    @Test
    void ofALogThatHasNothingLeftWhatIsAppliedIsForgotten() throws Exception {
        append(1, 2, record(1), record(2));
        client.ask(new LoggerRequest.AwaitApplied(SHOP, 2));
        TestServer.get().execute("DELETE FROM quire.commit_log");
        assertThat(find(9, 1)).isEqualTo(new LoggerReply.Forgotten());
        assertThat(find(9, 2)).isEqualTo(new LoggerReply.Found(List.of()));
    }

    private LoggerReply find(long transactionId, long after) {
        return client.ask(new LoggerRequest.FindTransaction(SHOP, transactionId, after));
    }

    private Topology change(Topology next) {
        return ((LoggerReply.TopologyReply)
                        client.ask(new LoggerRequest.ChangeTopology(next, List.of())))
                .topology();
    }

    private LoggerReply append(long epoch, long stable, CommitRecord... records) {
        return client.ask(new LoggerRequest.Append(SHOP, epoch, stable, List.of(records)));
    }

    private List<CommitRecord> found(long transactionId) {
        return ((LoggerReply.Found)
                        client.ask(new LoggerRequest.FindTransaction(SHOP, transactionId, 0)))
                .records();
    }

    private static CommitRecord record(long number) {
        return Records.total(number, number, number);
    }

    private static Member member(String name) {
        return new Member(name, "127.0.0.1", 1, false);
    }
}
