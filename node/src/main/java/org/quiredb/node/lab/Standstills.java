package org.quiredb.node.lab;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// Tells, while it lasts, why a writer has not got on with its entry for long: what each writer is
/// at, and what every process and database answers. Where the roles run in this JVM all its threads
/// are written down too.
///
/// It judges only who is left behind alone: over the death of everything nobody gets on. Bound: so
/// many are told.
///
/// Threads: its own; counts are asked by any.
final class Standstills implements AutoCloseable {
    static final Duration LONG = Duration.ofSeconds(20);
    private static final int TOLD = 50;
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LabTier tier;
    private final Ledger ledger;
    private final Consumer<String> say;
    private final Set<Activity> leftBehind = new HashSet<>();
    private final Thread thread;
    private volatile int count;
    private volatile long longestNanos;
    private volatile boolean closed;

    /// @param say told in lines
    Standstills(LabTier tier, Ledger ledger, Consumer<String> say) {
        this.tier = tier;
        this.ledger = ledger;
        this.say = say;
        thread = Thread.ofPlatform().daemon().name("standstills").start(this::watch);
    }

    /// How often and how long, in words.
    String text() {
        return "%d standstills of more than %d s, the longest %d ms"
                .formatted(count, LONG.toSeconds(), TimeUnit.NANOSECONDS.toMillis(longestNanos));
    }

    /// One that goes on is told again when it has lasted twice as long.
    private void watch() {
        long tellAtNanos = LONG.toNanos();
        int counted = 0;
        while (!closed) {
            lookForLeftBehind();
            long longest = longest();
            longestNanos = Math.max(longestNanos, longest);
            if (longest < LONG.toNanos()) {
                tellAtNanos = LONG.toNanos();
            } else if (longest >= tellAtNanos) {
                if (tellAtNanos == LONG.toNanos()) {
                    count = ++counted;
                }
                tellAtNanos = 2 * longest;
                if (count <= TOLD) {
                    tell(TimeUnit.NANOSECONDS.toSeconds(longest));
                }
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private void lookForLeftBehind() {
        long now = System.nanoTime();
        int all = ledger.acknowledged();
        for (Activity activity : ledger.activities()) {
            if (!activity.isLeftBehind(all, now)) {
                leftBehind.remove(activity);
            } else if (leftBehind.add(activity)) {
                String what = "is left behind: " + activity.text(now);
                ledger.anomaly(what);
                say.accept(what);
            }
        }
    }

    private long longest() {
        long now = System.nanoTime();
        return ledger.activities().stream().mapToLong(a -> a.nanos(now)).max().orElse(0);
    }

    /// Threads first, since who is asked may take long to answer.
    private void tell(long seconds) {
        long now = System.nanoTime();
        say.accept("STANDSTILL %d for %d s%s".formatted(count, seconds, threads(seconds)));
        ledger.activities().forEach(activity -> say.accept("  " + activity.text(now)));
        tier.answers().forEach(answer -> say.accept("  " + answer));
    }

    private String threads(long seconds) {
        Path file = tier.folder().resolve("standstill-%d-%d.threads".formatted(count, seconds));
        try {
            Files.deleteIfExists(file);
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(
                            file.toAbsolutePath().toString(),
                            HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
            return ", the threads of this JVM are in " + file;
        } catch (IOException e) {
            return ", no threads: " + e.getMessage();
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
