package org.quiredb.replica.sql;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.h2.api.ErrorCode;
import org.h2.message.DbException;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.From;
import org.quiredb.sql.tree.Query;
import org.quiredb.sql.tree.TreeWalk;

/// The tables that a statement names, and all names that may be a column's in it.
///
/// Invariant: what H2 is given as a column is a column of a table of ours or a name that the
/// statement itself gives; H2's own (`_ROWID_`, sequences, words like CURRENT_USER) are neither.
///
/// Threads: one.
final class Scope extends TreeWalk {
    /// Finds a table by its name, null where there is none.
    @FunctionalInterface
    interface Layouts {
        @Nullable TableLayout find(TableName name);
    }

    /// What H2 calls a row's place, whatever has the name in a statement.
    private static final String LOCATOR = "_rowid_";

    private final String database;
    private final Layouts layouts;
    private final Map<TableName, TableLayout> tables = new LinkedHashMap<>();
    private final Set<String> columns = new HashSet<>();
    private final Set<String> labels = new HashSet<>();

    Scope(String database, Layouts layouts) {
        this.database = database;
        this.layouts = layouts;
    }

    /// Of an expression in a table's definition.
    static Scope of(TableDefinition definition) {
        Scope scope = new Scope(definition.schema(), name -> null);
        scope.addColumns(definition);
        return scope;
    }

    private void addColumns(TableDefinition definition) {
        for (ColumnDefinition column : definition.columns()) {
            columns.add(column.name().toLowerCase(Locale.ROOT));
        }
    }

    /// In the order in which the statement names them.
    List<TableLayout> tables() {
        return List.copyOf(tables.values());
    }

    /// Null where there is no such table.
    @Nullable TableLayout find(From.Table table) {
        return tables.get(name(table));
    }

    /// @throws DbException where there is no such table
    TableLayout table(From.Table table) {
        TableLayout layout = tables.get(name(table));
        if (layout == null) {
            throw DbException.get(ErrorCode.TABLE_OR_VIEW_NOT_FOUND_1, table.name());
        }
        return layout;
    }

    private TableName name(From.Table table) {
        return TableName.of(table.schema().isEmpty() ? database : table.schema(), table.name());
    }

    boolean isDual(From.Table table) {
        return table.schema().isEmpty()
                && table.name().equalsIgnoreCase("DUAL")
                && !tables.containsKey(name(table));
    }

    /// @throws DbException where nothing has the column
    void requireColumn(Expression.Column column) {
        String name = column.name().toLowerCase(Locale.ROOT);
        if (name.equals(LOCATOR) || !(columns.contains(name) || labels.contains(name))) {
            throw DbException.get(ErrorCode.COLUMN_NOT_FOUND_1, column.name());
        }
    }

    /// Whether a table has such a column.
    boolean hasColumn(String name) {
        return columns.contains(name.toLowerCase(Locale.ROOT));
    }

    /// Whether all text of the tables compares without case.
    boolean folds() {
        boolean folded = false;
        for (TableLayout table : tables.values()) {
            if (table.rows().cased()) {
                return false;
            }
            folded |= table.rows().collation() != null;
        }
        return folded;
    }

    /// That of the tables, OTHER for several, null for none.
    @Nullable Collation collation() {
        Collation found = null;
        for (TableLayout table : tables.values()) {
            Collation of = table.rows().collation();
            if (of != null) {
                found = found == null || found == of ? of : Collation.OTHER;
            }
        }
        return found;
    }

    @Override
    protected void named(From.Table table) {
        TableLayout layout = layouts.find(name(table));
        if (layout == null) {
            return;
        }
        tables.put(name(table), layout);
        addColumns(layout.definition());
    }

    @Override
    protected void shown(Query.Shown shown) {
        String label = shown.alias().isEmpty() ? shown.heading() : shown.alias();
        if (!label.isEmpty()) {
            labels.add(label.toLowerCase(Locale.ROOT));
        }
        super.shown(shown);
    }
}
