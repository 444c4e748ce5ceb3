package org.quiredb.replica.binding;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.kind.Kinds;
import org.quiredb.replica.kind.ParameterTypes;
import org.quiredb.replica.kind.Scope;
import org.quiredb.replica.layout.ColumnType;
import org.quiredb.replica.layout.TableLayout;
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
/// Longer than most: the kinds of change share how rows are chosen, columns told apart and values
/// assigned. Threads: one.
public final class H2Changes {
    private static final String LOCATOR = "_ROWID_";

    /// A row has at most some thousands.
    private static final int VALUES_AT_ONCE = H2Text.MOST_VALUES / 2;

    private final Scope scope;
    private final ParameterTypes operands;
    private final Kinds kinds;

    H2Changes(Scope scope, ParameterTypes operands, Kinds kinds) {
        this.scope = scope;
        this.operands = operands;
        this.kinds = kinds;
    }

    /// One change for each table whose rows the statement changes, or several of an INSERT.
    ///
    /// @throws org.quiredb.common.error.QuireException what is not run with MySQL's meaning
    List<TableChange> of(Change change) {
        refuseAggregates(change);
        return switch (change) {
            case Change.Insert insert -> insert(insert);
            case Change.Update update -> List.of(update(update));
            case Change.Delete delete -> delete(delete);
        };
    }

    /// Rows that change are in no groups. MariaDB itself ends at an aggregate in the ORDER BY of a
    /// DELETE, so that it is not asked.
    private static void refuseAggregates(Change change) {
        List<Expression> parts = new ArrayList<>();
        List<Query.Order> order = List.of();
        Expression where = null;
        switch (change) {
            case Change.Insert insert -> {
                insert.rows().forEach(parts::addAll);
                insert.duplicates().forEach(one -> parts.add(one.value()));
            }
            case Change.Update update -> {
                update.assignments().forEach(one -> parts.add(one.value()));
                where = update.where();
                order = update.order();
            }
            case Change.Delete delete -> {
                where = delete.where();
                order = delete.order();
            }
        }
        order.forEach(one -> parts.add(one.expression()));
        if (where != null) {
            parts.add(where);
        }
        parts.forEach(
                new TreeWalk() {
                            @Override
                            public void expression(Expression part) {
                                if (part instanceof Expression.Aggregate) {
                                    throw new QuireException(
                                            ErrorCode.INVALID_USE_OF_AGGREGATE,
                                            "Invalid use of group function");
                                }
                                super.expression(part);
                            }

                            @Override
                            public void query(Query query) {}
                        }
                        ::expression);
    }

    private H2Text text() {
        return new H2Text(scope, scope.folds(), operands, kinds);
    }

    /// Several where its rows have more values than H2 takes in one text.
    private List<TableChange> insert(Change.Insert insert) {
        TableLayout layout = scope.table(insert.table());
        if (insert.query() != null) {
            H2Text text = into(insert, layout).names(columns(insert, layout));
            text.add(" ").query(insert.query());
            return List.of(insert(insert, layout, text.part()));
        }
        boolean allDefaults = insert.rows().stream().allMatch(List::isEmpty);
        List<String> columns =
                allDefaults
                        ? List.of(layout.definition().columns().getFirst().name())
                        : columns(insert, layout);
        List<TableChange> changes = new ArrayList<>();
        H2Text text = into(insert, layout).names(columns).add(" VALUES ");
        String before = "";
        for (List<Expression> row : insert.rows()) {
            if (text.values() >= VALUES_AT_ONCE) {
                changes.add(insert(insert, layout, text.part()));
                text = into(insert, layout).names(columns).add(" VALUES ");
                before = "";
            }
            text.add(before);
            before = ", ";
            if (allDefaults) {
                text.add("(DEFAULT)");
            } else {
                row.forEach(value -> refuseTarget(value, layout, false));
                row(text, layout, row);
            }
        }
        changes.add(insert(insert, layout, text.part()));
        return changes;
    }

