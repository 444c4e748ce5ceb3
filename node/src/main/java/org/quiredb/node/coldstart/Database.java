package org.quiredb.node.coldstart;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.backend.EmbeddedBackend;

/// A database that is a host of its own.
///
/// Threads: any; one of its own starts it.
final class Database implements AutoCloseable {
    static final String ACCOUNT = "quire";

    private final Path folder;
    private final int port;
    private @Nullable Thread starting;
    private volatile @Nullable EmbeddedBackend running;
    private volatile @Nullable RuntimeException failure;

    Database(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    int port() {
        return port;
    }

    String url() {
        return "jdbc:mysql://127.0.0.1:%d/".formatted(port);
    }

    /// Returns at once.
    void begin() {
        starting = Thread.ofPlatform().name("start " + folder.getFileName()).start(this::start);
    }

    private void start() {
        try {
            running = EmbeddedBackend.start(folder, port, ACCOUNT, ACCOUNT);
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    boolean serves() {
        return running != null;
    }

    Optional<String> failure() {
        return Optional.ofNullable(failure).map(e -> folder.getFileName() + ": " + e.getMessage());
    }

    void cutPower() {
        awaitStarted();
        EmbeddedBackend server = running;
        if (server != null) {
            running = null;
            server.kill();
        }
    }

    private void awaitStarted() {
        Thread thread = starting;
        if (thread != null) {
            boolean interrupted = false;
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        cutPower();
    }
}
