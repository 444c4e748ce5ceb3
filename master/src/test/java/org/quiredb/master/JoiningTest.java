package org.quiredb.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.master.Await.await;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.quiredb.common.group.Group;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.replica.NodeConfiguration.Role;
import org.quiredb.replica.NodeConfiguration.Storage;

/// A replica joins while updates go on, from a support that sends slowly, and somebody dies in the
/// middle of it.
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
final class JoiningTest {
    /// Bytes per second: the tier's pages take more than three seconds.
    private static final long SLOW = 350_000;

    private static final int SOME_PAGES = 20;
    private static final int SOME_UPDATES = 5;

    @TempDir Path folder;

    private final BankTier tier = new BankTier();
    private final TierNode leader = tier.start("leader", Role.MASTER, Optional.empty(), 0);
    private final TierNode support = tier.start("support", Role.SLAVE, Optional.empty(), SLOW);
    private final AtomicInteger updates = new AtomicInteger();
    private final CompletableFuture<Void> load = new CompletableFuture<>();
    private volatile boolean over;

    @BeforeEach
    void load() {
        Thread.startVirtualThread(this::update);
    }

    @AfterEach
    void stop() {
        over = true;
        load.join();
        tier.close();
    }

    @Test
    void theSupportIsMasterOfNothingAndSendsNoFasterThanItMay() {
        double sentByLeader = leader.status().figure("pages.sent");
        long began = System.nanoTime();
        TierNode joiner = tier.start("joiner", Role.SLAVE, Optional.empty(), 0);
        double seconds = (System.nanoTime() - began) / 1e9;

        double bytes = support.status().figure("pages.sent.bytes");
        assertThat(bytes).isEqualTo(joiner.status().figure("pages.joined.bytes"));
        assertThat(bytes / seconds).isLessThan(1.1 * SLOW);
        assertThat(leader.status().figure("pages.sent")).isEqualTo(sentByLeader);
        requireComplete(joiner);
    }

    @Test
    void anotherSupportGoesOnWhereALostOneHasEnded() {
        double sentByLeader = leader.status().figure("pages.sent");
        CompletableFuture<TierNode> joining = join(Optional.empty());
        awaitSome();
        support.kill();
        TierNode joiner = joining.join();

        double pages = joiner.status().figure("pages");
        double joined = joiner.status().figure("pages.joined");
        double again = leader.status().figure("pages.sent") - sentByLeader;
        System.out.printf(
                "%.0f of %.0f pages received, %.0f of them from the second support%n",
                joined, pages, again);
        assertThat(joined).isEqualTo(pages);
        // of what the first one has sent, some may have been on its way
        assertThat(again).isPositive().isLessThan(pages);
        requireComplete(joiner);
    }

    @Test
    void whoJoinsBeginsAnewByItselfWhenTheLeaderIsLost() {
        CompletableFuture<TierNode> joining = join(Optional.empty());
        awaitSome();
        over = true;
        load.join();
        leader.kill();
        TierNode joiner = joining.join();

        assertThat(support.status().role()).isEqualTo("master");
        assertThat(joiner.status().role()).isEqualTo("slave");
        assertThat(tier.isComplete(joiner)).isTrue();
    }

    @Test
    void whoDiesWhileItJoinsIsMissedByNobodyAndJoinsTheNextTime() {
        Optional<Storage> storage = Optional.of(new Storage(folder, 512 << 10, 20));
        CompletableFuture<TierNode> joining = new CompletableFuture<>();
        Thread first =
                Thread.startVirtualThread(() -> {
                    try {
                        joining.complete(tier.start("joiner", Role.SLAVE, storage, 0));
                    } catch (RuntimeException e) {
                        joining.completeExceptionally(e);
                    }
                });
        awaitSome();
        first.interrupt();
        assertThat(joining).failsWithin(java.time.Duration.ofSeconds(20));
        int before = updates.get();
        await(() -> updates.get() > before + SOME_UPDATES);

        TierNode joiner = join(storage).join();
        requireComplete(joiner);
    }

