package org.quiredb.scheduler.fallback.connection;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What the backend has told of views, and who is shown a procedure, for as long as no schema has
/// changed: whoever changes one through the tier raises the number of changes that every scheduler
/// has heard of before the change is acknowledged. What is changed on the backend itself, past the
/// tier, is noticed some seconds later.
///
/// Bound: so many answers. Threads: any.
public final class Definitions {
    private static final int MOST = 1_000;
    private static final Duration KEPT = Duration.ofSeconds(10);

    private final Cache<Question, Object> answers =
            Caffeine.newBuilder().maximumSize(MOST).expireAfterWrite(KEPT).build();

    /// What is asked while everything is cleared is not kept for those who ask after that.
    private final AtomicLong cleared = new AtomicLong();

    private record Question(long cleared, long schemaChanges, Object of) {}

    /// @param schemaChanges that the scheduler knows of ({@link
    ///   org.quiredb.common.version.VersionVector#schemaChanges}), counted before this is asked
    /// @param of equal to another when the answer is: its class tells which kind of answer
    /// @param ask the backend; an error is not kept
    public <T> T of(long schemaChanges, Object of, Class<T> type, Supplier<T> ask) {
        Question question = new Question(cleared.get(), schemaChanges, of);
        T known = type.cast(answers.getIfPresent(question));
        if (known != null) {
            return known;
        }
        T answer = ask.get();
        answers.put(question, answer);
        return answer;
    }

    /// Without asking; null where that would be needed.
    public <T> @Nullable T known(long schemaChanges, Object of, Class<T> type) {
        return type.cast(answers.getIfPresent(new Question(cleared.get(), schemaChanges, of)));
    }

    /// Everything is asked again.
    public void clear() {
        cleared.incrementAndGet();
        answers.invalidateAll();
    }
}
