package org.quiredb.replica.result;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.PageId;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.RowShape;
import org.quiredb.common.writeset.WriteSet;

/// Which commits changed what, of the tables that somebody asks for; the rule is the package's.
///
/// Threads: any; guarded by this, but for what {@link TableHistory} shows. Commits of a class come
/// in their order.
public final class ChangeHistory {
    /// The tables of one class by their ids.
    private final Map<ConflictClass, Map<Integer, TableHistory>> classes =
            new ConcurrentHashMap<>();

    /// Notes a table's changes from now on.
    public synchronized TableHistory of(
            int tableId, ConflictClass conflictClass, TableDefinition definition) {
        return classes.computeIfAbsent(conflictClass, c -> new HashMap<>())
                .computeIfAbsent(
                        tableId,
                        id ->
                                new TableHistory(
                                        definition.schema(),
                                        definition.name(),
                                        definition.columns().stream()
                                                .map(ColumnDefinition::name)
                                                .toList(),
                                        definition.columns().stream()
                                                .anyMatch(c -> c.generation() != null)));
    }

    /// Tables that are gone are noted no more; nothing is known of them from now on.
    public synchronized void retain(IntPredicate tables) {
        for (Map<Integer, TableHistory> ofClass : classes.values()) {
            ofClass.entrySet()
                    .removeIf(table -> {
                        boolean gone = !tables.test(table.getKey());
                        if (gone) {
                            table.getValue().everything(TableHistory.UNKNOWN);
                        }
                        return gone;
                    });
        }
    }

    /// A commit whose class is not at its number yet.
    public void committed(WriteSet writeSet) {
        if (classes.containsKey(writeSet.conflictClass())) {
            note(writeSet);
        }
    }

    private synchronized void note(WriteSet writeSet) {
        Map<Integer, TableHistory> tables =
                classes.getOrDefault(writeSet.conflictClass(), Map.of());
        long commitNumber = writeSet.commitNumber();
        for (TableHistory table : tables.values()) {
            if (table.isUnknown()) {
                table.everything(commitNumber - 1);
            }
        }
        for (SchemaChange change : writeSet.schemaChanges()) {
            if (change instanceof SchemaChange.CreateTable created) {
                TableHistory table = tables.get(created.tableId());
                if (table != null) {
                    table.everything(commitNumber);
                }
            }
        }
        List<TableHistory> changed = changed(writeSet, tables);
        if (!changed.isEmpty()) {
            Set<RowShape> shapes = shapes(writeSet);
            changed.forEach(table -> table.changed(shapes, commitNumber));
        }
    }

    /// Those that pages in it are of.
    private static List<TableHistory> changed(
            WriteSet writeSet, Map<Integer, TableHistory> tables) {
        List<TableHistory> changed = new ArrayList<>();
        int last = -1;
        for (PageChange page : writeSet.pages()) {
            int tableId = PageId.tableId(page.pageId());
            if (tableId != last) {
                last = tableId;
                TableHistory table = tables.get(tableId);
                if (table != null && !changed.contains(table)) {
                    changed.add(table);
                }
            }
        }
        return changed;
    }

    /// Null of a schema change, whose rows are nobody's row changes.
    private static @Nullable Set<RowShape> shapes(WriteSet writeSet) {
        if (!writeSet.schemaChanges().isEmpty()) {
            return null;
        }
        Set<RowShape> shapes = new LinkedHashSet<>();
        writeSet.effects().rows().forEachShape(shapes::add);
        return shapes;
    }
}
