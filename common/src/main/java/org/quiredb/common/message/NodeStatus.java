package org.quiredb.common.message;

import java.util.List;
import java.util.stream.Collectors;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// What a role tells of itself: to schedulers as heartbeat, to `quire status`, and as metrics.
///
/// @param role `master`, `slave`, `spare`, `scheduler` or `logger`
/// @param state `loading`, `joining`, `serving` or `stopped`; of a scheduler also `waiting`, for
///   what no replica has
/// @param masterOf the classes that it takes updates of, and since which epoch; the leader's has
///   one more, of no name, for the classes that are yet to come
/// @param positions received (replica), stable (master) or applied (logger) commit number of each
///   class
/// @param vector the stable version vector where it is known, else empty
/// @param catalogueVersion grows with every schema change
/// @param figures counters and gauges by name, as in docs/metrics.md
/// @param troubles what does not work and since when, in sentences
/// @param waits of a master, a few of those that wait for locks
public record NodeStatus(
        String name,
        String role,
        String state,
        long processId,
        int port,
        long epoch,
        List<Mastered> masterOf,
        List<ClassPosition> positions,
        VersionVector vector,
        long catalogueVersion,
        List<Figure> figures,
        List<String> troubles,
        List<LockWait> waits) {
    /// Of one that has no troubles and where nobody waits.
    public NodeStatus(
            String name,
            String role,
            String state,
            long processId,
            int port,
            long epoch,
            List<Mastered> masterOf,
            List<ClassPosition> positions,
            VersionVector vector,
            long catalogueVersion,
            List<Figure> figures) {
        this(
                name,
                role,
                state,
                processId,
                port,
                epoch,
                masterOf,
                positions,
                vector,
                catalogueVersion,
                figures,
                List.of(),
                List.of());
    }

    /// A replica's figure: 1 when it lacks something that the asker's oldest tag names.
    public static final String LACKS_TAG = "tag.lacking";

    /// A master's figure: 1 while it takes a schema change in, of which one that joins has not
    /// heard the first part.
    public static final String TAKES_SCHEMA = "schema.taking";

    /// Before a table's name: 1 when the replica only reads it, 2 when the backend alone serves it.
    public static final String LIMITED_TABLE = "table.limited.";

    /// A scheduler's figure: for how long no replica has had what its tags name.
    public static final String TAG_UNREACHED = "tags.unreached.seconds";

    /// A scheduler's figures: the port where it shows the tier to browsers, one of the two.
    public static final String CONSOLE = "console.port";

    public static final String CONSOLE_ON_LOOPBACK = "console.port.loopback";

    public record Mastered(ConflictClass conflictClass, long term) {}

    public record Figure(String name, double value) {}

    /// Of a logger: whether another one is active, or this one is only about to be.
    public boolean standsBy() {
        return state.equals("standby") || state.equals("beginning");
    }

    public boolean leads() {
        return takes(ConflictClass.NONE);
    }

    /// For a log: `slave`, `master of shop, tpcw and what is yet to come`.
    public String roleInWords() {
        String classes =
                masterOf.stream()
                        .map(m -> m.conflictClass().name())
                        .filter(name -> !name.isEmpty())
                        .sorted()
                        .collect(Collectors.joining(", "));
        return role
                + (classes.isEmpty() ? "" : " of " + classes)
                + (leads() ? " and what is yet to come" : "");
    }

    public boolean takes(ConflictClass conflictClass) {
        return masterOf.stream().anyMatch(m -> m.conflictClass.equals(conflictClass));
    }

    public double figure(String figure) {
        return figures.stream().filter(f -> f.name.equals(figure)).mapToDouble(Figure::value).sum();
    }

    public void encode(ByteWriter writer) {
        writer.string(name).string(role).string(state).varint(processId).varint(port).varint(epoch);
        writer.list(
                masterOf,
                (w, m) -> {
                    m.conflictClass.encode(w);
                    w.varint(m.term);
                });
        writer.list(positions, (w, position) -> position.encode(w));
        vector.encode(writer);
        writer.varint(catalogueVersion);
        writer.list(figures, (w, f) -> w.string(f.name).i64(Double.doubleToRawLongBits(f.value)));
        writer.list(troubles, ByteWriter::string);
        writer.list(waits, (w, wait) -> wait.encode(w));
    }

    public static NodeStatus decode(ByteReader reader) {
        return new NodeStatus(
                reader.string(),
                reader.string(),
                reader.string(),
                reader.varint(),
                reader.count(0xFFFF),
                reader.varint(),
                reader.list(r -> new Mastered(ConflictClass.decode(r), r.varint())),
                reader.list(ClassPosition::decode),
                VersionVector.decode(reader),
                reader.varint(),
                reader.list(r -> new Figure(r.string(), Double.longBitsToDouble(r.i64()))),
                reader.list(ByteReader::string),
                reader.list(LockWait::decode));
    }
}
