package org.quiredb.scheduler.session.evaluate;

import java.util.ArrayList;
import java.util.List;
import org.quiredb.scheduler.session.state.Output;

/// What a CALL shows, or RETURNING, until its rows are changed.
///
/// Threads: one.
final class HeldResults {
    private static final long MOST_BYTES = 16L << 20;

    private final List<byte[]> packets = new ArrayList<>();
    private long bytes;

    /// What is too much is dropped, and refused at the end.
    void add(byte[] more) {
        bytes += more.length;
        if (bytes <= MOST_BYTES) {
            packets.add(more);
        }
    }

    void clear() {
        packets.clear();
        bytes = 0;
    }

    void requireAll() {
        if (bytes > MOST_BYTES) {
            throw EvaluatedChanges.unsupported(
                    "what changes rows otherwise than by itself and shows more than %d bytes"
                            .formatted(MOST_BYTES));
        }
    }

    void passOn(Output output) {
        packets.forEach(one -> output.relay(one, () -> {}));
    }

    List<byte[]> packets() {
        return List.copyOf(packets);
    }
}
