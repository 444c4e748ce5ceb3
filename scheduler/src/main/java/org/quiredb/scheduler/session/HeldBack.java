package org.quiredb.scheduler.session;

import org.jspecify.annotations.Nullable;
import org.quiredb.scheduler.cluster.PartSink;

/// Passes the parts of a result on, each when the next one has come, so that the client does not
/// have the end of it before it is released.
///
/// Threads: part on an event loop; the rest by the session's thread when the call is over.
final class HeldBack implements PartSink {
    private static final int HEADER = 4;

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

    /// How many packets are held back.
    long packets() {
        byte[] bytes = last == null ? new byte[0] : last;
        long packets = 0;
        for (int at = 0; at < bytes.length; packets++) {
            int length =
                    (bytes[at] & 0xFF) | (bytes[at + 1] & 0xFF) << 8 | (bytes[at + 2] & 0xFF) << 16;
            at += HEADER + length;
        }
        return packets;
    }
}