    /// Commits would wait in vain for what it is never sent.
    @Test
    void whomTheMastersGroupHasLostIsNotTakenIn() {
        over = true;
        load.join();
        List<Group> lives = new CopyOnWriteArrayList<>();
        TierNode joiner =
                tier.start(
                        "joiner",
                        (groups, listener) -> {
                            Function<Group.Listener, Group> entrance =
                                    told -> groups.join("joiner", told);
                            lives.add(
                                    lives.isEmpty()
                                            ? new LostUnknowingly(
                                                    entrance, listener, this::awaitMissed)
                                            : entrance.apply(listener));
                            return lives.getLast();
                        });

        assertThat(lives).hasSize(2);
        assertThat(((LostUnknowingly) lives.getFirst()).isLost()).isTrue();
        assertThat(tier.isComplete(joiner)).isTrue();
    }

    private void awaitMissed() {
        await(() -> leader.status().figure("member.joiner") == 0);
    }

    /// What it acknowledges in that moment does not arrive, and nothing more is committed.
    @Test
    void whoseGroupLosesTheMasterForAMomentBeginsAnew() {
        over = true;
        load.join();
        List<Group> lives = new CopyOnWriteArrayList<>();
        TierNode joiner =
                tier.start(
                        "joiner",
                        (groups, listener) -> {
                            Group group = groups.join("joiner", listener);
                            lives.add(
                                    lives.isEmpty()
                                            ? new MomentAlone("joiner", group, listener)
                                            : group);
                            return lives.getLast();
                        });

        assertThat(lives).hasSize(2);
        assertThat(((MomentAlone) lives.getFirst()).isOver()).isTrue();
        assertThat(tier.isComplete(joiner)).isTrue();
    }

    /// Masters would wait for it in vain, again and again, and commits with them.
    @Test
    void whoseStreamHasAGapBeginsAnewBeforeMastersWaitForIt() {
        long before = leader.status().epoch();
        AtomicInteger lives = new AtomicInteger();
        TierNode joiner =
                tier.start(
                        "joiner",
                        (groups, listener) ->
                                groups.join(
                                        "joiner",
                                        lives.getAndIncrement() == 0
                                                ? new Gap(listener)
                                                : listener));

        assertThat(lives).hasValue(2);
        assertThat(leader.status().epoch()).isEqualTo(before + 1);
        requireComplete(joiner);
    }

    /// Loses one of the stream that is newer than anything that the support has sent.
    ///
    /// Threads: the group's, one at a time.
    private final class Gap implements Group.Listener {
        private final Group.Listener listener;
        private double atSupport;
        private boolean lost;

        Gap(Group.Listener listener) {
            this.listener = listener;
        }

        @Override
        public void received(String from, byte[] message) {
            if (lost || !isDue(GroupMessage.decode(message))) {
                listener.received(from, message);
            } else {
                lost = true;
            }
        }

        private boolean isDue(GroupMessage message) {
            if (atSupport == 0 && support.status().figure("pages.sent") > 0) {
                atSupport = support.status().figure("received.bank");
            }
            return atSupport > 0
                    && message instanceof GroupMessage.WriteSets(long _, List<byte[]> writeSets)
                    && WriteSet.decode(writeSets.getFirst()).commitNumber() > atSupport;
        }

        @Override
        public void membersChanged(List<String> members) {
            listener.membersChanged(members);
        }
    }

    private CompletableFuture<TierNode> join(Optional<Storage> storage) {
        return CompletableFuture.supplyAsync(
                () -> tier.start("joiner", Role.SLAVE, storage, 0), Thread::startVirtualThread);
    }

    private void awaitSome() {
        int before = updates.get();
        await(() -> support.status().figure("pages.sent") >= SOME_PAGES);
        await(() -> updates.get() > before + SOME_UPDATES);
    }

    private void requireComplete(TierNode joiner) {
        over = true;
        load.join();
        assertThat(tier.isComplete(joiner)).isTrue();
    }

    /// Over all pages, again and again.
    private void update() {
        try (RpcClient master = BankTier.connect(leader)) {
            for (int i = 0; !over; i++) {
                assertThat(tier.update(master, 1, (int) (i * 7919L % BankTier.KEYS))).isTrue();
                updates.incrementAndGet();
            }
            load.complete(null);
        } catch (RuntimeException | AssertionError e) {
            load.completeExceptionally(e);
        }
    }
}
