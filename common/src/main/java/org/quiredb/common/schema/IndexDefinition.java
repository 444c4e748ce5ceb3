package org.quiredb.common.schema;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// An index; the primary key is the one named `PRIMARY`.
///
/// @param prefixes for each column how many of its characters (of its bytes, in a binary column)
///   the index has, 0 for all
public record IndexDefinition(
        String name, boolean unique, List<String> columns, List<Integer> prefixes) {
    public static final String PRIMARY = "PRIMARY";

    private static final int MAXIMUM_COLUMNS = 1 << 12;
    private static final int MAXIMUM_PREFIX = 1 << 24;

    public IndexDefinition {
        if (columns.size() != prefixes.size()) {
            throw new IllegalArgumentException(
                    name + ": " + prefixes.size() + " prefixes for " + columns.size() + " columns");
        }
    }

    /// An index of whole columns.
    public IndexDefinition(String name, boolean unique, List<String> columns) {
        this(name, unique, columns, Collections.nCopies(columns.size(), 0));
    }

    /// Whether it has only the beginning of a column.
    public boolean partial() {
        return prefixes.stream().anyMatch(prefix -> prefix > 0);
    }

    public boolean primary() {
        return name.equals(PRIMARY);
    }

    void encode(ByteWriter writer) {
        writer.string(name).bool(unique).varint(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            writer.string(columns.get(i)).varint(prefixes.get(i));
        }
    }

    static IndexDefinition decode(ByteReader reader) {
        String name = reader.string();
        boolean unique = reader.bool();
        List<String> columns = new ArrayList<>();
        List<Integer> prefixes = new ArrayList<>();
        for (int left = reader.count(MAXIMUM_COLUMNS); left > 0; left--) {
            columns.add(reader.string());
            prefixes.add(reader.count(MAXIMUM_PREFIX));
        }
        return new IndexDefinition(name, unique, List.copyOf(columns), List.copyOf(prefixes));
    }
}
