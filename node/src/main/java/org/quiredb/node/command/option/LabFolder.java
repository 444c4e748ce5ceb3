package org.quiredb.node.command.option;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.quiredb.node.backend.BackendFolder;

/// A folder that is deleted with all that is in it.
///
/// @param path is there
public record LabFolder(Path path) implements AutoCloseable {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /// A process that was killed may still be writing when it is about to end.
    @Override
    public void close() throws IOException {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        while (true) {
            try {
                BackendFolder.delete(path);
                return;
            } catch (IOException | UncheckedIOException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }
}
