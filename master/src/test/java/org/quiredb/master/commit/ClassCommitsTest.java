package org.quiredb.master.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.quiredb.master.Await.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.Effects;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.PageStore;

final class ClassCommitsTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private static final CommitSettings SETTINGS = new CommitSettings(64, 5_000, 16, 1);

    private static final long WAIT_MILLIS = 20_000;

    private final List<Long> logged = new CopyOnWriteArrayList<>();
    private final List<Long> stableTold = new CopyOnWriteArrayList<>();
    private final List<Long> multicast = new CopyOnWriteArrayList<>();
    private final Semaphore disk = new Semaphore(1_000_000);
    private final AtomicBoolean unable = new AtomicBoolean();
    private final AtomicInteger told = new AtomicInteger();
    private final ClassCommits commits = open(SETTINGS);

    private ClassCommits open(CommitSettings settings) {
        return open(settings, this::multicast);
    }

    private ClassCommits open(CommitSettings settings, Consumer<byte[]> group) {
        return new ClassCommits(
                CommitPath.begun(SHOP, 1, 0, Set.of(), settings.batch(), settings.durability()),
                settings,
                queryLog(),
                group);
    }

    private long append(long stable, List<CommitRecord> records) {
        records.forEach(record -> logged.add(record.commitNumber()));
        stableTold.add(stable);
        disk.acquireUninterruptibly();
        return logged.getLast();
    }

    private QueryLog queryLog() {
        return new QueryLog() {
            @Override
            public long append(
                    ConflictClass ofClass, long epoch, long stable, List<CommitRecord> records) {
                return ClassCommitsTest.this.append(stable, records);
            }

            @Override
            public boolean begin(
                    ConflictClass ofClass,
                    long epoch,
                    long stable,
                    List<CommitRecord> records,
                    Consumer<OptionalLong> ended) {
                if (unable.getAndSet(false)) {
                    throw new OutOfMemoryError("an append");
                }
                Thread.startVirtualThread(() -> {
                    ended.accept(OptionalLong.of(ClassCommitsTest.this.append(stable, records)));
                    told.incrementAndGet();
                });
                return true;
            }

            @Override
            public Finding find(ConflictClass ofClass, long transactionId, long after) {
                return new Finding.NotCommitted();
            }
        };
    }

    private void multicast(byte[] message) {
        GroupMessage.WriteSets writeSets = (GroupMessage.WriteSets) GroupMessage.decode(message);
        writeSets
                .writeSets()
                .forEach(bytes -> multicast.add(WriteSet.decode(bytes).commitNumber()));
    }

    private static WriteSet writeSet(long number) {
        return new WriteSet(SHOP, 1, number, number, List.of(), List.of(), List.of(), Effects.NONE);
    }

    @AfterEach
    void close() {
        commits.close();
    }

    /// A scheduler asks its next master what became of the commit then, instead of telling its
    /// client of a failure.
    @Test
    void whatAClassThatHasGoneElsewhereCommitsIsAskedForThere() {
        try (Commits none =
                new Commits(
                        new PageStore(),
                        new Progress(ClassPatterns.NONE),
                        queryLog(),
                        message -> {},
                        writeSet -> {},
                        SETTINGS,
                        "here")) {
            assertThatThrownBy(() -> none.stableAt(SHOP, 1))
                    .isInstanceOfSatisfying(
                            QuireException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.TIER_UNAVAILABLE));
        }
    }

    @Test
    void concurrentCommitsAreLoggedAndMulticastOnceEachInOrder() throws InterruptedException {
        List<Thread> clients = new ArrayList<>();
        for (int client = 0; client < 8; client++) {
            clients.add(
                    Thread.startVirtualThread(() -> {
                        for (int i = 0; i < 200; i++) {
                            long number = commits.commit(ClassCommitsTest::writeSet, 0);
                            assertThat(commits.stable()).isGreaterThanOrEqualTo(number);
                        }
                    }));
        }
        for (Thread client : clients) {
            client.join();
        }
        assertThat(logged).hasSize(1600).isSorted().doesNotHaveDuplicates();
        await(() -> multicast.size() == 1600);
        assertThat(multicast).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aCommitWaitsForTheInSyncReplica() throws InterruptedException {
        commits.change(path -> path.waitFor("slave"));
        Thread client =
                Thread.startVirtualThread(() -> commits.commit(ClassCommitsTest::writeSet, 0));
        await(() -> logged.contains(1L));
        assertThat(commits.stable()).isZero();
        assertThat(client.isAlive()).isTrue();
        commits.received("slave", 1, 1, 0);
        client.join();
        assertThat(commits.stable()).isEqualTo(1);
    }

    @Test
    void partsOfATableGoAheadAsFarAsTheReplicasFollow() throws InterruptedException {
        AtomicInteger sent = new AtomicInteger();
        try (ClassCommits ahead =
                open(
                        SETTINGS,
                        message -> {
                            if (GroupMessage.decode(message) instanceof GroupMessage.Part) {
                                sent.incrementAndGet();
                            }
                        })) {
            ahead.change(path -> path.waitFor("slave"));
            Thread load =
                    Thread.startVirtualThread(() -> {
                        for (int part = 0; part < 20; part++) {
                            ahead.sendPart(1, List.of());
                        }
                        ahead.awaitParts();
                    });
            await(() -> sent.get() == 8);
            ahead.received("slave", 1, 0, 5);
            await(() -> sent.get() == 13);
            ahead.received("slave", 1, 0, 19);
            await(() -> sent.get() == 20);
            assertThat(load.isAlive()).isTrue();
            assertThat(ahead.<Integer>ask(path -> path.sequence().partsMissing())).isEqualTo(1);
            ahead.received("slave", 1, 0, 20);
            load.join();
        }
    }

    @Test
    void partsWaitForNobodyWhoIsPutOut() throws InterruptedException {
        try (ClassCommits ahead = open(SETTINGS, message -> {})) {
            ahead.change(path -> path.waitFor("slave"));
            ahead.sendPart(1, List.of());
            Thread load = Thread.startVirtualThread(ahead::awaitParts);
            ahead.change(path -> path.changed(2, Set.of()));
            load.join();
        }
    }

    @Test
    void partsEndWithTheClass() throws InterruptedException {
        AtomicReference<RuntimeException> failed = new AtomicReference<>();
        try (ClassCommits ahead = open(SETTINGS, message -> {})) {
            ahead.change(path -> path.waitFor("slave"));
            ahead.sendPart(1, List.of());
            Thread load =
                    Thread.startVirtualThread(() -> {
                        try {
                            ahead.awaitParts();
                        } catch (RuntimeException e) {
                            failed.set(e);
                        }
                    });
            ahead.refuse();
            load.join();
        }
        assertThat(failed.get()).isInstanceOf(QuireException.class);
    }

    @Test
    void whereReplicasAreEnoughCommitsGoOnWithoutTheLogUntilItIsTooFarBehind() throws Exception {
        disk.drainPermits();
        CommitSettings few = new CommitSettings(4, 300, 16, 1).with(Durability.REPLICATED);
        try (ClassCommits ahead = open(few)) {
            ahead.change(path -> path.waitFor("slave"));
            ahead.received("slave", 1, 0, 0);
            for (long number = 1; number <= 4; number++) {
                assertThat(replicated(ahead)).isEqualTo(number);
            }
            assertThatThrownBy(() -> replicated(ahead))
                    .isInstanceOf(QuireException.class)
                    .hasMessageContaining("logged");
            disk.release(1_000_000);
            assertThat(replicated(ahead)).isEqualTo(5);
            ahead.awaitAllSettled();
            assertThat(logged).containsExactly(1L, 2L, 3L, 4L, 5L);
        }
    }

    @Test
    void whatWasAcknowledgedIsLoggedBeforeAMasterEnds() throws Exception {
        disk.drainPermits();
        try (ClassCommits ahead = open(SETTINGS.with(Durability.REPLICATED))) {
            ahead.change(path -> path.waitFor("slave"));
            replicated(ahead);
            replicated(ahead);
            Thread ending = Thread.startVirtualThread(ahead::retire);
            await(() -> logged.contains(1L));
            assertThat(ending.isAlive()).isTrue();
            disk.release(1_000_000);
            ending.join();
            assertThat(logged).containsExactly(1L, 2L);
            assertThatThrownBy(() -> replicated(ahead)).isInstanceOf(QuireException.class);
        }
    }

    /// A commit that the slave acknowledges as soon as it is multicast.
    private long replicated(ClassCommits ahead) throws Exception {
        CompletableFuture<Long> done = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                done.complete(ahead.commit(ClassCommitsTest::writeSet, 0));
            } catch (QuireException e) {
                done.completeExceptionally(e);
            }
        });
        while (!done.isDone()) {
            ahead.received("slave", 1, ahead.assigned(), 0);
            LockSupport.parkNanos(1_000_000);
        }
        try {
            return done.get();
        } catch (ExecutionException e) {
            throw (Exception) e.getCause();
        }
    }

    @Test
    void aReplicaThatLeavesTheGroupLetsCommitsGoOn() throws InterruptedException {
        commits.change(path -> path.waitFor("slave"));
        Thread client =
                Thread.startVirtualThread(() -> commits.commit(ClassCommitsTest::writeSet, 0));
        await(() -> logged.contains(1L));
        commits.change(path -> path.changed(2, Set.of()));
        client.join();
        assertThat(commits.<Set<String>>ask(path -> path.sequence().inSync())).isEmpty();
    }

    @Test
    void whatGathersDuringAnAppendGoesOutInOne() throws InterruptedException {
        disk.drainPermits();
        List<Thread> clients = new ArrayList<>();
        for (int client = 0; client < 10; client++) {
            clients.add(
                    Thread.startVirtualThread(() -> commits.commit(ClassCommitsTest::writeSet, 0)));
        }
        await(() -> commits.assigned() == 10);
        disk.release(1_000);
        for (Thread client : clients) {
            client.join();
        }
        assertThat(logged).hasSize(10);
    }

    @Test
    void whatGathersDuringAnAppendIsMulticastWithTheNextOne() throws InterruptedException {
        disk.drainPermits();
        List<Thread> clients = new ArrayList<>();
        for (long number = 1; number <= 3; number++) {
            long next = number;
            clients.add(
                    Thread.startVirtualThread(() -> commits.commit(ClassCommitsTest::writeSet, 0)));
            await(() -> commits.assigned() == next);
        }
        await(() -> multicast.size() == 1);
        disk.release();
        await(() -> multicast.size() == 3);
        assertThat(commits.stable()).isEqualTo(1);
        disk.release(1_000);
        for (Thread client : clients) {
            client.join();
        }
        assertThat(multicast).containsExactly(1L, 2L, 3L);
    }

    @Test
    void whereReplicasAreEnoughNothingWaitsForAnAppendToBeMulticast() throws Exception {
        disk.drainPermits();
        try (ClassCommits ahead = open(SETTINGS.with(Durability.REPLICATED))) {
            ahead.change(path -> path.waitFor("slave"));
            replicated(ahead);
            replicated(ahead);
            assertThat(multicast).containsExactly(1L, 2L);
            disk.release(1_000);
        }
    }

    @Test
    void whoBringsAnAnswerDoesNotWaitForACommitThatIsBeingPublished() throws Exception {
        disk.drainPermits();
        Thread first =
                Thread.startVirtualThread(() -> commits.commit(ClassCommitsTest::writeSet, 0));
        await(() -> logged.size() == 1);
        CountDownLatch publishing = new CountDownLatch(1);
        CountDownLatch published = new CountDownLatch(1);
        Thread large =
                Thread.startVirtualThread(() ->
                        commits.commit(
                                number -> {
                                    publishing.countDown();
                                    awaitUninterruptibly(published);
                                    return writeSet(number);
                                },
                                0));
        publishing.await();
        disk.release(1_000);
        await(() -> told.get() == 1);
        published.countDown();
        first.join();
        large.join();
        assertThat(commits.stable()).isEqualTo(2);
    }

    /// Each is in every replica's memory several times until it is settled.
    @Test
    void aLargeCommitIsUnderWayAloneAndSmallOnesWaitForIt() throws Exception {
        disk.drainPermits();
        CommitSettings narrow = new CommitSettings(64, 4096, 5_000, 16, 1, Durability.LOGGED);
        try (ClassCommits few = open(narrow)) {
            Thread large =
                    Thread.startVirtualThread(
                            () -> few.commit(ClassCommitsTest::writeSet, 1 << 20));
            await(() -> few.assigned() == 1);
            Thread small =
                    Thread.startVirtualThread(() -> few.commit(ClassCommitsTest::writeSet, 2048));
            Thread smaller =
                    Thread.startVirtualThread(() -> few.commit(ClassCommitsTest::writeSet, 100));
            await(() -> few.assigned() == 2); // the one that takes no room
            disk.release(1_000_000);
            large.join();
            small.join();
            smaller.join();
            assertThat(few.stable()).isEqualTo(3);
        }
    }

    @Test
    void whatCannotBeBegunIsAppendedByTheThreadOfAppends() {
        unable.set(true);
        assertThat(commits.commit(ClassCommitsTest::writeSet, 0)).isEqualTo(1);
        assertThat(commits.commit(ClassCommitsTest::writeSet, 0)).isEqualTo(2);
    }

    @Test
    void theLogIsToldOfTheLastStableCommitWithoutANewOne() {
        commits.commit(ClassCommitsTest::writeSet, 0);
        await(() -> stableTold.contains(1L));
    }

    @Test
    void aCommitThatDoesNotBecomeStableIsAnsweredAfterItsWait() {
        ClassCommits impatient = open(new CommitSettings(1, 20, 16, 1));
        impatient.change(path -> path.waitFor("slave"));
        assertThatThrownBy(() -> impatient.commit(ClassCommitsTest::writeSet, 0))
                .isInstanceOf(QuireException.class)
                .hasMessageContaining("in sync [slave]");
        assertThatThrownBy(() -> impatient.commit(ClassCommitsTest::writeSet, 0))
                .hasMessageContaining("too many commits");
        impatient.close();
    }

    @Test
    void oneThatEntersIsWaitedForUntilItHoldsTheCommit() throws InterruptedException {
        Thread client = entering();
        commits.received("slave", 1, 1, 0);
        client.join();
        commits.awaitHeldBy("slave", 1, WAIT_MILLIS);
        assertThat(commits.<Boolean>ask(path -> path.heldBy("slave", 1))).isTrue();
    }

    /// A topology takes it out, the class goes to another master, or the master ends.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void oneThatEntersIsNotWaitedForInVain(int way) throws InterruptedException {
        Thread client = entering();
        Thread asks = Thread.startVirtualThread(() -> commits.awaitHeldBy("slave", 1, WAIT_MILLIS));
        switch (way) {
            case 0 -> commits.change(path -> path.changed(2, Set.of()));
            case 1 -> commits.close();
            default -> commits.refuse();
        }
        assertThat(asks.join(Duration.ofMillis(WAIT_MILLIS / 2))).isTrue();
        commits.close();
        client.join();
    }

    private Thread entering() {
        commits.change(path -> path.waitFor("slave"));
        Thread client =
                Thread.startVirtualThread(() -> {
                    try {
                        commits.commit(ClassCommitsTest::writeSet, 0);
                    } catch (QuireException e) {
                        assertThat(e).hasMessageContaining("stopped");
                    }
                });
        await(() -> logged.contains(1L));
        return client;
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
