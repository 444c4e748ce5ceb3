package org.quiredb.common.schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// What a schema change names, told by who has read it to those who have not.
///
/// @param wholeDatabase the one that it creates, changes or drops as a whole; empty for none
/// @param tables those that it changes, under their old and new names
/// @param parents those that its foreign keys refer to
/// @param sources names after FROM and the like: of tables that are read, or of columns
/// @param drops what is gone stays gone: it may be run again after it was carried out in part
/// @param movesRows rows may change of a table whose definition stays the same
/// @param words every name and word of it but of parents, in lower case
public record SchemaNames(
        String wholeDatabase,
        List<Name> tables,
        List<Name> parents,
        List<Name> sources,
        boolean drops,
        boolean movesRows,
        Set<String> words) {
    /// Of no statement.
    public static final SchemaNames NONE =
            new SchemaNames("", List.of(), List.of(), List.of(), false, false, Set.of());

    public SchemaNames {
        tables = List.copyOf(tables);
        parents = List.copyOf(parents);
        sources = List.copyOf(sources);
        words = Set.copyOf(words);
    }

    /// A table's.
    ///
    /// @param schema empty where the text does not say
    public record Name(String schema, String table) {
        public Name in(String database) {
            return schema.isEmpty() ? new Name(database, table) : this;
        }

        @Override
        public String toString() {
            return schema + "." + table;
        }

        void encode(ByteWriter writer) {
            writer.string(schema).string(table);
        }

        static Name decode(ByteReader reader) {
            return new Name(reader.string(), reader.string());
        }
    }

    /// As of a statement that names no table, and changes this one all the same.
    public SchemaNames with(Name table) {
        Set<String> all = new HashSet<>(words);
        all.add(table.schema().toLowerCase(Locale.ROOT));
        all.add(table.table().toLowerCase(Locale.ROOT));
        return new SchemaNames(
                wholeDatabase, List.of(table), parents, sources, drops, movesRows, all);
    }

    /// Whether a database or table of this name may be meant anywhere in it.
    public boolean names(String name) {
        return words.contains(name.toLowerCase(Locale.ROOT))
                || parents.stream()
                        .anyMatch(parent ->
                                parent.schema().equalsIgnoreCase(name)
                                        || parent.table().equalsIgnoreCase(name));
    }

    /// Whether rows of the table may be others afterwards though its definition is not.
    public boolean movesRowsOf(String table) {
        return movesRows && words.contains(table.toLowerCase(Locale.ROOT));
    }

    public void encode(ByteWriter writer) {
        writer.string(wholeDatabase)
                .list(tables, (w, name) -> name.encode(w))
                .list(parents, (w, name) -> name.encode(w))
                .list(sources, (w, name) -> name.encode(w));
        writer.bool(drops).bool(movesRows);
        writer.list(new ArrayList<>(words), ByteWriter::string);
    }

    public static SchemaNames decode(ByteReader reader) {
        return new SchemaNames(
                reader.string(),
                reader.list(Name::decode),
                reader.list(Name::decode),
                reader.list(Name::decode),
                reader.bool(),
                reader.bool(),
                Set.copyOf(reader.list(ByteReader::string)));
    }
}
