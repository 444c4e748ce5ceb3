package org.quiredb.scheduler.session.transaction;

import org.jspecify.annotations.Nullable;
import org.quiredb.scheduler.cluster.PartSink;
import org.quiredb.scheduler.session.state.Output;

/// Passes the parts of a result on, each when the next one has come, so that the client does not
/// have the end of it before it is released, nor anything of a short one.
///
/// Threads: part on an event loop; release by the session's thread when the call is over; passedOn
/// by any.
final class HeldBack implements PartSink {
    private final Output output;
    private byte @Nullable [] last;
    private volatile boolean passedOn;

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
            passedOn = true;
            output.relay(before, consumed);
        }
    }

    /// Whether the client has something of it, so that nobody else can give it any more.
    boolean passedOn() {
        return passedOn;
    }

    void release() {
        if (last != null) {
            output.relay(last, () -> {});
            last = null;
        }
    }
}
