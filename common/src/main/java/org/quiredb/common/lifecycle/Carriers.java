package org.quiredb.common.lifecycle;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gives virtual threads more carriers while work that does not wait holds all that there are.
///
/// A virtual thread keeps its carrier until it waits, and there is a carrier for each processor: as
/// many statements that compute for seconds would keep every heartbeat of the process from running.
/// That they give way now and then does not help: a carrier goes on with what stands in one queue,
/// and they come back to it. So each of them has a carrier of its own ({@link #computes}), and the
/// operating system shares the processors. For what computes and says nothing of it there are more
/// as soon as a thread that is asked to run does not do so in time.
///
/// Threads: any; one of its own while anybody holds it open, for the whole process. Without anybody
/// the carriers stay as they are.
public final class Carriers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Carriers.class);
    private static final long LOOK_EVERY_MILLIS = 100;
    private static final long LATE_MILLIS = 100;
    private static final long CALM_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final VirtualThreadSchedulerMXBean SCHEDULER =
            ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);

    /// Before anybody has changed it.
    private static final int USUAL = SCHEDULER.getParallelism();

    /// Fewer where the virtual machine was told so.
    private static final int MOST =
            Math.max(
                    USUAL,
                    Math.min(
                            200,
                            Integer.getInteger("jdk.virtualThreadScheduler.maxPoolSize", 200)));

    @GuardedBy("Carriers.class")
    private static int computing;

    @GuardedBy("Carriers.class")
    private static int holders;

    @GuardedBy("Carriers.class")
    private static long raisedNanos;

    @GuardedBy("Carriers.class")
    private static @Nullable Thread watching;

    private boolean closed;

    private Carriers() {}

    /// To be closed by whoever needs its virtual threads to run in time.
    public static Carriers open() {
        synchronized (Carriers.class) {
            if (holders++ == 0) {
                watching =
                        Thread.ofPlatform().name("carriers").daemon().start(new Watcher()::watch);
            }
        }
        return new Carriers();
    }

    @Override
    public void close() {
        synchronized (Carriers.class) {
            if (!closed && --holders == 0 && watching != null) {
                watching.interrupt();
                watching = null;
                SCHEDULER.setParallelism(USUAL);
            }
            closed = true;
        }
    }

    /// A virtual thread begins to compute for long. To be followed by {@link #rests}.
    static void computes() {
        boolean more;
        synchronized (Carriers.class) {
            computing++;
            more = atLeast(USUAL + computing);
        }
        if (more) {
            Thread.startVirtualThread(() -> {}); // a carrier comes when there is something to do
        }
    }

    static void rests() {
        synchronized (Carriers.class) {
            computing--;
        }
    }

    /// Whether there may be more than before.
    private static synchronized boolean atLeast(int carriers) {
        int wanted = Math.min(MOST, carriers);
        if (holders == 0) {
            return false;
        }
        raisedNanos = System.nanoTime();
        if (wanted <= SCHEDULER.getParallelism()) {
            return false;
        }
        SCHEDULER.setParallelism(wanted);
        return true;
    }

    private static synchronized void fewerWhenCalm() {
        int needed = Math.min(MOST, USUAL + computing);
        if (holders > 0
                && SCHEDULER.getParallelism() > needed
                && System.nanoTime() - raisedNanos > CALM_NANOS) {
            SCHEDULER.setParallelism(needed);
        }
    }

    /// Threads: one.
    private static final class Watcher {
        private final Semaphore ran = new Semaphore(0);

        void watch() {
            try {
                while (true) {
                    Thread.sleep(LOOK_EVERY_MILLIS);
                    if (SCHEDULER.getQueuedVirtualThreadCount() > 0) {
                        runInTime();
                    }
                    fewerWhenCalm();
                }
            } catch (InterruptedException e) {
                LOG.debug("nobody needs virtual threads to run in time any more");
            }
        }

        private void runInTime() throws InterruptedException {
            ran.drainPermits();
            probe();
            while (!ran.tryAcquire(LATE_MILLIS, TimeUnit.MILLISECONDS)) {
                int carriers = SCHEDULER.getParallelism();
                if (atLeast(carriers + USUAL)) {
                    // a carrier comes when something is the first in a queue, and queues are
                    // threads'
                    Thread.ofPlatform().name("carriers-probe").daemon().start(this::probe);
                    LOG.debug("virtual threads wait for {} carriers, there are more now", carriers);
                }
            }
        }

        private void probe() {
            Thread.ofVirtual().name("in-time").start(ran::release);
        }
    }
}
