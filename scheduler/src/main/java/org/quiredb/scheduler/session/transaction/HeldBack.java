package org.quiredb.scheduler.session.transaction;

import org.jspecify.annotations.Nullable;
import org.quiredb.scheduler.cluster.PartSink;
import org.quiredb.scheduler.session.state.Output;

/// Passes the parts of a result on, each when the next one has come, so that the client does not
/// have the end of it before it is released.
///
/// Threads: part on an event loop; the rest by the session's thread when the call is over.
final class HeldBack implements PartSink {
    private final Output output;
    private byte @Nullable [] last;

    HeldBack(Output output) {
        this.output = output;
    }

    @Override
    public void part(byte[] packets, Runnable consumed) {
        byte[] before = last;
        last = packets;
        if (before == null) {
            consumed.run(); // else the next part might not come
        } else {
            output.relay(before, consumed);
        }
    }

    void release() {
        if (last != null) {
            output.relay(last, () -> {});
            last = null;
        }
    }
}