    private H2Text into(Change.Insert insert, TableLayout layout) {
        boolean goesOn = insert.ignore() || !insert.duplicates().isEmpty();
        H2Text text = text().add(goesOn ? "INSERT IGNORE INTO " : "INSERT INTO ");
        text.name(layout.definition().schema()).add(".").name(layout.definition().name());
        return text.add(" ");
    }

    private TableChange insert(Change.Insert insert, TableLayout layout, TableChange.Part action) {
        TableChange.Kind kind =
                insert.replaces()
                        ? TableChange.Kind.REPLACE
                        : insert.duplicates().isEmpty()
                                ? TableChange.Kind.INSERT
                                : TableChange.Kind.UPSERT;
        return new TableChange(
                kind,
                insert.ignore(),
                insert.rows().size(),
                null,
                0,
                action,
                insert.duplicates().isEmpty() ? null : duplicates(insert, layout),
                returned(insert.table(), layout, insert.returned()));
    }

    private static List<TableChange.Returned> returned(
            From.Table target, TableLayout layout, List<Query.Item> items) {
        List<TableChange.Returned> returned = new ArrayList<>();
        String table = target.called();
        for (Query.Item item : items) {
            if (item instanceof Query.Shown shown) {
                if (!(shown.expression() instanceof Expression.Column column)) {
                    throw Errors.unsupported("RETURNING of an expression");
                }
                requireOf(target, layout, column);
                int place = place(layout, column.name());
                if (place < 0) {
                    throw Scope.unknown(column);
                }
                String heading = shown.alias().isEmpty() ? shown.heading() : shown.alias();
                returned.add(new TableChange.Returned(place, table, heading));
                continue;
            }
            List<ColumnDefinition> columns = layout.definition().columns();
            for (int i = 0; i < columns.size(); i++) {
                if (columns.get(i).visible()) {
                    returned.add(new TableChange.Returned(i, table, columns.get(i).name()));
                }
            }
        }
        return returned;
    }

    /// Made by us and not by H2, which would look for the row by the values as they were given, and
    /// not as the columns hold them, and would compute these a second time.
    private TableChange.Part duplicates(Change.Insert insert, TableLayout layout) {
        if (insert.query() != null) {
            refuseOthers(insert, layout, insert.query());
        }
        insert.duplicates()
                .forEach(one -> refuseTarget(one.value(), layout, insert.query() != null));
        H2Text text = text().inserts(layout).add("UPDATE ");
        text.table(insert.table());
        text.add(" SET ");
        assignments(text, insert.table(), layout, insert.duplicates());
        return text.part();
    }

    /// Servers refuse subqueries over the table that is inserted into; not all of them where the
    /// rows are a query's.
    private void refuseTarget(Expression value, TableLayout target, boolean queried) {
        if (!queries(value, target)) {
            return;
        }
        throw queried
                ? Errors.unsupported("ON DUPLICATE KEY UPDATE that reads its table")
                : new QuireException(
                        ErrorCode.UPDATED_TABLE_USED,
                        "Table '"
                                + target.definition().name()
                                + "' is specified twice, both as a target for 'INSERT' and as a separate source for data");
    }

    /// Whether servers may make a join of it, and then find all rows before they change any: not
    /// where the statement orders its rows and limits them.
    private static boolean joined(Change.Update update) {
        if (update.where() == null || (!update.order().isEmpty() && update.limit() != null)) {
            return false;
        }
        boolean[] found = new boolean[1];
        new TreeWalk() {
            @Override
            public void expression(Expression part) {
                found[0] |=
                        part instanceof Expression.InQuery
                                || part instanceof Expression.Exists
                                || part instanceof Expression.Quantified;
                super.expression(part);
            }

            @Override
            public void query(Query query) {}
        }.expression(update.where());
        return found[0];
    }

