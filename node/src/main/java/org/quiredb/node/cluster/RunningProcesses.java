package org.quiredb.node.cluster;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.lifecycle.Parts;
import org.quiredb.common.lifecycle.RestartPauses;
import org.quiredb.node.config.ProcessConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The processes that are to run. Once they are supervised, one that ends by itself is started
/// again; one that was killed here is not, until it is begun again.
///
/// Threads: any; guarded by lock, under which processes are begun.
final class RunningProcesses implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunningProcesses.class);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long POWER_SECONDS = 60;

    private final Function<ProcessConfig, RunningProcess> launcher;
    private final Parts parts = new Parts();
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ProcessConfig, Running> running = new HashMap<>();
    private @Nullable Thread supervisor;
    private volatile boolean closed;

    /// @param againNanos when it is to be started again; null while it runs
    private record Running(
            RunningProcess member,
            long beganNanos,
            RestartPauses pauses,
            @Nullable Long againNanos) {}

    RunningProcesses(Function<ProcessConfig, RunningProcess> launcher) {
        this.launcher = launcher;
    }

    void begin(ProcessConfig process) {
        lock.lock();
        try {
            running.put(process, begun(process, new RestartPauses()));
        } finally {
            lock.unlock();
        }
    }

    private Running begun(ProcessConfig process, RestartPauses pauses) {
        return new Running(parts.add(launcher.apply(process)), System.nanoTime(), pauses, null);
    }

    /// Ends it without a word to anybody; it is not to run any more.
    void kill(ProcessConfig process) {
        lock.lock();
        try {
            Objects.requireNonNull(running.remove(process), process.title()).member().kill();
        } finally {
            lock.unlock();
        }
    }

    RunningProcess get(ProcessConfig process) {
        lock.lock();
        try {
            return Objects.requireNonNull(running.get(process), process.title()).member();
        } finally {
            lock.unlock();
        }
    }

    /// Ends all at once, and the databases that they run; none is to run any more. At once: whom
    /// another one outlives by some milliseconds, that one may still put out of the topology.
    void cutPower() {
        lock.lock();
        try {
            List<RunningProcess> members = running.values().stream().map(Running::member).toList();
            List<ProcessHandle> processes =
                    members.stream().flatMap(member -> member.processes().stream()).toList();
            processes.forEach(ProcessHandle::destroyForcibly);
            members.stream().filter(m -> m.processes().isEmpty()).forEach(RunningProcess::kill);
            CompletableFuture.allOf(
                            processes.stream()
                                    .map(ProcessHandle::onExit)
                                    .toArray(CompletableFuture<?>[]::new))
                    .orTimeout(POWER_SECONDS, TimeUnit.SECONDS)
                    .join();
            running.clear();
        } finally {
            lock.unlock();
        }
    }

    /// Why those do not run that nobody will start again.
    List<String> failures() {
        lock.lock();
        try {
            return supervisor != null
                    ? List.of()
                    : running.values().stream()
                            .flatMap(r -> r.member().failure().stream())
                            .toList();
        } finally {
            lock.unlock();
        }
    }

    /// Starts again from now on what ends.
    void supervise() {
        lock.lock();
        try {
            if (supervisor == null) {
                supervisor = Thread.ofVirtual().name("supervisor").start(this::watch);
            }
        } finally {
            lock.unlock();
        }
    }

    private void watch() {
        while (!closed) {
            lock.lock();
            try {
                running.replaceAll(this::lookedAt);
            } finally {
                lock.unlock();
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private Running lookedAt(ProcessConfig process, Running known) {
        long now = System.nanoTime();
        Long due = known.againNanos();
        if (due != null) {
            return now - due < 0 || closed ? known : again(process, known);
        }
        Optional<String> failure = known.member().failure();
        return failure.isEmpty() || closed
                ? known
                : due(known, failure.get(), Duration.ofNanos(now - known.beganNanos()));
    }

    private Running again(ProcessConfig process, Running ended) {
        try {
            return begun(process, ended.pauses());
        } catch (RuntimeException e) {
            return closed ? ended : due(ended, String.valueOf(e.getMessage()), Duration.ZERO);
        }
    }

    private static Running due(Running ended, String why, Duration ran) {
        Duration pause = ended.pauses().after(ran);
        LOG.warn(
                "{}; it is started again {}",
                why,
                pause.isZero() ? "at once" : "in " + pause.toSeconds() + " s");
        return new Running(
                ended.member(),
                ended.beganNanos(),
                ended.pauses(),
                System.nanoTime() + pause.toNanos());
    }

    @Override
    public void close() {
        closed = true; // a part that is begun now is ended by its owner
        parts.close();
    }
}
