package org.quiredb.common.topology;

import java.util.List;
import java.util.Set;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// What a replica holds of streams that it has closed.
///
/// @param epoch of the topology whose masters are lost
/// @param closed the masters that it takes nothing in from any more
/// @param holdings of every class, the lost masters' and others
public record Standing(String replica, long epoch, Set<String> closed, List<Holding> holdings) {
    /// @param received every write set up to this one has arrived
    /// @param keptFrom the first of those that can still be handed over
    public record Holding(ConflictClass conflictClass, long received, long keptFrom) {}

    public Standing {
        closed = Set.copyOf(closed);
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

    long sum(Set<ConflictClass> classes) {
        return classes.stream().mapToLong(this::received).sum();
    }

    public void encode(ByteWriter writer) {
        writer.string(replica).varint(epoch);
        writer.list(closed.stream().sorted().toList(), ByteWriter::string);
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
                Set.copyOf(reader.list(ByteReader::string)),
                reader.list(r -> new Holding(ConflictClass.decode(r), r.varint(), r.varint())));
    }
}
