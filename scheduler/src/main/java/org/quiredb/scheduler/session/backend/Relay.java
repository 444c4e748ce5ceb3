package org.quiredb.scheduler.session.backend;

import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.scheduler.session.state.Output;

/// Passes packets of the backend on to the client, waiting when the client is slow.
///
/// Threads: accept by the session's thread.
final class Relay implements Consumer<byte[]> {
    private static final int UNDER_WAY = 8;
    private final Semaphore room = new Semaphore(UNDER_WAY);
    private final Output output;
    private final Runnable first;
    private boolean begun;

    /// @param first runs before any packet is passed on
    Relay(Output output, Runnable first) {
        this.output = output;
        this.first = first;
    }

    /// Something is about to be told.
    void begin() {
        if (!begun) {
            begun = true;
            first.run();
        }
    }

    /// A client that takes nothing can be told no more than that it waits for too long.
    private void awaitRoom() {
        try {
            StopSignal.current()
                    .whileWaiting(() -> {
                        room.acquire();
                        return true;
                    });
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            Thread.currentThread().interrupt();
            throw new QuireException(ErrorCode.SERVER_SHUTDOWN, "the scheduler stops", e);
        }
    }

    @Override
    public void accept(byte[] packets) {
        begin();
        awaitRoom();
        output.relay(packets, room::release);
    }
}
