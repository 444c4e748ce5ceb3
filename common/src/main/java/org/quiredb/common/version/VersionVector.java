package org.quiredb.common.version;

import java.util.Arrays;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.function.LongBinaryOperator;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// One commit number per table id: the last stable update of each table, or a tag.
///
/// A table that the vector does not name has commit number 0, the state before its first update.
/// One that was dropped has the greatest number there is from then on, in every vector that covers
/// its end: it has no later state, and whoever waits for that number waits until it is gone. Ids
/// are never used again, so that a tier that lives long has dropped far more tables than it has.
/// Neighbours of one number are therefore held, compared and sent as one run, and what a vector
/// costs hangs on the tables that there are.
///
/// Source: Dynamic Multiversioning, section 2.1 (`DBVersion`). Immutable.
public final class VersionVector {
    /// The number of a table that was dropped.
    public static final long DROPPED = Long.MAX_VALUE;

    public static final VersionVector EMPTY = new VersionVector(new int[0], new long[0]);

    private static final int MAXIMUM_RUNS = 1 << 18;

    /// Shorter ones are shown number by number.
    private static final int SHORT_RUN = 3;

    /// Where each run ends, ascending: one more than the greatest id in it. Neither has a run the
    /// number of the one before it, nor is the last number 0.
    private final int[] ends;

    private final long[] numbers;

    private VersionVector(int[] ends, long[] numbers) {
        this.ends = ends;
        this.numbers = numbers;
    }

    /// The numbers of some tables; the others have 0.
    public static VersionVector of(SortedMap<Integer, Long> numbers) {
        Runs runs = new Runs(2 * numbers.size());
        numbers.forEach((tableId, number) -> {
            runs.add(tableId, 0);
            runs.add(tableId + 1, number);
        });
        return runs.vector();
    }

    /// Every table whose id is less was dropped.
    public static VersionVector droppedBelow(int tableId) {
        Runs runs = new Runs(1);
        runs.add(tableId, DROPPED);
        return runs.vector();
    }

    public long get(int tableId) {
        // As many runs as ids up to here: none of them is longer than one.
        if (tableId < ends.length && ends[tableId] == tableId + 1) {
            return numbers[tableId];
        }
        return number(run(tableId));
    }

    private int run(int tableId) {
        int found = Arrays.binarySearch(ends, tableId);
        return found < 0 ? -found - 1 : found + 1;
    }

    public boolean isDropped(int tableId) {
        return get(tableId) == DROPPED;
    }

    /// Whether all of these are.
    public boolean areDropped(int from, int end) {
        int run = run(from);
        return number(run) == DROPPED && end(run) >= end;
    }

    public VersionVector with(int tableId, long commitNumber) {
        if (get(tableId) == commitNumber) {
            return this;
        }
        Runs runs = new Runs(ends.length + 3);
        int run = 0;
        while (run < ends.length && ends[run] <= tableId) {
            runs.add(ends[run], numbers[run]);
            run++;
        }
        runs.add(tableId, run < ends.length ? numbers[run] : 0);
        runs.add(tableId + 1, commitNumber);
        while (run < ends.length) {
            runs.add(ends[run], numbers[run]);
            run++;
        }
        return runs.vector();
    }

    public VersionVector dropped(int tableId) {
        return with(tableId, DROPPED);
    }

    /// What it says of dropped tables alone.
    public VersionVector onlyDropped() {
        Runs runs = new Runs(ends.length);
        for (int run = 0; run < ends.length; run++) {
            runs.add(ends[run], numbers[run] == DROPPED ? DROPPED : 0);
        }
        return runs.vector();
    }

    /// The least vector that covers both.
    public VersionVector merge(VersionVector other) {
        if (covers(other)) {
            return this;
        }
        return other.covers(this) ? other : combined(other, Math::max);
    }

    /// The greatest vector that both cover: what a low watermark is made of.
    public VersionVector floor(VersionVector other) {
        if (covers(other)) {
            return other;
        }
        return other.covers(this) ? this : combined(other, Math::min);
    }

    private VersionVector combined(VersionVector other, LongBinaryOperator operator) {
        Runs runs = new Runs(ends.length + other.ends.length);
        int mine = 0;
        int theirs = 0;
        while (mine < ends.length || theirs < other.ends.length) {
            int end = Math.min(end(mine), other.end(theirs));
            runs.add(end, operator.applyAsLong(number(mine), other.number(theirs)));
            mine += end(mine) == end ? 1 : 0;
            theirs += other.end(theirs) == end ? 1 : 0;
        }
        return runs.vector();
    }

