package org.quiredb.scheduler.session;

import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/// Passes packets of the backend on to the client, waiting when the client is slow.
///
/// Threads: accept by the session's thread.
final class Relay implements Consumer<byte[]> {
    private static final int UNDER_WAY = 8;
    private final Semaphore room = new Semaphore(UNDER_WAY);
    private final Output output;

    Relay(Output output) {
        this.output = output;
    }

    @Override
    public void accept(byte[] packets) {
        room.acquireUninterruptibly();
        output.relay(packets, room::release);
    }
}
