package org.quiredb.scheduler.session.state;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/// Which read-only transactions have come to a statement that only the backend runs, by the
/// normalised text of their first statement: the next one like it begins with a snapshot there.
///
/// Bounded: what is forgotten is learned again. Threads: any.
public final class SnapshotNeed {
    private static final int MAXIMUM = 1_000;

    private final Cache<String, Boolean> firstStatements =
            Caffeine.newBuilder().maximumSize(MAXIMUM).build();

    public boolean of(String firstStatement) {
        return firstStatements.getIfPresent(firstStatement) != null;
    }

    public void learn(String firstStatement) {
        firstStatements.put(firstStatement, true);
    }
}
