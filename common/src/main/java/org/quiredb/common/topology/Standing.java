package org.quiredb.common.topology;

import java.util.List;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// What a replica holds of the stream that it has closed.
///
/// @param epoch of the topology whose master is lost
public record Standing(String replica, long epoch, List<Holding> holdings) {
    /// @param received every write set up to this one has arrived
    /// @param keptFrom the first of those that can still be handed over
    public record Holding(ConflictClass conflictClass, long received, long keptFrom) {}

    public Standing {
        holdings = List.copyOf(holdings);
    }

    long received(ConflictClass conflictClass) {
        return holdings.stream()
                .filter(h -> h.conflictClass.equals(conflictClass))
                .mapToLong(Holding::received)
                .sum();
    }

    /// Whether it can hand over everything after a commit, up to what it holds itself.
    boolean keepsAfter(ConflictClass conflictClass, long commitNumber) {
        return holdings.stream()
                .filter(h -> h.conflictClass.equals(conflictClass))
                .allMatch(h -> h.received <= commitNumber || h.keptFrom <= commitNumber + 1);
    }

    long sum() {
        return holdings.stream().mapToLong(Holding::received).sum();
    }

    public void encode(ByteWriter writer) {
        writer.string(replica).varint(epoch);
        writer.list(
                holdings,
                (w, h) -> {
                    h.conflictClass.encode(w);
                    w.varint(h.received).varint(h.keptFrom);
                });
    }

    public static Standing decode(ByteReader reader) {
        return new Standing(
                reader.string(),
                reader.varint(),
                reader.list(r -> new Holding(ConflictClass.decode(r), r.varint(), r.varint())));
    }
}
