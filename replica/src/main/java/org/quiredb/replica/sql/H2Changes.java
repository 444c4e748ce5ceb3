package org.quiredb.replica.sql;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.sql.tree.Change;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.From;
import org.quiredb.sql.tree.Function;
import org.quiredb.sql.tree.Query;
import org.quiredb.sql.tree.TreeWalk;

/// Statements that change rows, as H2 makes the changes.
///
/// REPLACE becomes an INSERT whose table removes what is in the way. ORDER BY, LIMIT and joins
/// first choose rows by a query, then change just these.
///
/// Threads: one.
final class H2Changes {
    private static final String LOCATOR = "_ROWID_";

    private final Scope scope;
    private final Operands operands;
    private final Kinds kinds;

    H2Changes(Scope scope, Operands operands, Kinds kinds) {
        this.scope = scope;
        this.operands = operands;
        this.kinds = kinds;
    }

    /// One change for each table whose rows the statement changes.
    ///
    /// @throws org.quiredb.common.error.QuireException what is not run with MySQL's meaning
    List<TableChange> of(Change change) {
        return switch (change) {
            case Change.Insert insert -> List.of(insert(insert));
            case Change.Update update -> List.of(update(update));
            case Change.Delete delete -> delete(delete);
        };
    }

    private H2Text text() {
        return new H2Text(scope, scope.folds(), operands, kinds);
    }

    private TableChange insert(Change.Insert insert) {
        TableLayout layout = scope.table(insert.table());
        H2Text text = text().add(insert.ignore() ? "INSERT IGNORE INTO " : "INSERT INTO ");
        text.name(layout.definition().schema()).add(".").name(layout.definition().name());
        boolean allDefaults =
                insert.query() == null && insert.rows().stream().allMatch(List::isEmpty);
        if (allDefaults) {
            String first = layout.definition().columns().getFirst().name();
            text.add(" ").names(List.of(first)).add(" VALUES ");
            text.separated(insert.rows(), row -> text.add("(DEFAULT)"));
        } else {
            if (!insert.columns().isEmpty()) {
                text.add(" ").names(insert.columns());
            }
            if (insert.query() == null) {
                text.add(" VALUES ");
                text.separated(insert.rows(), row -> row(text, row));
            } else {
                text.add(" ").query(insert.query());
            }
        }
        if (!insert.duplicates().isEmpty()) {
            text.add(" ON DUPLICATE KEY UPDATE ");
            assignments(text, insert.table().called(), layout, insert.duplicates());
        }
        TableChange.Kind kind =
                insert.replaces()
                        ? TableChange.Kind.REPLACE
                        : insert.duplicates().isEmpty()
                                ? TableChange.Kind.INSERT
                                : TableChange.Kind.UPSERT;
        return new TableChange(kind, insert.ignore(), insert.rows().size(), null, 0, text.part());
    }

    private static void row(H2Text text, List<Expression> row) {
        text.add("(");
        text.separated(row, text::of);
        text.add(")");
    }

    private static void assignments(
            H2Text text, String alias, TableLayout layout, List<Change.Assignment> assignments) {
        text.separated(
                assignments,
                one -> {
                    refuseMixedCollations(one.value(), layout);
                    text.name(one.column().name()).add(" = ").of(one.value());
                    text.assign(alias, one.column(), one.value(), type(layout, one.column()));
                });
    }

    private static ColumnType type(TableLayout layout, Expression.Column column) {
        int place = place(layout, column.name());
        if (place < 0) {
            throw org.h2.message.DbException.get(
                    org.h2.api.ErrorCode.COLUMN_NOT_FOUND_1, column.name());
        }
        return layout.rows().type(place);
    }

