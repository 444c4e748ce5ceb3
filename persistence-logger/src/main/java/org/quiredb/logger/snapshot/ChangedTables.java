package org.quiredb.logger.snapshot;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.quiredb.common.schema.SchemaNames;
import org.quiredb.common.schema.SchemaNames.Name;
import org.quiredb.common.schema.TableDefinition;

/// The tables of a backend after a schema change, of which no more are read than it may have
/// changed: a backend opens every table that it is asked about.
///
/// These are the ones that its statement names in any place, as in the footprint, and those whose
/// foreign keys refer to them. Where a statement names none or many, or none is known, all are
/// read.
///
/// @param schemas that the backend has now
/// @param all in the order of their names
/// @param read those of them that may be others than were known
public record ChangedTables(
        List<String> schemas, List<TableDefinition> all, List<TableDefinition> read) {
    /// From about here on all tables are read as fast.
    private static final int MOST = 8;

    private static final Comparator<Name> IN_ANY_CASE =
            Comparator.comparing(Name::schema, String.CASE_INSENSITIVE_ORDER)
                    .thenComparing(Name::table, String.CASE_INSENSITIVE_ORDER);

    /// @param database that the statement was run in, empty for none
    /// @param known the tables before the change
    public static ChangedTables of(
            SchemaReader reader, SchemaNames names, String database, List<TableDefinition> known)
            throws SQLException {
        SchemaReader.Outline outline = reader.outline(database);
        List<String> schemas = outline.schemas();
        Set<Name> named = new LinkedHashSet<>();
        for (String schema : schemas) {
            if (schema.equalsIgnoreCase(database) || names.names(schema)) {
                (schema.equals(database) ? outline : reader.outline(schema))
                        .names().stream()
                                .map(table -> new Name(schema, table))
                                .filter(table -> isNamed(table, names, database))
                                .forEach(named::add);
            }
        }
        known.stream()
                .map(ChangedTables::name)
                .filter(table -> isNamed(table, names, database))
                .forEach(named::add);
        Set<Name> concerned = withReferring(named, known);
        boolean unknown = known.isEmpty() || (named.isEmpty() && names.wholeDatabase().isEmpty());
        if (unknown || concerned.size() > MOST) {
            List<TableDefinition> all = reader.tables();
            return new ChangedTables(schemas, all, all);
        }
        List<TableDefinition> read = new ArrayList<>();
        for (Name name : concerned) {
            reader.table(name.schema(), name.table()).ifPresent(read::add);
        }
        List<TableDefinition> all = new ArrayList<>(read);
        known.stream().filter(table -> !concerned.contains(name(table))).forEach(all::add);
        all.sort(Comparator.comparing(ChangedTables::name, IN_ANY_CASE));
        return new ChangedTables(schemas, List.copyOf(all), List.copyOf(read));
    }

    /// Whether a statement may be about the table, as far as its text tells.
    public static boolean mayConcern(TableDefinition table, SchemaNames names, String database) {
        return names.words().isEmpty() || isNamed(name(table), names, database);
    }

    private static boolean isNamed(Name table, SchemaNames names, String database) {
        String schema = table.schema();
        return (schema.equalsIgnoreCase(database) || names.names(schema))
                && (schema.equalsIgnoreCase(names.wholeDatabase()) || names.names(table.table()));
    }

    /// A key is defined anew where the table that it refers to, or a column there, is renamed.
    private static Set<Name> withReferring(Set<Name> named, List<TableDefinition> known) {
        Set<Name> inAnyCase = new TreeSet<>(IN_ANY_CASE);
        inAnyCase.addAll(named);
        Set<Name> concerned = new LinkedHashSet<>(named);
        known.stream()
                .filter(table ->
                        table.foreignKeys().stream()
                                .map(key -> new Name(key.referencedSchema(), key.referencedTable()))
                                .anyMatch(inAnyCase::contains))
                .map(ChangedTables::name)
                .forEach(concerned::add);
        return concerned;
    }

    private static Name name(TableDefinition table) {
        return new Name(table.schema(), table.name());
    }
}
