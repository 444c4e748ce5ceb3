package org.quiredb.node.cluster;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.config.ProcessConfig;
import org.quiredb.node.process.NodeProcess;

/// A process of the tier inside this JVM.
///
/// Threads: any; one of its own starts it.
final class ThreadedProcess implements RunningProcess {
    private final NodeProcess process;
    private final Thread starting;
    private volatile @Nullable Throwable failed;

    ThreadedProcess(ProcessConfig config) {
        process = new NodeProcess(config);
        starting = Thread.ofPlatform().name("start " + config.title()).start(this::start);
    }

    private void start() {
        try {
            process.start();
        } catch (RuntimeException | Error e) {
            failed = e;
        }
    }

    @Override
    public Optional<String> failure() {
        return Optional.ofNullable(failed)
                .map(e -> process.config().title() + ": " + e.getMessage());
    }

    @Override
    public void kill() {
        starting.interrupt();
        process.kill();
    }

    @Override
    public void close() {
        starting.interrupt();
        process.close();
    }
}
