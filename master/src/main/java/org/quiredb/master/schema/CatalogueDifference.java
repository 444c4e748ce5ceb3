package org.quiredb.master.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.SnapshotPart;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;

/// What makes one schema of the catalogue into what the backend has now: pure.
final class CatalogueDifference {
    private CatalogueDifference() {}

    /// @param firstTableId given to the first table that is created, the next ones follow
    static List<SchemaChange> of(
            String schema,
            List<String> schemas,
            List<CatalogueEntry> tables,
            SnapshotPart.Schema now,
            int firstTableId) {
        List<SchemaChange> changes = new ArrayList<>();
        boolean was = schemas.contains(schema);
        boolean is = now.schemas().contains(schema);
        if (is && !was) {
            changes.add(new SchemaChange.CreateSchema(schema));
        }
        List<CatalogueEntry> before =
                tables.stream().filter(t -> t.definition().schema().equals(schema)).toList();
        List<TableDefinition> after =
                now.tables().stream().filter(t -> t.schema().equals(schema)).toList();
        for (CatalogueEntry entry : before) {
            if (after.stream().noneMatch(definition -> same(definition, entry.definition()))) {
                changes.add(new SchemaChange.DropTable(entry.tableId()));
            }
        }
        int tableId = firstTableId;
        for (TableDefinition definition : after) {
            if (before.stream().noneMatch(entry -> same(definition, entry.definition()))) {
                changes.add(new SchemaChange.CreateTable(tableId++, definition));
            }
        }
        if (was && !is) {
            changes.add(new SchemaChange.DropSchema(schema));
        }
        return changes;
    }

    /// The id under which one of these changes creates the table.
    static Optional<Integer> created(List<SchemaChange> changes, String table) {
        return changes.stream()
                .filter(change ->
                        change instanceof SchemaChange.CreateTable created
                                && created.definition().name().equals(table))
                .map(change -> ((SchemaChange.CreateTable) change).tableId())
                .findFirst();
    }

    private static boolean same(TableDefinition a, TableDefinition b) {
        return a.withoutCounter().equals(b.withoutCounter());
    }
}
