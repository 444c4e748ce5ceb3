package org.quiredb.replica.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.rpc.RpcReply;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.trust.Trust;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.VersionSettings;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.sql.SqlEngine;
import org.quiredb.replica.transfer.TransferSource;
import org.quiredb.replica.warm.PageHints;
import org.quiredb.replica.warm.Warmup;

final class ReplicaServiceTest {
    private static final long WAIT_MILLIS = 60_000;
    private static final RpcPeer SCHEDULER = new RpcPeer(1, "scheduler");

    private final PageStore store = new PageStore();
    private final SqlEngine engine = new SqlEngine(store);
    private final Progress progress = new Progress(ClassPatterns.NONE);
    private final Warmup cold = new Warmup(Warmup.Kind.COLD, 1, 100);
    private final PageHints hints =
            new PageHints("self", Trust.loopback(), cold, store, progress::topology);
    private final ReplicaService service =
            new ReplicaService(
                    new ReplicaService.Identity(
                            "self", () -> "slave", WAIT_MILLIS, VersionSettings.DEFAULT, cold),
                    store,
                    engine,
                    progress,
                    new TransferSource(store, engine, progress, 0),
                    hints,
                    Optional::empty,
                    List::of);

    @AfterEach
    void close() {
        hints.close();
        engine.close();
    }

    /// Nothing comes any more; another replica answers it.
    @Test
    void aReadThatWaitsIsRefusedAsSoonAsTheReplicaEnds() throws InterruptedException {
        Topology began = Topology.vacant(0).begunBy(new Member("self", "self", 1, false));
        progress.beginAt(List.of(new ClassPosition(new ConflictClass("shop"), 5)), 1, 1);
        progress.enter(began);
        progress.enter(Progress.State.SERVING);
        CompletableFuture<ReplicaReply> answer = new CompletableFuture<>();
        Thread read = Thread.startVirtualThread(() -> read(began.epoch(), answer));
        while (read.getState() != Thread.State.TIMED_WAITING) {
            assertThat(answer).isNotDone();
            Thread.onSpinWait();
        }
        progress.stop("its stream has a gap");
        assertThat(answer)
                .succeedsWithin(Duration.ofMillis(WAIT_MILLIS / 2))
                .isInstanceOfSatisfying(
                        ReplicaReply.Refused.class,
                        refused ->
                                assertThat(refused.reason())
                                        .isEqualTo(ReplicaReply.Reason.NOT_SERVING));
        read.join();
    }

    private void read(long epoch, CompletableFuture<ReplicaReply> answer) {
        VersionVector yetToCome = VersionVector.EMPTY.with(1, 6);
        StatementCall call = new StatementCall("shop", "SELECT 1", List.of(), false, 2, false);
        service.handle(
                SCHEDULER,
                new ReplicaRequest.Read(epoch, yetToCome, VersionVector.EMPTY, call).encode(),
                new RpcReply() {
                    @Override
                    public void part(byte[] bytes) {}

                    @Override
                    public void end(byte[] message) {
                        answer.complete(ReplicaReply.decode(message));
                    }
                });
    }
}
