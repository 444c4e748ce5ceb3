package org.quiredb.master.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.master.lock.LockTable.Outcome.DEADLOCK;
import static org.quiredb.master.lock.LockTable.Outcome.GRANTED;
import static org.quiredb.master.lock.LockTable.Outcome.WAITS;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.master.lock.LockTable.Outcome;
import org.quiredb.replica.tree.KeyRange;
import org.quiredb.replica.tree.KeySpace;
import org.quiredb.replica.tree.LockMode;

/// Any schedule: granted ranges never conflict but those of a guest and its host, nobody waits for
/// ever, and in the end nothing is left. A host does nothing while its guest waits.
final class LockTableRandomWalkTest {
    private static final int TRANSACTIONS = 6;

    private record Range(KeySpace space, KeyRange range, LockMode mode) {
        boolean conflictsWith(Range other) {
            return space.equals(other.space)
                    && mode.conflictsWith(other.mode)
                    && range.overlaps(other.range);
        }
    }

    private final LockTable table = new LockTable(5);
    private final Map<Long, List<Range>> granted = new HashMap<>();
    private final Map<Long, Range> waiting = new HashMap<>();
    private final Map<Long, Long> hosts = new HashMap<>();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void neverGrantsConflictingRangesNorLeavesADeadlock(int seed) {
        Random random = new Random(seed);
        for (int step = 0; step < 5_000; step++) {
            long transaction = random.nextInt(TRANSACTIONS);
            if (table.waits(transaction)) {
                if (random.nextInt(50) == 0) {
                    waiting.remove(transaction);
                    woken(table.giveUp(transaction));
                }
            } else if (isHeldUp(transaction)) {
                continue;
            } else if (random.nextInt(6) == 0) {
                end(transaction);
            } else if (random.nextInt(5) == 0 && !granted.containsKey(transaction)) {
                becomeGuest(transaction, random.nextInt(TRANSACTIONS));
            } else {
                ask(transaction, random);
            }
            assertNoConflict(seed, step);
            assertThat(LongStream.range(0, TRANSACTIONS).anyMatch(t -> goesOn(t)))
                    .as("seed %d step %d: someone can go on", seed, step)
                    .isTrue();
        }
        finishAll(seed);
    }

    /// Not of one that is a guest or waits itself.
    private void becomeGuest(long transaction, long host) {
        boolean free =
                !hosts.containsKey(transaction)
                        && !hosts.containsValue(transaction)
                        && !hosts.containsKey(host)
                        && !table.waits(host);
        if (host != transaction && free) {
            hosts.put(transaction, host);
            table.guestOf(host, transaction);
        }
    }

    private boolean isHeldUp(long host) {
        return hosts.entrySet().stream()
                .anyMatch(guest -> guest.getValue() == host && table.waits(guest.getKey()));
    }

    private boolean goesOn(long transaction) {
        return !table.waits(transaction) && !isHeldUp(transaction);
    }

    private void ask(long transaction, Random random) {
        Range range =
                new Range(
                        new KeySpace(1, random.nextInt(2)),
                        range(random),
                        LockMode.values()[random.nextInt(3)]);
        if (random.nextInt(4) == 0) {
            table.lostBefore(transaction, random.nextInt(3));
        }
        LockTable.Answer answer = table.request(transaction, range.space, range.range, range.mode);
        Outcome outcome = answer.outcome();
        for (long victim : answer.victims()) {
            assertThat(waiting.remove(victim)).as("only who waits can be refused").isNotNull();
            assertThat(table.waits(victim)).isFalse();
        }
        woken(answer.granted());
        if (outcome == GRANTED) {
            granted.computeIfAbsent(transaction, t -> new ArrayList<>()).add(range);
        } else if (outcome == WAITS) {
            waiting.put(transaction, range);
        } else {
            assertThat(outcome).isEqualTo(DEADLOCK);
            end(transaction);
        }
        answer.victims().forEach(this::end);
    }

    private static KeyRange range(Random random) {
        byte[] first = key(random);
        return switch (random.nextInt(8)) {
            case 0 -> KeyRange.between(first, random.nextBoolean(), null, true);
            case 1 -> KeyRange.between(null, true, first, random.nextBoolean());
            case 2 -> {
                KeyRange between = KeyRange.between(first, true, key(random), true);
                yield between.isEmpty() ? KeyRange.ALL : between;
            }
            default -> KeyRange.prefix(first);
        };
    }

    private static byte[] key(Random random) {
        byte[] key = new byte[1 + random.nextInt(3)];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (random.nextInt(3) - 1);
        }
        return key;
    }

    private void end(long transaction) {
        granted.remove(transaction);
        hosts.remove(transaction);
        List.copyOf(hosts.entrySet()).stream()
                .filter(guest -> guest.getValue() == transaction)
                .forEach(guest -> {
                    waiting.remove(guest.getKey());
                    end(guest.getKey());
                });
        woken(table.releaseAll(transaction));
    }

    private void woken(List<Long> transactions) {
        for (long transaction : transactions) {
            Range range = waiting.remove(transaction);
            assertThat(range).isNotNull();
            granted.computeIfAbsent(transaction, t -> new ArrayList<>()).add(range);
        }
    }

    private void assertNoConflict(int seed, int step) {
        granted.forEach((one, ranges) ->
                granted.forEach((other, others) -> {
                    boolean related =
                            hosts.getOrDefault(one, one).equals(other)
                                    || hosts.getOrDefault(other, other).equals(one);
                    if (one < other && !related) {
                        for (Range range : ranges) {
                            assertThat(others)
                                    .as("seed %d step %d: %d and %d", seed, step, one, other)
                                    .noneMatch(range::conflictsWith);
                        }
                    }
                }));
        granted.forEach((transaction, ranges) -> {
            Range last = ranges.getLast();
            assertThat(table.holds(transaction, last.space, last.range, last.mode)).isTrue();
        });
    }

    /// Ends only transactions that do not wait: with a deadlock left or a waiting one forgotten,
    /// this would not come to an end.
    private void finishAll(int seed) {
        List<Long> open = new ArrayList<>(LongStream.range(0, TRANSACTIONS).boxed().toList());
        while (!open.isEmpty()) {
            List<Long> running = open.stream().filter(this::goesOn).toList();
            assertThat(running).as("seed %d: a deadlock was not found", seed).isNotEmpty();
            running.forEach(this::end);
            open.removeAll(running);
        }
        assertThat(table.size()).isZero();
    }
}
