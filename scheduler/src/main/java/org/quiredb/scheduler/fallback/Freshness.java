package org.quiredb.scheduler.fallback;

import java.util.Map;
import java.util.function.Consumer;
import org.quiredb.common.version.ConflictClass;

/// What of the tier's commits an answer must show, where there are several databases, of which some
/// may be behind or ahead of others.
///
/// @param least the last commit of each class that it must show
/// @param shown told what it may have shown, before the first packet is passed on
public record Freshness(Map<ConflictClass, Long> least, Consumer<Map<ConflictClass, Long>> shown) {
    /// For what does not depend on rows.
    public static final Freshness ANY = new Freshness(Map.of(), shown -> {});

    public Freshness {
        least = Map.copyOf(least);
    }

    /// Whether it has to show anything at all.
    public boolean asked() {
        return !equals(ANY);
    }

    boolean metBy(Map<ConflictClass, Long> applied) {
        return least.entrySet().stream()
                .allMatch(each -> applied.getOrDefault(each.getKey(), 0L) >= each.getValue());
    }
}
