package org.quiredb.replica.result;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Passes the parts of a result on, and keeps copies of them as long as they are not too much.
///
/// Threads: its execution's.
public final class Collecting implements Consumer<byte[]> {
    private final Consumer<byte[]> next;
    private final long maximumBytes;
    private @Nullable List<byte[]> parts = new ArrayList<>(1);
    private long bytes;

    Collecting(Consumer<byte[]> next, long maximumBytes) {
        this.next = next;
        this.maximumBytes = maximumBytes;
    }

    @Override
    public void accept(byte[] part) {
        bytes += part.length;
        if (bytes > maximumBytes) {
            parts = null;
        }
        if (parts != null) {
            parts.add(part.clone()); // before somebody writes into it
        }
        next.accept(part);
    }

    /// Null where they are too much.
    @Nullable List<byte[]> parts() {
        return parts;
    }
}
