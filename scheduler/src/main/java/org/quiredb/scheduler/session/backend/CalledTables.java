package org.quiredb.scheduler.session.backend;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.schema.ForeignKeyDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.sql.tree.TableName;

/// The tables of a CALL.
///
/// @param named all that it may name
/// @param added those to which it only adds rows, where they are not among the changed
/// @param changed those whose rows it may change otherwise
public record CalledTables(Set<TableName> named, Set<TableName> added, Set<TableName> changed) {
    private static final Set<String> CASCADES = Set.of("CASCADE", "SET NULL");

    public CalledTables {
        Set<TableName> all = new HashSet<>(named);
        all.addAll(added);
        all.addAll(changed);
        named = Set.copyOf(all);
        added = Set.copyOf(added);
        changed = Set.copyOf(changed);
    }

    public Set<TableName> written() {
        Set<TableName> all = new HashSet<>(added);
        all.addAll(changed);
        return all;
    }

    /// Whether of a table no row that was there may be changed.
    public boolean onlyAdded(TableName table) {
        return changed.stream()
                .noneMatch(one ->
                        one.database().equalsIgnoreCase(table.database())
                                && one.name().equalsIgnoreCase(table.name()));
    }

    public boolean covers(CalledTables other) {
        return named.containsAll(other.named)
                && written().containsAll(other.written())
                && changed.containsAll(other.changed);
    }

    /// With all to which foreign keys lead from what is written, of which rows are read, and to
    /// what they lead from there: where they cascade, rows change with those to which they lead.
    public CalledTables withKeys(Catalogue catalogue) {
        Set<TableName> read = new HashSet<>(named);
        Set<TableName> moved = new HashSet<>(changed);
        Deque<TableName> left = new ArrayDeque<>(changed);
        while (!left.isEmpty()) {
            TableName parent = left.remove();
            for (CatalogueEntry entry : catalogue.tables()) {
                TableDefinition table = entry.definition();
                TableName child = new TableName(table.schema(), table.name());
                for (ForeignKeyDefinition key : table.foreignKeys()) {
                    if (!leadsTo(key, parent)) {
                        continue;
                    }
                    read.add(child);
                    boolean cascades =
                            CASCADES.contains(key.onDelete()) || CASCADES.contains(key.onUpdate());
                    if (cascades && moved.add(child)) {
                        left.add(child);
                    }
                }
            }
        }
        CalledTables all = new CalledTables(read, added, moved);
        for (TableName table : all.written()) {
            catalogue
                    .table(table)
                    .ifPresent(entry ->
                            entry.definition()
                                    .foreignKeys()
                                    .forEach(key ->
                                            read.add(
                                                    new TableName(
                                                            key.referencedSchema(),
                                                            key.referencedTable()))));
        }
        return new CalledTables(read, added, moved);
    }

    private static boolean leadsTo(ForeignKeyDefinition key, TableName table) {
        return key.referencedSchema().equals(table.database())
                && key.referencedTable().equals(table.name());
    }
}
