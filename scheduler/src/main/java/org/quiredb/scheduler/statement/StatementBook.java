package org.quiredb.scheduler.statement;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// What a scheduler's clients have run.
///
/// Threads: any.
public final class StatementBook {
    static final int MAXIMUM_TEXTS = 512;
    static final int LONGEST_TEXT = 4_096;
    private static final String TOO_LONG = "(statements of more than 4,096 characters)";

    private final Cache<String, String> shown =
            Caffeine.newBuilder().maximumSize(4 * MAXIMUM_TEXTS).build();
    private final Cache<String, BookLine> lines =
            Caffeine.newBuilder().maximumSize(MAXIMUM_TEXTS).build();
    private final SlowStatements slow = new SlowStatements();
    private final Map<StatementKind, DurationHistogram> durations =
            new EnumMap<>(StatementKind.class);
    private final InstantSource clock;

    public StatementBook(InstantSource clock) {
        this.clock = clock;
        for (StatementKind kind : StatementKind.values()) {
            durations.put(kind, new DurationHistogram());
        }
    }

    /// @param normalized its text, perhaps still with constants
    /// @param nanos that it took until its answer was complete
    /// @param backendReason why the backend ran it, empty when the tier did
    public void add(
            String normalized,
            StatementKind kind,
            long nanos,
            String backendReason,
            boolean failed) {
        durations(kind).add(nanos);
        String text =
                normalized.length() > LONGEST_TEXT
                        ? TOO_LONG
                        : shown.get(normalized, ShownText::of);
        lines.get(text, t -> new BookLine(t, kind)).add(nanos, backendReason, failed);
        slow.add(text, clock.millis(), nanos, backendReason, failed);
    }

    public DurationHistogram durations(StatementKind kind) {
        return durations.getOrDefault(kind, new DurationHistogram());
    }

    /// Those that took most time all together, since the start.
    public List<BookLine.Entry> heaviest(int most) {
        return entries(Comparator.comparingDouble(BookLine.Entry::totalMillis), most);
    }

    /// Those that came most often, since the start.
    public List<BookLine.Entry> mostFrequent(int most) {
        return entries(Comparator.comparingLong(BookLine.Entry::count), most);
    }

    /// Those that the backend ran most often.
    public List<BookLine.Entry> onBackend(int most) {
        return entries(Comparator.comparingLong(BookLine.Entry::onBackend), most).stream()
                .filter(entry -> entry.onBackend() > 0)
                .toList();
    }

    /// Of the last quarter of an hour.
    public List<SlowStatements.Slow> slowest(int most) {
        return slow.slowest(clock.millis()).stream().limit(most).toList();
    }

    private List<BookLine.Entry> entries(Comparator<BookLine.Entry> order, int most) {
        lines.cleanUp();
        return lines.asMap().values().stream()
                .map(BookLine::entry)
                .sorted(order.reversed())
                .limit(most)
                .toList();
    }
}
