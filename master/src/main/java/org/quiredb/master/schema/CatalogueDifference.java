package org.quiredb.master.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.SnapshotPart;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ConflictClass;

/// What makes one class's part of the catalogue into what the backend has now: pure.
final class CatalogueDifference {
    private CatalogueDifference() {}

    /// @param firstTableId given to the first table that is created, the next ones follow
    static List<SchemaChange> of(
            ConflictClass conflictClass,
            ClassPatterns patterns,
            List<String> schemas,
            List<CatalogueEntry> tables,
            SnapshotPart.Schema now,
            int firstTableId) {
        List<CatalogueEntry> before =
                tables.stream().filter(t -> t.conflictClass().equals(conflictClass)).toList();
        List<TableDefinition> after =
                now.tables().stream()
                        .filter(t -> patterns.classOf(t.schema(), t.name()).equals(conflictClass))
                        .toList();
        Set<String> concerned = new TreeSet<>(Set.of(conflictClass.name()));
        before.forEach(entry -> concerned.add(entry.definition().schema()));
        after.forEach(table -> concerned.add(table.schema()));
        List<SchemaChange> changes = new ArrayList<>();
        concerned.stream()
                .filter(schema -> now.schemas().contains(schema) && !schemas.contains(schema))
                .forEach(schema -> changes.add(new SchemaChange.CreateSchema(schema)));
        Set<TableDefinition> known =
                withoutCounters(before.stream().map(CatalogueEntry::definition));
        Set<TableDefinition> there = withoutCounters(after.stream());
        for (CatalogueEntry entry : before) {
            if (!there.contains(entry.definition().withoutCounter())) {
                changes.add(new SchemaChange.DropTable(entry.tableId()));
            }
        }
        int tableId = firstTableId;
        for (TableDefinition definition : after) {
            if (!known.contains(definition.withoutCounter())) {
                changes.add(new SchemaChange.CreateTable(tableId++, conflictClass, definition));
            }
        }
        concerned.stream()
                .filter(schema -> schemas.contains(schema) && !now.schemas().contains(schema))
                .forEach(schema -> changes.add(new SchemaChange.DropSchema(schema)));
        return changes;
    }

    /// The id under which one of these changes creates the table.
    static Optional<Integer> created(List<SchemaChange> changes, String schema, String table) {
        return changes.stream()
                .filter(change ->
                        change instanceof SchemaChange.CreateTable created
                                && created.definition().schema().equals(schema)
                                && created.definition().name().equals(table))
                .map(change -> ((SchemaChange.CreateTable) change).tableId())
                .findFirst();
    }

    private static Set<TableDefinition> withoutCounters(Stream<TableDefinition> tables) {
        return tables.map(TableDefinition::withoutCounter).collect(Collectors.toSet());
    }
}
