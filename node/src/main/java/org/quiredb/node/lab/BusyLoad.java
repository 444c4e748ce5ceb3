package org.quiredb.node.lab;

/// Threads that take processors and do nothing with them.
///
/// Threads: opened and closed by one.
final class BusyLoad implements AutoCloseable {
    private volatile boolean closed;

    BusyLoad(int count) {
        for (int i = 0; i < count; i++) {
            Thread.ofPlatform().daemon().name("busy " + i).start(this::spin);
        }
    }

    private void spin() {
        while (!closed) {
            Thread.onSpinWait();
        }
    }

    /// They end soon.
    @Override
    public void close() {
        closed = true;
    }
}
