package org.quiredb.scheduler.statement;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/// What is known of the statements of one text.
///
/// Threads: any.
public final class BookLine {
    private final String text;
    private final StatementKind kind;
    private final LongAdder count = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder onBackend = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);
    private volatile String backendReason = "";

    BookLine(String text, StatementKind kind) {
        this.text = text;
        this.kind = kind;
    }

    void add(long tookNanos, String reason, boolean withError) {
        count.increment();
        nanos.add(tookNanos);
        longestNanos.accumulate(tookNanos);
        if (withError) {
            failed.increment();
        }
        if (!reason.isEmpty()) {
            onBackend.increment();
            backendReason = reason;
        }
    }

    /// @param backendReason why the backend ran it last, empty when it never did
    public record Entry(
            String text,
            String kind,
            long count,
            long errors,
            long onBackend,
            String backendReason,
            double totalMillis,
            double meanMillis,
            double longestMillis) {}

    Entry entry() {
        long times = count.sum();
        double totalMillis = nanos.sum() / 1e6;
        return new Entry(
                text,
                kind.toString(),
                times,
                failed.sum(),
                onBackend.sum(),
                backendReason,
                totalMillis,
                totalMillis / Math.max(1, times),
                longestNanos.get() / 1e6);
    }
}
