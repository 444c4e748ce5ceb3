package org.quiredb.common.message;

import java.util.List;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// Asks for what the transaction has changed so far, to be laid over the backend's state ({@link
/// Overlay}).
///
/// @param read ids of tables that nobody else may change from now on until the transaction ends
/// @param changed of those that nobody else may read under locks either
/// @param ids how many AUTO_INCREMENT values of the one changed table are wanted, 0 for none: then
///   it is answered as an INSERT that has generated the first of them
/// @param mostRows past which it is refused
public record OverlayStep(List<Integer> read, List<Integer> changed, int ids, int mostRows)
        implements TransactionStep {
    private static final int MOST_TABLES = 1 << 16;

    public OverlayStep {
        read = List.copyOf(read);
        changed = List.copyOf(changed);
    }

    /// Whether it locks tables and asks for nothing else: whoever does that begins again by itself.
    public boolean onlyLocks() {
        return ids == 0 && mostRows == 0;
    }

    void encodeStep(ByteWriter writer) {
        writer.list(read, (w, table) -> w.varint(table));
        writer.list(changed, (w, table) -> w.varint(table));
        writer.varint(ids).varint(mostRows);
    }

    static OverlayStep decodeStep(ByteReader reader) {
        return new OverlayStep(
                reader.list(r -> r.count(MOST_TABLES)),
                reader.list(r -> r.count(MOST_TABLES)),
                reader.count(Integer.MAX_VALUE),
                reader.count(Integer.MAX_VALUE));
    }
}