    /// Whether a query in it reads the table.
    private boolean queries(@Nullable Expression value, TableLayout target) {
        if (value == null) {
            return false;
        }
        boolean[] found = new boolean[1];
        new TreeWalk() {
            @Override
            protected void from(From from) {
                found[0] |=
                        from instanceof From.Table table
                                && !scope.isDual(table)
                                && scope.table(table).tableId() == target.tableId();
                super.from(from);
            }
        }.expression(value);
        return found[0];
    }

    /// Always named: without them H2 takes `t (SELECT ...) UNION` for something else.
    private static List<String> columns(Change.Insert insert, TableLayout layout) {
        if (insert.columns().isEmpty()) {
            return layout.definition().columns().stream()
                    .filter(ColumnDefinition::visible)
                    .map(ColumnDefinition::name)
                    .toList();
        }
        insert.columns().forEach(column -> requireOf(insert.table(), layout, column));
        return insert.columns().stream().map(Expression.Column::name).toList();
    }

    /// @throws QuireException where the column's qualifier is not what the statement calls the
    ///   table
    private static void requireOf(From.Table table, TableLayout layout, Expression.Column column) {
        if (!(column.table().isEmpty() || column.table().equalsIgnoreCase(table.called()))
                || !(column.schema().isEmpty()
                        || column.schema().equalsIgnoreCase(layout.definition().schema()))) {
            throw Scope.unknown(column);
        }
    }

    /// A value that reads a column that the statement gave one before is not run here.
    private static void row(H2Text text, TableLayout layout, List<Expression> row) {
        row.forEach(value -> refuseColumns(value, layout));
        text.add("(");
        text.separated(row, text::of);
        text.add(")");
    }

    private static void refuseColumns(Expression value, TableLayout layout) {
        ofColumns(
                value,
                column -> {
                    throw layout.has(column.name())
                            ? Errors.unsupported("VALUES that read column " + column.name())
                            : Scope.unknown(column);
                });
    }

    /// For each column that an expression reads itself, not by a query in it.
    private static void ofColumns(Expression value, Consumer<Expression.Column> each) {
        new TreeWalk() {
            @Override
            public void expression(Expression part) {
                if (part instanceof Expression.Column column) {
                    each.accept(column);
                }
                super.expression(part);
            }

            @Override
            public void query(Query query) {}
        }.expression(value);
    }

    /// After ON DUPLICATE KEY UPDATE MySQL knows the columns of the query, too.
    private void refuseOthers(Change.Insert insert, TableLayout layout, Query query) {
        for (Change.Assignment one : insert.duplicates()) {
            ofColumns(
                    one.value(),
                    column -> {
                        boolean others = scope.offers(query, column);
                        boolean ours =
                                layout.has(column.name())
                                        && (column.table().isEmpty()
                                                || column.table()
                                                        .equalsIgnoreCase(insert.table().called()));
                        if (ours && others && column.schema().isEmpty()) {
                            throw Scope.ambiguous(column);
                        }
                        if (others) {
                            throw Errors.unsupported(
                                    "ON DUPLICATE KEY UPDATE that reads column " + column.name());
                        }
                    });
        }
    }

    private static void assignments(
            H2Text text,
            From.Table table,
            TableLayout layout,
            List<Change.Assignment> assignments) {
        text.separated(
                assignments,
                one -> {
                    requireOf(table, layout, one.column());
                    refuseMixedCollations(one.value(), layout);
                    text.name(one.column().name()).add(" = ").of(one.value());
                    text.assign(
                            table.called(), one.column(), one.value(), type(layout, one.column()));
                });
    }

