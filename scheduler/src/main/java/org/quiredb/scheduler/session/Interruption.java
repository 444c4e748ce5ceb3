package org.quiredb.scheduler.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.scheduler.cluster.StatementFailed;

/// What ends a session's statement before its time, wherever it runs: KILL, its time limit, or the
/// end of its client's connection.
///
/// Who runs it says no more than that it was interrupted (1317); why, and so which error its client
/// is told, is known here.
///
/// Threads: any; guarded by this.
final class Interruption {
    enum Reason {
        KILLED,
        TIME_IS_UP,
        /// The client, with its connection.
        GONE
    }

    private final ScheduledExecutorService clock;
    private final boolean mariaDb;

    @GuardedBy("this")
    private StopSignal signal = new StopSignal();

    @GuardedBy("this")
    private @Nullable Reason reason;

    @GuardedBy("this")
    private boolean running;

    /// @param clock of the time limits
    /// @param mariaDb whose errors the backend gives
    Interruption(ScheduledExecutorService clock, boolean mariaDb) {
        this.clock = clock;
        this.mariaDb = mariaDb;
    }

    /// Runs a statement that can be interrupted.
    ///
    /// @param limitMillis 0 for none
    /// @throws StatementFailed with MySQL's number of the reason when it has been
    void during(long limitMillis, Runnable statement) {
        StopSignal own = begin();
        ScheduledFuture<?> limit =
                limitMillis == 0
                        ? null
                        : clock.schedule(
                                () -> stop(own, Reason.TIME_IS_UP),
                                limitMillis,
                                TimeUnit.MILLISECONDS);
        try {
            own.during(statement);
        } catch (QuireException e) {
            throw e.code() == ErrorCode.QUERY_INTERRUPTED ? error() : e;
        } catch (StatementFailed e) {
            throw e.number() == ErrorCode.QUERY_INTERRUPTED.number() ? error() : e;
        } finally {
            end();
            if (limit != null) {
                limit.cancel(false);
            }
        }
    }

    private synchronized StopSignal begin() {
        running = true;
        if (reason != Reason.GONE) {
            reason = null;
            signal = new StopSignal();
        }
        return signal;
    }

    private synchronized void end() {
        running = false;
    }

    /// Stops the statement that runs now; the next one runs, unless the client is gone.
    void stop(Reason why) {
        StopSignal now;
        synchronized (this) {
            if (why == Reason.GONE) {
                reason = why;
            } else if (!running || reason != null) {
                return;
            }
            reason = why;
            now = signal;
        }
        now.request();
    }

    private void stop(StopSignal of, Reason why) {
        synchronized (this) {
            if (of != signal) {
                return; // its statement has ended
            }
        }
        stop(why);
    }

    private synchronized StatementFailed error() {
        String text = "Query execution was interrupted";
        if (reason != Reason.TIME_IS_UP) {
            return new StatementFailed(1317, "70100", text);
        }
        return mariaDb
                ? new StatementFailed(1969, "70100", text + " (max_statement_time exceeded)")
                : new StatementFailed(
                        3024, "HY000", text + ", maximum statement execution time exceeded");
    }
}
