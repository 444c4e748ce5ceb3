package org.quiredb.replica.result;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.VersionVector;

/// Results by statement and values, bounded by their bytes: what is seldom asked for goes first.
///
/// Threads: any.
public final class KeptResults {
    /// A result may take so much of the whole.
    private static final int SHARE = 64;

    private static final int KEY_BYTES = 160;
    private static final int VALUE_BYTES = 32;

    /// @param statement itself, bound to a state of the catalogue
    /// @param values which have an equality: no bytes among them
    public record Key(
            Keepable statement, List<SqlValue> values, boolean binaryRows, int statusFlags) {
        long sizeBytes() {
            long bytes = KEY_BYTES;
            for (SqlValue value : values) {
                bytes += VALUE_BYTES;
                if (value instanceof SqlValue.StringValue(String text)) {
                    bytes += 2L * text.length();
                }
            }
            return bytes;
        }
    }

    private final long maximumBytes;
    private final Cache<Key, KeptResult> results;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder outdated = new LongAdder();
    private final LongAdder evicted = new LongAdder();

    /// @param maximumBytes of all; 0 keeps none
    public KeptResults(long maximumBytes) {
        this.maximumBytes = maximumBytes;
        results =
                Caffeine.newBuilder()
                        .maximumWeight(maximumBytes)
                        .<Key, KeptResult>weigher((key, result) ->
                                (int)
                                        Math.min(
                                                key.sizeBytes() + result.sizeBytes(),
                                                Integer.MAX_VALUE))
                        .evictionListener((key, result, cause) -> evicted.increment())
                        .executor(Runnable::run)
                        .build();
    }

    public boolean used() {
        return maximumBytes > 0;
    }

    /// Whether values have an equality.
    public static boolean comparable(List<SqlValue> values) {
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i) instanceof SqlValue.BytesValue) {
                return false;
            }
        }
        return true;
    }

    /// The result of a read at the tag, null where none is known to be.
    ///
    /// @param tag of which everything has been received
    /// @param counts whether the read is to be computed now where there is none
    public @Nullable KeptResult find(Key key, ReadSet reads, VersionVector tag, boolean counts) {
        KeptResult result = results.getIfPresent(key);
        if (result != null && reads.same(result.made(), tag)) {
            hits.increment();
            return result;
        }
        if (counts) {
            (result == null ? misses : outdated).increment();
        }
        return null;
    }

    /// What may be kept of a result that goes to `parts`.
    public Collecting collecting(Consumer<byte[]> parts) {
        return new Collecting(parts, maximumBytes / SHARE);
    }

    /// Keeps what was made at the tag, unless there is a newer one.
    public void keep(
            Key key, ReadSet reads, VersionVector tag, Collecting collected, long packets) {
        List<byte[]> parts = collected.parts();
        if (parts != null) {
            KeptResult made = new KeptResult(reads.at(tag), parts, packets);
            results.asMap()
                    .merge(key, made, (old, now) -> reads.newer(old.made(), tag) ? old : now);
        }
    }

    public void clear() {
        results.invalidateAll();
    }

    public long hits() {
        return hits.sum();
    }

    /// Look-ups that found nothing.
    public long misses() {
        return misses.sum();
    }

    /// Look-ups that found what was not certain to be the same any more.
    public long outdated() {
        return outdated.sum();
    }

    public long evicted() {
        return evicted.sum();
    }

    public long entries() {
        return results.estimatedSize();
    }

    public long bytes() {
        return results.policy()
                .eviction()
                .map(eviction -> eviction.weightedSize().orElse(0))
                .orElse(0L);
    }
}