    private static ColumnType type(TableLayout layout, Expression.Column column) {
        int place = place(layout, column.name());
        if (place < 0) {
            throw Scope.unknown(column);
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
        if (joined(update)
                || queries(update.where(), layout)
                || update.assignments().stream().anyMatch(a -> queries(a.value(), layout))) {
            text.unsettled();
        }
        assignments(text, table, layout, update.assignments());
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
        From.Table table = target(update.from(), tables, update.assignments());
        if (!update.order().isEmpty() || update.limit() != null) {
            throw Errors.unsupported("UPDATE of several tables");
        }
        TableLayout layout = scope.table(table);
        if (update.ignore()
                && update.assignments().stream().anyMatch(a -> isUnique(layout, a.column()))) {
            throw Errors.unsupported("UPDATE IGNORE of unique values by a join");
        }
        H2Text choice = text().unsettled();
        choice.add("SELECT ").name(table.called()).add(".").add(LOCATOR);
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

    /// Which of two rows gets a value that both are given hangs on the order of the join.
    private static boolean isUnique(TableLayout layout, Expression.Column column) {
        return layout.definition().indexes().stream()
                .filter(IndexDefinition::unique)
                .flatMap(index -> index.columns().stream())
                .anyMatch(name -> name.equalsIgnoreCase(column.name()));
    }

    private From.Table target(
            From from, Map<String, From.Table> tables, List<Change.Assignment> assignments) {
        String target = null;
        for (Change.Assignment one : assignments) {
            String of = owner(from, tables, one.column());
            if (target != null && !target.equals(of)) {
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

    /// What the statement calls the one that has the column.
    private String owner(From from, Map<String, From.Table> tables, Expression.Column column) {
        if (Scope.hasDerived(from)
                && !tables.containsKey(column.table().toLowerCase(Locale.ROOT))) {
            throw Errors.unsupported("a column that may be a derived table's");
        }
        String owner = null;
        for (Map.Entry<String, From.Table> entry : tables.entrySet()) {
            boolean named = column.table().equalsIgnoreCase(entry.getKey());
            TableLayout layout = scope.table(entry.getValue());
            if (named) {
                requireOf(entry.getValue(), layout, column);
            }
            if (named || (column.table().isEmpty() && place(layout, column.name()) >= 0)) {
                if (owner != null) {
                    throw Scope.ambiguous(column);
                }
                owner = entry.getKey();
            }
        }
        if (owner == null) {
            throw Scope.unknown(column);
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
        boolean all = delete.order().isEmpty() && delete.limit() == null;
        if (all) {
            text.condition(" WHERE ", delete.where());
        }
        return List.of(
                new TableChange(
                        TableChange.Kind.DELETE,
                        delete.ignore(),
                        0,
                        all ? null : chosen(table, delete.where(), delete.order(), delete.limit()),
                        0,
                        text.part(),
                        null,
                        returned(table, scope.table(table), delete.returned())));
    }

    /// DELETE of tables' rows as a join gives them.
    private List<TableChange> ofJoined(Change.Delete delete) {
        if (!delete.order().isEmpty() || delete.limit() != null) {
            throw Errors.unsupported("DELETE of several tables with ORDER BY or LIMIT");
        }
        Map<String, From.Table> tables = tables(delete.from());
        List<TableChange> changes = new ArrayList<>();
        for (org.quiredb.sql.tree.TableName target : delete.targets()) {
            From.Table table = target(delete.from(), tables, target);
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

    private From.Table target(
            From from, Map<String, From.Table> tables, org.quiredb.sql.tree.TableName target) {
        From.Table table = tables.get(target.name().toLowerCase(Locale.ROOT));
        if (table == null && Scope.hasDerived(from)) {
            throw Errors.unsupported("DELETE from what may be a derived table");
        }
        // an alias has no schema, and a table's name without one is of the current schema
        if (table == null
                || (!target.database().isEmpty() && !table.alias().isEmpty())
                || (table.alias().isEmpty() && !scope.sameSchema(target.database(), table))) {
            throw new QuireException(
                    ErrorCode.UNKNOWN_TARGET,
                    "Unknown table '" + target.name() + "' in MULTI DELETE");
        }
        return table;
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
            throw mixedCollations();
        }
    }

    public static QuireException mixedCollations() {
        return Errors.unsupported("texts of several collations in one expression");
    }
}
