package org.quiredb.replica.execution;

/// What the aggregates of one group have come to.
///
/// Threads: its execution's.
public final class Tally {
    static final Tally NONE = new Tally(0);

    private final long[] values;
    private final long[] counts;

    Tally(int aggregates) {
        values = new long[aggregates];
        counts = new long[aggregates];
    }

    void add(Aggregation[] aggregations, RowContext at) {
        for (int i = 0; i < values.length; i++) {
            Aggregation aggregation = aggregations[i];
            if (aggregation.isNull(at)) {
                continue;
            }
            boolean first = counts[i]++ == 0;
            switch (aggregation.kind()) {
                case COUNT -> {}
                case SUM -> values[i] = sum(values[i], aggregation.number(at));
                case MIN -> {
                    long number = aggregation.number(at);
                    values[i] = first ? number : Math.min(values[i], number);
                }
                case MAX -> {
                    long number = aggregation.number(at);
                    values[i] = first ? number : Math.max(values[i], number);
                }
            }
        }
    }

    private static long sum(long a, long b) {
        long sum = a + b;
        if (((a ^ sum) & (b ^ sum)) < 0) {
            throw new NotHereException("a sum beyond 64 bits");
        }
        return sum;
    }

    /// Rows that had a value.
    public long count(int aggregate) {
        return counts[aggregate];
    }

    /// Of any aggregate but COUNT; nothing where no row had a value.
    public long value(int aggregate) {
        return values[aggregate];
    }
}
