package org.quiredb.node.lab;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What one client of the ledger is at, for whoever wants to know why it stands still.
///
/// Threads: told by its client, asked by any.
final class Activity {
    private static final Duration LONGEST_ALONE = Duration.ofMinutes(1);
    private static final int MANY = 120;

    private final String client;
    private volatile At at = new At(0, 0, System.nanoTime(), "begins", System.nanoTime());
    private volatile @Nullable Failure failure;
    private volatile boolean over;

    /// @param all entries of all clients when it began with that one
    /// @param beganNanos when it did
    private record At(int number, int all, long beganNanos, String step, long stepNanos) {}

    private record Failure(Instant when, String what) {}

    Activity(String client) {
        this.client = client;
    }

    /// Another entry begins.
    ///
    /// @param all entries of all clients so far
    void enters(int number, int all) {
        long now = System.nanoTime();
        at = new At(number, all, now, "begins", now);
    }

    /// It enters nothing more.
    void ends() {
        over = true;
    }

    /// Of the same entry.
    void step(String step) {
        At before = at;
        if (!before.step().equals(step)) {
            at =
                    new At(
                            before.number(),
                            before.all(),
                            before.beganNanos(),
                            step,
                            System.nanoTime());
        }
    }

    void failed(SQLException e) {
        failure =
                new Failure(
                        Instant.now().truncatedTo(ChronoUnit.MILLIS),
                        "error %d (%s) %s"
                                .formatted(
                                        e.getErrorCode(),
                                        e.getSQLState(),
                                        String.valueOf(e.getMessage())
                                                .lines()
                                                .findFirst()
                                                .orElse("")));
    }

    /// For how long it has been at the same entry; 0 when it has ended.
    long nanos(long nowNanos) {
        return over ? 0 : nowNanos - at.beganNanos();
    }

    /// Whether the others got on without it for longer than anything may keep back one client
    /// alone. While they get on there is a master, which answers for the outcome of any COMMIT at
    /// once; the longest wait is that for a lock, 50 s. They got on when they made twenty entries
    /// each: over one death and the next somebody may be unlucky twice.
    ///
    /// @param all entries of all clients now
    boolean isLeftBehind(int all, long nowNanos) {
        return nanos(nowNanos) > LONGEST_ALONE.toNanos() && all - at.all() > MANY;
    }

    /// In one line.
    String text(long nowNanos) {
        At now = at;
        Failure last = failure;
        return "%s is at %d for %d ms, %s for %d ms%s"
                .formatted(
                        client,
                        now.number(),
                        TimeUnit.NANOSECONDS.toMillis(nowNanos - now.beganNanos()),
                        now.step(),
                        TimeUnit.NANOSECONDS.toMillis(nowNanos - now.stepNanos()),
                        last == null ? "" : "; last failed at " + last.when() + ": " + last.what());
    }
}