    private static int place(TableLayout layout, String name) {
        List<ColumnDefinition> columns = layout.definition().columns();
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equalsIgnoreCase(name)) {
                return i;
            }
        }
        return -1;
    }

    private TableChange update(Change.Update update) {
        if (!(update.from() instanceof From.Table table)) {
            return ofJoin(update);
        }
        TableLayout layout = scope.table(table);
        H2Text text = text().add("UPDATE ");
        text.table(table);
        text.add(" SET ");
        assignments(text, table.called(), layout, update.assignments());
        if (update.order().isEmpty() && update.limit() == null) {
            text.forget().condition(" WHERE ", update.where());
            return new TableChange(
                    TableChange.Kind.UPDATE, update.ignore(), 0, null, 0, text.part());
        }
        return new TableChange(
                TableChange.Kind.UPDATE,
                update.ignore(),
                0,
                chosen(table, update.where(), update.order(), update.limit()),
                0,
                text.part());
    }

    /// A query for the locators of one table's rows.
    private TableChange.Part chosen(
            From.Table table,
            @Nullable Expression where,
            List<Query.Order> order,
            Query.@Nullable Limit limit) {
        H2Text text = text().add("SELECT ").add(LOCATOR).add(" FROM ");
        text.table(table);
        text.condition(" WHERE ", where);
        text.rest(order, limit);
        return text.part();
    }

    /// UPDATE of one table's rows with values that a join gives.
    private TableChange ofJoin(Change.Update update) {
        Map<String, From.Table> tables = tables(update.from());
        From.Table table = target(tables, update.assignments());
        if (!update.order().isEmpty() || update.limit() != null) {
            throw Errors.unsupported("UPDATE of several tables");
        }
        TableLayout layout = scope.table(table);
        H2Text choice = text().add("SELECT ").name(table.called()).add(".").add(LOCATOR);
        H2Text action = text().add("UPDATE ");
        action.table(table);
        action.add(" SET ");
        for (int i = 0; i < update.assignments().size(); i++) {
            Change.Assignment one = update.assignments().get(i);
            if (one.value() instanceof Expression.Default) {
                throw Errors.unsupported("DEFAULT in an UPDATE of several tables");
            }
            choice.add(", ").of(one.value());
            choice.assign(table.called(), one.column(), one.value(), type(layout, one.column()));
            action.add(i > 0 ? ", " : "").name(one.column().name()).add(" = ?");
        }
        choice.forget().add(" FROM ").from(update.from());
        choice.condition(" WHERE ", update.where());
        return new TableChange(
                TableChange.Kind.UPDATE,
                update.ignore(),
                0,
                choice.part(),
                update.assignments().size(),
                action.part());
    }

    private From.Table target(Map<String, From.Table> tables, List<Change.Assignment> assignments) {
        String target = null;
        for (Change.Assignment one : assignments) {
            String of =
                    one.column().table().isEmpty()
                            ? owner(tables, one.column().name())
                            : one.column().table().toLowerCase(Locale.ROOT);
            if (of == null || (target != null && !target.equals(of))) {
                throw Errors.unsupported("UPDATE of several tables");
            }
            target = of;
        }
        From.Table table = target == null ? null : tables.get(target);
        if (table == null) {
            throw Errors.unsupported("UPDATE of several tables");
        }
        return table;
    }

    /// The one that has a column of this name, null for none or several.
    private @Nullable String owner(Map<String, From.Table> tables, String column) {
        String owner = null;
        for (Map.Entry<String, From.Table> entry : tables.entrySet()) {
            if (place(scope.table(entry.getValue()), column) >= 0) {
                if (owner != null) {
                    return null;
                }
                owner = entry.getKey();
            }
        }
        return owner;
    }

    /// By what the statement calls them, in lower case.
    private static Map<String, From.Table> tables(From from) {
        Map<String, From.Table> tables = new LinkedHashMap<>();
        collect(from, tables);
        return tables;
    }

    private static void collect(From from, Map<String, From.Table> tables) {
        switch (from) {
            case From.Table table -> {
                if (tables.put(table.called().toLowerCase(Locale.ROOT), table) != null) {
                    throw Errors.unsupported("two tables of one name");
                }
            }
            case From.Derived derived -> {}
            case From.Join join -> {
                collect(join.left(), tables);
                collect(join.right(), tables);
            }
        }
    }

    private List<TableChange> delete(Change.Delete delete) {
        if (!delete.targets().isEmpty()) {
            return ofJoined(delete);
        }
        if (!(delete.from() instanceof From.Table table)) {
            throw Errors.unsupported("DELETE from a join without a target");
        }
        H2Text text = text().add("DELETE FROM ");
        text.table(table);
        if (delete.order().isEmpty() && delete.limit() == null) {
            text.condition(" WHERE ", delete.where());
            return List.of(
                    new TableChange(
                            TableChange.Kind.DELETE, delete.ignore(), 0, null, 0, text.part()));
        }
        return List.of(
                new TableChange(
                        TableChange.Kind.DELETE,
                        delete.ignore(),
                        0,
                        chosen(table, delete.where(), delete.order(), delete.limit()),
                        0,
                        text.part()));
    }

    /// DELETE of tables' rows as a join gives them.
    private List<TableChange> ofJoined(Change.Delete delete) {
        if (!delete.order().isEmpty() || delete.limit() != null) {
            throw Errors.unsupported("DELETE of several tables with ORDER BY or LIMIT");
        }
        Map<String, From.Table> tables = tables(delete.from());
        List<TableChange> changes = new ArrayList<>();
        for (String target : delete.targets()) {
            From.Table table = tables.get(target.toLowerCase(Locale.ROOT));
            if (table == null) {
                throw Errors.unsupported("DELETE from a table that is not joined");
            }
            H2Text choice = text().add("SELECT DISTINCT ").name(table.called()).add(".");
            choice.add(LOCATOR).add(" FROM ").from(delete.from());
            choice.condition(" WHERE ", delete.where());
            H2Text action = text().add("DELETE FROM ");
            action.table(table);
            changes.add(
                    new TableChange(
                            TableChange.Kind.DELETE,
                            delete.ignore(),
                            0,
                            choice.part(),
                            0,
                            action.part()));
        }
        return changes;
    }

    /// Of a value that compares a column that tells cases apart with one that does not.
    private static void refuseMixedCollations(Expression value, TableLayout table) {
        Set<ColumnType.Storage> storages = EnumSet.noneOf(ColumnType.Storage.class);
        boolean[] compares = new boolean[1];
        new TreeWalk() {
            @Override
            public void expression(Expression part) {
                switch (part) {
                    case Expression.Column column -> {
                        int place = place(table, column.name());
                        if (place >= 0) {
                            storages.add(table.rows().type(place).storage());
                        }
                    }
                    case Expression.Binary binary -> compares[0] |= binary.operator().comparison();
                    case Expression.In in -> compares[0] = true;
                    case Expression.InQuery in -> compares[0] = true;
                    case Expression.Like like -> compares[0] = true;
                    case Expression.Between between -> compares[0] = true;
                    case Expression.Case choice -> compares[0] = true;
                    case Expression.Quantified quantified -> compares[0] = true;
                    case Expression.Call call ->
                            compares[0] |=
                                    switch (call.function()) {
                                        case GREATEST, LEAST, COALESCE, IFNULL, NULLIF, IF -> true;
                                        default -> call.function() == Function.FIELD;
                                    };
                    default -> {}
                }
                super.expression(part);
            }
        }.expression(value);
        if (compares[0]
                && storages.contains(ColumnType.Storage.STRING)
                && storages.contains(ColumnType.Storage.FOLDED_STRING)) {
            throw MixedCollations.mixed();
        }
    }
}
