package org.quiredb.node.backend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.lifecycle.RestartPauses;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The server's process: started again when it dies, ended with this one.
///
/// One thread begins it, waits for its end and begins it again. That thread lives as long as any
/// process of its: a process ends when the thread does that began it (see {@link ParentDeath}).
///
/// Threads: any.
final class KeptServer {
    private static final Logger LOG = LoggerFactory.getLogger(KeptServer.class);
    private static final int STOP_SECONDS = 60;

    private final Path program;
    private final Path log;
    private final List<String> again;
    private final CountDownLatch ending = new CountDownLatch(1);
    private final ReentrantLock beginning = new ReentrantLock();
    private final Thread keeper;

    /// Threads: written by the keeper under the lock beginning.
    private volatile @Nullable Process process;

    private volatile boolean served;

    /// Returns when the process is being begun.
    ///
    /// @param first its arguments at the first start
    /// @param again at those after a death
    KeptServer(Path program, Path log, List<String> first, List<String> again) {
        this.program = program;
        this.log = log;
        this.again = again;
        keeper = Thread.ofPlatform().name("mariadb").start(() -> keep(first));
    }

    private void keep(List<String> first) {
        RestartPauses pauses = new RestartPauses();
        List<String> arguments = first;
        while (true) {
            long beganNanos = System.nanoTime();
            String end = run(arguments);
            if (!served || ending.getCount() == 0) {
                return;
            }
            Duration pause = pauses.after(Duration.ofNanos(System.nanoTime() - beganNanos));
            LOG.warn(
                    "the embedded MariaDB {}, {} says why; it is started again {}",
                    end,
                    log,
                    pause.isZero() ? "at once" : "in " + pause.toSeconds() + " s");
            if (awaitEnding(pause)) {
                return;
            }
            arguments = again;
        }
    }

    private boolean awaitEnding(Duration pause) {
        try {
            return ending.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts this thread", e);
        }
    }

    /// How it ended.
    private String run(List<String> arguments) {
        Process begun;
        beginning.lock();
        try {
            if (ending.getCount() == 0) {
                return "was not begun";
            }
            begun = begin(arguments);
            process = begun;
        } catch (IOException e) {
            return "cannot be started: " + e.getMessage();
        } finally {
            beginning.unlock();
        }
        begun.onExit().join();
        return "ended with exit code " + begun.exitValue();
    }

    private Process begin(List<String> arguments) throws IOException {
        if (Files.exists(log)) {
            Files.move(
                    log,
                    log.resolveSibling(log.getFileName() + ".1"),
                    StandardCopyOption.REPLACE_EXISTING);
        }
        ProcessBuilder builder =
                new ProcessBuilder(arguments)
                        .directory(program.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
        Installation.setLibraries(builder, program);
        return builder.start();
    }

    /// It is to be started again from now on.
    void served() {
        served = true;
    }

    /// Of the one that runs now.
    long processId() {
        return Objects.requireNonNull(process).pid();
    }

    /// Whether it ended before it served.
    boolean failed() {
        return !keeper.isAlive();
    }

    /// Returns when it has ended, as it does in good order where it can.
    void stop() {
        end(false);
    }

    /// Ends it as a power failure does.
    void kill() {
        end(true);
    }

    private void end(boolean atOnce) {
        beginning.lock(); // none is begun from now on
        try {
            ending.countDown();
        } finally {
            beginning.unlock();
        }
        Process last = process;
        if (last != null) {
            if (atOnce) {
                last.destroyForcibly();
            } else {
                last.destroy();
                awaitStop(last);
            }
        }
        boolean interrupted = false;
        while (keeper.isAlive()) {
            try {
                keeper.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitStop(Process last) {
        try {
            if (last.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
            LOG.warn("the embedded MariaDB did not stop within {} s and is killed", STOP_SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        last.destroyForcibly();
    }
}
