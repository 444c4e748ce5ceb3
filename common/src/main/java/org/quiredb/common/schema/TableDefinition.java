package org.quiredb.common.schema;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// A table as read from the backend; every replica builds the same table from it.
///
/// @param checks in the order in which a row is checked; the last one may be of its partitions
/// @param triggers by event, in the order in which they fire
/// @param nextAutoIncrement the value that AUTO_INCREMENT gives next, 0 for a table without one
public record TableDefinition(
        String schema,
        String name,
        List<ColumnDefinition> columns,
        List<IndexDefinition> indexes,
        List<ForeignKeyDefinition> foreignKeys,
        List<CheckDefinition> checks,
        List<TriggerDefinition> triggers,
        long nextAutoIncrement) {
    /// Of a table without triggers.
    public TableDefinition(
            String schema,
            String name,
            List<ColumnDefinition> columns,
            List<IndexDefinition> indexes,
            List<ForeignKeyDefinition> foreignKeys,
            List<CheckDefinition> checks,
            long nextAutoIncrement) {
        this(schema, name, columns, indexes, foreignKeys, checks, List.of(), nextAutoIncrement);
    }

    /// Whether a change of its rows fires a trigger. Who stores rows may do so by other statements:
    /// one that is not guarded is fired by any.
    public boolean fires(TriggerDefinition.Event event) {
        return !triggers.isEmpty()
                && triggers.stream()
                        .anyMatch(trigger -> trigger.event() == event || !trigger.guarded());
    }

    /// The key that tells each of its rows from all others: the primary one, else a unique one
    /// without NULLs. Generated columns are in no log, and tell none.
    public Optional<IndexDefinition> rowKey() {
        return indexes.stream()
                .filter(index ->
                        index.primary()
                                || (index.unique() && isOf(index, TableDefinition::isGiven)))
                .filter(index -> isOf(index, column -> column.generation() == null))
                .min(Comparator.comparing(index -> !index.primary()));
    }

    private static boolean isGiven(ColumnDefinition column) {
        return !column.nullable();
    }

    private boolean isOf(IndexDefinition index, Predicate<ColumnDefinition> columns) {
        return index.columns().stream()
                .allMatch(name ->
                        this.columns.stream()
                                .filter(column -> column.name().equalsIgnoreCase(name))
                                .allMatch(columns));
    }

    /// Whether AUTO_INCREMENT counts anew for each value of the columns that stand before it in its
    /// keys, as only engines without transactions do.
    public boolean countsByPrefix() {
        return columns.stream()
                .filter(ColumnDefinition::autoIncrement)
                .anyMatch(column ->
                        indexes.stream()
                                .noneMatch(index ->
                                        index.columns()
                                                .getFirst()
                                                .equalsIgnoreCase(column.name())));
    }

    /// The definition proper: AUTO_INCREMENT's next value moves without any DDL.
    public TableDefinition withoutCounter() {
        return new TableDefinition(
                schema, name, columns, indexes, foreignKeys, checks, triggers, 0);
    }

    public void encode(ByteWriter writer) {
        writer.string(schema).string(name);
        writer.list(columns, (w, column) -> column.encode(w));
        writer.list(indexes, (w, index) -> index.encode(w));
        writer.list(foreignKeys, (w, key) -> key.encode(w));
        writer.list(checks, (w, check) -> check.encode(w));
        writer.list(triggers, (w, trigger) -> trigger.encode(w)).varint(nextAutoIncrement);
    }

    public static TableDefinition decode(ByteReader reader) {
        return new TableDefinition(
                reader.string(),
                reader.string(),
                reader.list(ColumnDefinition::decode),
                reader.list(IndexDefinition::decode),
                reader.list(ForeignKeyDefinition::decode),
                reader.list(CheckDefinition::decode),
                reader.list(TriggerDefinition::decode),
                reader.varint());
    }
}
