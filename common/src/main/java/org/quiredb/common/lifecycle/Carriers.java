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
/// What steps through rows gives way now and then ({@link StopSignal#check}); for what does not the
/// operating system shares the processors among more carriers, until a thread that is asked to run
/// does so in time.
///
/// Threads: any; one of its own while anybody holds it open, for the whole process.
public final class Carriers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Carriers.class);
    private static final long LOOK_EVERY_MILLIS = 100;
    private static final long LATE_MILLIS = 100;
    private static final long CALM_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int MOST = 64;

    @GuardedBy("Carriers.class")
    private static int holders;

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
            }
            closed = true;
        }
    }

    /// Threads: one.
    private static final class Watcher {
        private final VirtualThreadSchedulerMXBean scheduler =
                ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
        private static final int USUAL = ofTheProcess();
        private final Semaphore ran = new Semaphore(0);
        private long lateNanos;

        /// Before anybody has changed it.
        private static int ofTheProcess() {
            return ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class)
                    .getParallelism();
        }

        void watch() {
            try {
                while (true) {
                    Thread.sleep(LOOK_EVERY_MILLIS);
                    if (scheduler.getQueuedVirtualThreadCount() > 0) {
                        runInTime();
                    } else {
                        calm();
                    }
                }
            } catch (InterruptedException e) {
                scheduler.setParallelism(USUAL);
            }
        }

        private void runInTime() throws InterruptedException {
            ran.drainPermits();
            probe();
            while (!ran.tryAcquire(LATE_MILLIS, TimeUnit.MILLISECONDS)) {
                int carriers = scheduler.getParallelism();
                lateNanos = System.nanoTime();
                if (carriers < MOST) {
                    scheduler.setParallelism(Math.min(MOST, carriers + USUAL));
                    // a carrier comes when something is the first in a queue, and queues are
                    // threads'
                    Thread.ofPlatform().name("carriers-probe").daemon().start(this::probe);
                    LOG.debug("virtual threads wait for {} carriers, there are more now", carriers);
                }
            }
            calm();
        }

        private void probe() {
            Thread.ofVirtual().name("in-time").start(ran::release);
        }

        private void calm() {
            if (scheduler.getParallelism() > USUAL && System.nanoTime() - lateNanos > CALM_NANOS) {
                scheduler.setParallelism(USUAL);
            }
        }
    }
}
