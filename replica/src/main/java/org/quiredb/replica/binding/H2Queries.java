package org.quiredb.replica.binding;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.kind.Kind;
import org.quiredb.replica.kind.Kinds;
import org.quiredb.replica.kind.Scope;
import org.quiredb.replica.kind.TreeFacts;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.From;
import org.quiredb.sql.tree.Query;

/// Writes queries for H2, and the tables that they read.
///
/// Threads: one.
final class H2Queries {
    private final H2Text text;
    private final Scope scope;
    private final Kinds kinds;
    private int depth;
    private boolean shows;
    private boolean heads;

    H2Queries(H2Text text, Scope scope, Kinds kinds) {
        this.text = text;
        this.scope = scope;
        this.kinds = kinds;
    }

    /// The outermost query of a statement that shows rows: its columns are rounded and named as
    /// MySQL shows them.
    void shown(Query query) {
        shows = true;
        query(query);
        shows = false;
    }

    void query(Query query) {
        depth++;
        switch (query) {
            case Query.Select select -> select(select);
            case Query.Union union -> {
                text.add("(");
                query(union.left());
                text.add(union.all() ? ") UNION ALL (" : ") UNION (");
                query(union.right());
                text.add(")");
            }
        }
        depth--;
        rest(query.order(), query.limit());
    }

    private void select(Query.Select select) {
        text.add(select.distinct() ? "SELECT DISTINCT " : "SELECT ");
        boolean headed = heads;
        heads = shows && (select.from() == null || !Scope.hasDerived(select.from()));
        scope.requireOwnAggregates(select);
        text.separated(select.items(), this::item);
        heads = headed;
        boolean wereShown = shows;
        shows = false;
        if (select.from() != null) {
            text.add(" FROM ");
            from(select.from());
        }
        text.condition(" WHERE ", select.where());
        select.groups().forEach(group -> refuseCaptured(group, select));
        select.order().forEach(order -> refuseCaptured(order.expression(), select));
        if (!select.groups().isEmpty()) {
            text.add(" GROUP BY ");
            text.separated(select.groups(), text::of);
        }
        text.condition(" HAVING ", select.having());
        shows = wereShown && depth > 1; // the other side of a UNION
    }

    /// A column that H2 would take for what the query shows under its name, where MySQL takes the
    /// table's: in GROUP BY for anything that is shown, in ORDER BY for what has no alias.
    private void refuseCaptured(Expression expression, Query.Select select) {
        if (!(expression instanceof Expression.Column(String schema, String table, String name))
                || !table.isEmpty()
                || !scope.hasColumn(name)) {
            return;
        }
        boolean grouped = select.groups().contains(expression);
        for (Query.Item item : select.items()) {
            if (item instanceof Query.Shown(Expression shown, String alias, String heading)
                    && !sameColumn(shown, name)
                    && ((grouped && alias.equalsIgnoreCase(name))
                            || heading.equalsIgnoreCase(name))) {
                throw Errors.unsupported("a column of a table and one that is shown, of one name");
            }
        }
    }

    private static boolean sameColumn(Expression shown, String name) {
        return shown instanceof Expression.Column column && column.name().equalsIgnoreCase(name);
    }

    private void item(Query.Item item) {
        switch (item) {
            case Query.Everything(String schema, String table) -> {
                if (!schema.isEmpty()) {
                    text.name(schema).add(".");
                }
                if (!table.isEmpty()) {
                    text.name(table).add(".");
                }
                text.add("*");
            }
            case Query.Shown(Expression expression, String alias, String heading) -> {
                Expression.Binary quotient =
                        shows && kinds.typed(expression).described() == null
                                ? H2Text.quotient(expression)
                                : null;
                if (quotient != null) {
                    text.quotient("SHOWN_QUOTIENT", quotient);
                } else {
                    shownPart(expression);
                }
                String label = alias.isEmpty() ? spelled(expression, heading) : alias;
                if (!label.isEmpty()) {
                    text.add(" AS ").name(label);
                }
            }
        }
    }

    /// MySQL heads a table's column as the statement spells it, H2 as the table does.
    private String spelled(Expression shown, String heading) {
        return heads
                        && shown instanceof Expression.Column column
                        && scope.spelledOtherwise(column.name())
                ? column.name()
                : heading;
    }

    /// A quotient that is shown is rounded, one that is computed with is not; what is both is not
    /// done here.
    private void shownPart(Expression expression) {
        if (shows && TreeFacts.divides(expression) && kinds.typed(expression).described() == null) {
            throw Errors.unsupported("an expression with /");
        }
        if (shows
                && kinds.of(expression) == Kind.BIG_UNSIGNED
                && kinds.typed(expression).described() == null
                && !(expression instanceof Expression.Column
                        || expression instanceof Expression.Aggregate)) {
            throw Errors.unsupported("an unsigned integer that is computed");
        }
        text.of(expression);
    }

    void rest(List<Query.Order> order, Query.@Nullable Limit limit) {
        if (!order.isEmpty()) {
            text.add(" ORDER BY ");
            text.separated(
                    order,
                    one -> {
                        text.of(one.expression());
                        text.add(one.descending() ? " DESC" : "");
                    });
        }
        if (limit != null) {
            text.add(" LIMIT ");
            text.of(limit.rows());
            if (limit.offset() != null) {
                text.add(" OFFSET ");
                text.of(limit.offset());
            }
        }
    }

    void from(From from) {
        scope.requireInReach(from);
        relation(from);
    }

    private void relation(From from) {
        switch (from) {
            case From.Table table -> table(table);
            case From.Derived(Query query, String alias) -> {
                boolean wereShown = shows;
                shows = false;
                text.add("(");
                query(query);
                text.add(") AS ").name(alias);
                shows = wereShown;
            }
            case From.Join join -> join(join);
        }
    }

    void table(From.Table table) {
        if (scope.isDual(table)) {
            text.add("DUAL");
            return;
        }
        TableLayout layout = scope.table(table);
        text.name(layout.definition().schema()).add(".").name(layout.definition().name());
        if (!table.alias().isEmpty()) { // an alias hides the schema from `schema.table.column`
            text.add(" AS ").name(table.alias());
        }
    }

    private void join(From.Join join) {
        relation(join.left());
        boolean cross = join.on() == null && join.using().isEmpty();
        text.add(
                switch (join.kind()) {
                    case INNER -> cross ? " CROSS JOIN " : " INNER JOIN ";
                    case LEFT -> " LEFT JOIN ";
                    case RIGHT -> " RIGHT JOIN ";
                });
        if (join.right() instanceof From.Join nested) {
            text.add("(");
            join(nested);
            text.add(")");
        } else {
            relation(join.right());
        }
        text.condition(" ON ", join.on());
        if (!join.using().isEmpty()) {
            if (join.using().stream().anyMatch(scope::hides)) { // H2's * shows it
                throw Errors.unsupported("USING of an invisible column");
            }
            text.add(" USING ").names(join.using());
        }
    }

    /// One that is a part of an expression, wherever it stands.
    void inner(Query query) {
        boolean wereShown = shows;
        shows = false;
        depth++; // not the outermost
        text.add("(");
        query(query);
        text.add(")");
        depth--;
        shows = wereShown;
    }

    /// Whether what is written is part of a query.
    boolean within() {
        return depth > 0;
    }
}
