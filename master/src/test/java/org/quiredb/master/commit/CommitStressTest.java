package org.quiredb.master.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.Effects;
import org.quiredb.common.writeset.WriteSet;

/// Many clients commit while the log and two replicas take what comes in their own time: numbers
/// have no gaps, each is published once and in order, and nobody is told of a commit that the log
/// or a replica does not have.
final class CommitStressTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private static final CommitSettings SETTINGS = new CommitSettings(16, 10_000, 5, 1);
    private static final int CLIENTS = 8;
    private static final int COMMITS = 150;

    private final AtomicLong logged = new AtomicLong();
    private final AtomicBoolean inAppend = new AtomicBoolean();
    private final Map<String, AtomicLong> held =
            Map.of("s1", new AtomicLong(), "s2", new AtomicLong());
    private final Map<String, BlockingQueue<Long>> delivered =
            Map.of("s1", new ArrayBlockingQueue<>(10_000), "s2", new ArrayBlockingQueue<>(10_000));
    private final List<Long> published = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    @Timeout(60)
    void whatIsAcknowledgedIsInTheLogAndOnEveryReplica(long seed) throws Exception {
        Random pauses = new Random(seed);
        try (ClassCommits commits =
                        new ClassCommits(
                                CommitPath.begun(
                                        SHOP,
                                        1,
                                        0,
                                        Set.of("s1", "s2"),
                                        SETTINGS.batch(),
                                        SETTINGS.durability()),
                                SETTINGS,
                                log(new Random(pauses.nextLong())),
                                this::deliver);
                ExecutorService threads =
                        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            List<Future<Void>> replicas = new ArrayList<>();
            for (String name : held.keySet()) {
                Random random = new Random(pauses.nextLong());
                replicas.add(threads.submit(() -> acknowledge(commits, name, random)));
            }
            List<Callable<List<Long>>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(() -> client(commits));
            }
            List<Long> numbers = new ArrayList<>();
            try {
                for (Future<List<Long>> client : threads.invokeAll(clients)) {
                    numbers.addAll(client.get());
                }
            } finally {
                delivered.values().forEach(queue -> queue.add(Long.MAX_VALUE));
            }
            for (Future<Void> replica : replicas) {
                replica.get();
            }
            List<Long> all = LongStream.rangeClosed(1, CLIENTS * COMMITS).boxed().toList();
            assertThat(numbers).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(all);
            assertThat(published).as("seed %d", seed).isEqualTo(all);
        }
    }

    private List<Long> client(ClassCommits commits) {
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < COMMITS; i++) {
            long number = commits.commit(this::publish, 0);
            assertThat(logged.get()).as("logged").isGreaterThanOrEqualTo(number);
            held.forEach(
                    (name, last) -> assertThat(last.get()).as(name).isGreaterThanOrEqualTo(number));
            numbers.add(number);
        }
        return numbers;
    }

    /// Under the sequence's lock: the list needs none of its own.
    private WriteSet publish(long number) {
        published.add(number);
        return new WriteSet(SHOP, 1, number, number, List.of(), List.of(), List.of(), Effects.NONE);
    }

    private void deliver(byte[] message) {
        ((GroupMessage.WriteSets) GroupMessage.decode(message))
                .writeSets()
                .forEach(bytes -> {
                    long number = WriteSet.decode(bytes).commitNumber();
                    delivered.values().forEach(queue -> queue.add(number));
                });
    }

    private Void acknowledge(ClassCommits commits, String name, Random random)
            throws InterruptedException {
        AtomicLong last = held.getOrDefault(name, new AtomicLong());
        BlockingQueue<Long> queue = delivered.getOrDefault(name, new ArrayBlockingQueue<>(1));
        for (long number = queue.take(); number != Long.MAX_VALUE; number = queue.take()) {
            spin(random);
            assertThat(number).as("in order").isEqualTo(last.get() + 1);
            last.set(number);
            if (random.nextInt(4) == 0 || queue.isEmpty()) {
                commits.received(name, 1, number, 0);
            }
        }
        return null;
    }

    /// One that answers by another thread, or is to be waited for from the beginning or in the end,
    /// with or without what it was given before.
    private QueryLog log(Random random) {
        return new QueryLog() {
            @Override
            public boolean begin(
                    ConflictClass ofClass,
                    long epoch,
                    long stable,
                    List<CommitRecord> records,
                    Consumer<OptionalLong> ended) {
                int how = random.nextInt(8);
                if (how == 0) {
                    return false;
                }
                Thread.startVirtualThread(() -> {
                    long last = how == 1 ? 0 : append(ofClass, epoch, stable, records);
                    ended.accept(how > 2 ? OptionalLong.of(last) : OptionalLong.empty());
                });
                return true;
            }

            @Override
            public long append(
                    ConflictClass ofClass, long epoch, long stable, List<CommitRecord> records) {
                assertThat(inAppend.getAndSet(true)).as("another append is under way").isFalse();
                spin(random);
                records.forEach(record -> logged.set(record.commitNumber()));
                inAppend.set(false);
                return logged.get();
            }

            @Override
            public Finding find(ConflictClass ofClass, long transactionId, long after) {
                return new Finding.NotCommitted();
            }
        };
    }

    private static void spin(Random random) {
        for (int i = random.nextInt(2_000); i > 0; i--) {
            Thread.onSpinWait();
        }
    }
}
