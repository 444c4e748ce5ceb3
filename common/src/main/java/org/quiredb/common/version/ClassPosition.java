package org.quiredb.common.version;

import java.util.List;
import java.util.stream.Collectors;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// How far along a class's commit order something is: received, logged, stable or applied, as its
/// user says.
public record ClassPosition(ConflictClass conflictClass, long commitNumber) {
    /// For a log: `shop 8120, tpcw 17`; of none `no commit`.
    public static String inWords(List<ClassPosition> positions) {
        return positions.isEmpty()
                ? "no commit"
                : positions.stream()
                        .map(p -> p.conflictClass + " " + p.commitNumber)
                        .collect(Collectors.joining(", "));
    }

    public void encode(ByteWriter writer) {
        conflictClass.encode(writer);
        writer.varint(commitNumber);
    }

    public static ClassPosition decode(ByteReader reader) {
        return new ClassPosition(ConflictClass.decode(reader), reader.varint());
    }
}
