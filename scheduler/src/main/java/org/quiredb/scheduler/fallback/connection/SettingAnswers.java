package org.quiredb.scheduler.fallback.connection;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// What the backend has answered to questions of settings, and of tables' columns, for other
/// sessions of the same settings: a page of a PHP application asks the same few on each of its
/// connections.
///
/// Only what {@link org.quiredb.sql.command.SettingTerms} or {@link
/// org.quiredb.sql.command.ColumnsStatement} lets through may be asked here. An answer is kept for
/// some seconds: what is set on the backend itself, for sessions to come, shows no later. Errors
/// are not kept.
///
/// Bound: so many answers of so many bytes to questions of so many characters. Threads: any;
/// guarded by this, which nobody holds while the backend is asked.
public final class SettingAnswers {
    private static final int MOST = 500;
    private static final int LONGEST = 2_000;
    private static final int LARGEST_BYTES = 64 * 1024;
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// An answer that may be large, and is not kept then.
    public interface Sized {
        int bytes();
    }

    private final LongSupplier nanoTime;

    @GuardedBy("this")
    private final Map<Question, Answer> answers = new LinkedHashMap<>();

    private record Question(BackendSession session, Object asked) {}

    private record Answer(Object what, long untilNanos) {}

    public SettingAnswers(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /// @param session its own values are no settings, and not looked at
    /// @param asked equal to another when the answer is: its class tells which kind of answer
    /// @param characters how long the question is
    /// @param ask the backend
    public <T> T of(
            BackendSession session, Object asked, int characters, Class<T> type, Supplier<T> ask) {
        int length = characters + session.assignments().stream().mapToInt(String::length).sum();
        if (length > LONGEST) {
            return ask.get();
        }
        Question question =
                new Question(
                        new BackendSession(
                                session.login(), session.database(), session.assignments()),
                        asked);
        long now = nanoTime.getAsLong();
        synchronized (this) {
            Answer known = answers.get(question);
            if (known != null && known.untilNanos - now > 0) {
                return type.cast(known.what);
            }
        }
        T answer = ask.get();
        if (answer instanceof Sized sized && sized.bytes() > LARGEST_BYTES) {
            return answer;
        }
        keep(question, new Answer(answer, now + KEPT_NANOS));
        return answer;
    }

    /// Everything is asked again.
    public synchronized void clear() {
        answers.clear();
    }

    /// The eldest goes.
    private synchronized void keep(Question question, Answer answer) {
        answers.remove(question);
        answers.put(question, answer);
        if (answers.size() > MOST) {
            Iterator<Question> eldest = answers.keySet().iterator();
            eldest.next();
            eldest.remove();
        }
    }
}
