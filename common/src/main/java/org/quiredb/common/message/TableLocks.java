package org.quiredb.common.message;

import java.util.List;
import java.util.Set;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// Which tables clients of one scheduler have locked against readers (LOCK TABLES ... WRITE).
///
/// @param version grows with each change, 0 before the first
/// @param tables their ids
public record TableLocks(long version, Set<Integer> tables) {
    public static final TableLocks NONE = new TableLocks(0, Set.of());

    private static final int MOST_TABLES = 1 << 16;

    public TableLocks {
        tables = Set.copyOf(tables);
    }

    public TableLocks next(Set<Integer> now) {
        return new TableLocks(version + 1, now);
    }

    void encode(ByteWriter writer) {
        List<Integer> sorted = tables.stream().sorted().toList();
        writer.varint(version).list(sorted, (w, table) -> w.varint(table));
    }

    static TableLocks decode(ByteReader reader) {
        return new TableLocks(reader.varint(), Set.copyOf(reader.list(r -> r.count(MOST_TABLES))));
    }
}