    private int end(int run) {
        return run < ends.length ? ends[run] : Integer.MAX_VALUE;
    }

    private long number(int run) {
        return run < numbers.length ? numbers[run] : 0;
    }

    @SuppressWarnings("ReferenceEquality") // quicker where it is so, and no other answer
    public boolean covers(VersionVector other) {
        if (this == other) {
            return true;
        }
        int mine = 0;
        int from = 0;
        for (int theirs = 0; theirs < other.ends.length; theirs++) {
            int end = other.ends[theirs];
            while (end(mine) <= from) {
                mine++;
            }
            while (number(mine) >= other.numbers[theirs] && end(mine) < end) {
                mine++;
            }
            if (number(mine) < other.numbers[theirs]) {
                return false;
            }
            from = end;
        }
        return true;
    }

    /// How often tables have come or gone up to here. It is greater in every vector that covers
    /// this one and a schema change more, whatever that was of: a change of no table marks itself
    /// by an id that is dropped at once.
    public long schemaChanges() {
        long changes = 0;
        int from = 0;
        for (int run = 0; run < ends.length; run++) {
            long each = numbers[run] == DROPPED ? 2 : numbers[run] == 0 ? 0 : 1;
            changes += each * (ends[run] - from);
            from = ends[run];
        }
        return changes;
    }

    /// Tables whose ids follow each other and that have one number.
    @FunctionalInterface
    public interface RunTest {
        boolean test(int from, int end, long number);
    }

    /// Whether it is so of each run of tables that have a number other than 0; asks for no further
    /// one when it is not.
    public boolean allRuns(RunTest test) {
        for (int run = 0; run < ends.length; run++) {
            if (numbers[run] != 0
                    && !test.test(run == 0 ? 0 : ends[run - 1], ends[run], numbers[run])) {
                return false;
            }
        }
        return true;
    }

    public boolean isEmpty() {
        return ends.length == 0;
    }

    public void encode(ByteWriter writer) {
        writer.varint(ends.length);
        int from = 0;
        for (int run = 0; run < ends.length; run++) {
            boolean dropped = numbers[run] == DROPPED;
            writer.varint((long) (ends[run] - from) << 1 | (dropped ? 1 : 0));
            if (!dropped) {
                writer.varint(numbers[run]);
            }
            from = ends[run];
        }
    }

    public static VersionVector decode(ByteReader reader) {
        int count = reader.count(Math.min(MAXIMUM_RUNS, reader.remaining()));
        Runs runs = new Runs(count);
        long end = 0;
        for (int run = 0; run < count; run++) {
            long head = reader.varint();
            end += Math.min(head >>> 1, 1L << Integer.SIZE);
            if (end > Integer.MAX_VALUE) {
                throw new MangledMessageException("version vector of " + end + " tables");
            }
            long number = (head & 1) == 1 ? DROPPED : reader.varint();
            if (number < 0) {
                throw new MangledMessageException("commit number " + number);
            }
            runs.add((int) end, number);
        }
        return runs.vector();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VersionVector that
                && Arrays.equals(ends, that.ends)
                && Arrays.equals(numbers, that.numbers);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(ends) + Arrays.hashCode(numbers);
    }

    /// By ascending ids, as `[0, 7, 7, dropped*3, 9]`.
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", "[", "]");
        int from = 0;
        for (int run = 0; run < ends.length; run++) {
            int length = ends[run] - from;
            String number = numbers[run] == DROPPED ? "dropped" : Long.toString(numbers[run]);
            if (length < SHORT_RUN) {
                for (int i = 0; i < length; i++) {
                    text.add(number);
                }
            } else {
                text.add(number + "*" + length);
            }
            from = ends[run];
        }
        return text.toString();
    }

    /// Builds a vector from its beginning.
    private static final class Runs {
        private final int[] ends;
        private final long[] numbers;
        private int size;

        Runs(int capacity) {
            ends = new int[capacity];
            numbers = new long[capacity];
        }

        /// From where the last run ended up to here.
        void add(int end, long number) {
            if (end <= (size == 0 ? 0 : ends[size - 1])) {
                return;
            }
            if (size > 0 && numbers[size - 1] == number) {
                ends[size - 1] = end;
            } else {
                ends[size] = end;
                numbers[size] = number;
                size++;
            }
        }

        VersionVector vector() {
            int used = size > 0 && numbers[size - 1] == 0 ? size - 1 : size;
            if (used == 0) {
                return EMPTY;
            }
            return used == ends.length
                    ? new VersionVector(ends, numbers)
                    : new VersionVector(Arrays.copyOf(ends, used), Arrays.copyOf(numbers, used));
        }
    }
}
