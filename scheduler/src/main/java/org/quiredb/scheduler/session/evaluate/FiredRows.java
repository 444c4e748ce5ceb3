package org.quiredb.scheduler.session.evaluate;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.ForeignKeyDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.scheduler.classify.StoredCalls;
import org.quiredb.scheduler.fallback.Evaluated;
import org.quiredb.scheduler.fallback.Evaluation.Extent;
import org.quiredb.scheduler.fallback.Evaluation.Target;
import org.quiredb.scheduler.session.backend.CalledTables;
import org.quiredb.scheduler.session.backend.ReplicaText;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Where to look for the rows that a change with its triggers may change: of the statement's own
/// tables, which no trigger may touch, where {@link ChangedRows} says, of those to which triggers
/// only add rows behind the last one, else in the whole table.
///
/// Threads: one.
final class FiredRows {
    private static final Set<String> CASCADES = Set.of("CASCADE", "SET NULL");

    private final CalledTables tables;
    private final Set<TableName> own;
    private final Set<TableName> given;
    private final Tokens tokens;
    private final boolean told;

    /// @param own tables whose rows the statement itself changes
    /// @param given as of {@link org.quiredb.scheduler.session.backend.ProgramWalk}
    FiredRows(
            CalledTables tables,
            Set<TableName> own,
            Set<TableName> given,
            ClientStatement statement) {
        this.tables = tables;
        this.own = own;
        this.given = given;
        Edits edits = new Edits(statement.tokens());
        ReplicaText.withLiterals(statement.bound(), statement.tokens(), edits);
        tokens = Tokens.of(edits.made()).plain();
        told =
                !statement.ofSession()
                        && !ChangedRows.hasEffects(tokens)
                        && !tokens.has("DUPLICATE");
    }

    Target of(TableDefinition table) {
        TableName name = new TableName(table.schema(), table.name());
        if (cascades(table)) {
            return Target.whole(table);
        }
        boolean behind = adds(table, name);
        return is(own, name) && !behind
                ? found(table)
                : behind ? Target.behind(table) : Target.whole(table);
    }

    /// What calls a stored function is not asked once more: that may count.
    private Target found(TableDefinition table) {
        Target found = told ? new ChangedRows(tokens).of(List.of(table), 0).getFirst() : null;
        return found == null || StoredCalls.in(Tokens.of(found.from()).plain(), true)
                ? Target.whole(table)
                : found;
    }

    /// Whether its rows may change with others.
    private boolean cascades(TableDefinition table) {
        for (ForeignKeyDefinition key : table.foreignKeys()) {
            boolean follows =
                    CASCADES.contains(key.onDelete()) || CASCADES.contains(key.onUpdate());
            TableName parent = new TableName(key.referencedSchema(), key.referencedTable());
            if (follows && is(tables.changed(), parent)) {
                return true;
            }
        }
        return false;
    }

    private boolean adds(TableDefinition table, TableName name) {
        return tables.onlyAdded(name)
                && !is(given, name)
                && !table.countsByPrefix()
                && table.columns().stream().anyMatch(ColumnDefinition::autoIncrement);
    }

    static boolean is(Set<TableName> names, TableName name) {
        return names.stream()
                .anyMatch(one ->
                        one.database().equalsIgnoreCase(name.database())
                                && one.name().equalsIgnoreCase(name.name()));
    }

    /// Whether the rows of the statement's own tables are as many as the server has counted.
    boolean areAll(List<Target> targets, Evaluated evaluated) {
        boolean partly =
                targets.stream()
                        .anyMatch(
                                target -> isOwn(target.table()) && target.extent() != Extent.TABLE);
        if (!partly || evaluated.failure() != null) {
            return true;
        }
        OptionalLong changed = evaluated.outcome().changedRows();
        boolean updates = changed.isPresent();
        boolean adds = tokens.is(0, "INSERT");
        long rows = 0;
        for (Evaluated.Row row : evaluated.rows()) {
            if (isOwn(row.table())) {
                rows++;
                boolean fits =
                        adds
                                ? row.before() == null
                                : row.before() != null && (row.after() != null) == updates;
                if (!fits) {
                    return false;
                }
            }
        }
        return rows == changed.orElse(evaluated.outcome().affectedRows());
    }

    private boolean isOwn(TableDefinition table) {
        return is(own, new TableName(table.schema(), table.name()));
    }
}
