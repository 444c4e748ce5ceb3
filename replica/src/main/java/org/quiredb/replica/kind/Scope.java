package org.quiredb.replica.kind;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.layout.Collation;
import org.quiredb.replica.layout.FoldedTableName;
import org.quiredb.replica.layout.TableLayout;
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
public final class Scope extends TreeWalk {
    /// Finds a table by its name, null where there is none.
    @FunctionalInterface
    public interface Layouts {
        @Nullable TableLayout find(FoldedTableName name);
    }

    /// What H2 calls a row's place, whatever has the name in a statement.
    private static final String LOCATOR = "_rowid_";

    private final String database;
    private final Layouts layouts;
    private final Map<FoldedTableName, TableLayout> tables = new LinkedHashMap<>();
    private final Set<String> columns = new HashSet<>();
    private final Set<String> invisible = new HashSet<>();
    private final Set<String> labels = new HashSet<>();
    private final Map<String, Set<String>> spellings = new HashMap<>();

    public Scope(String database, Layouts layouts) {
        this.database = database;
        this.layouts = layouts;
    }

    /// Of an expression in a table's definition.
    public static Scope of(TableDefinition definition) {
        Scope scope = new Scope(definition.schema(), name -> null);
        scope.addColumns(definition);
        return scope;
    }

    private void addColumns(TableDefinition definition) {
        for (ColumnDefinition column : definition.columns()) {
            columns.add(column.name().toLowerCase(Locale.ROOT));
            if (column.invisible()) {
                invisible.add(column.name().toLowerCase(Locale.ROOT));
            }
            spellings
                    .computeIfAbsent(column.name().toLowerCase(Locale.ROOT), n -> new HashSet<>())
                    .add(column.name());
        }
    }

    /// Whether a table has such a column, and `*` does not show it.
    public boolean hides(String name) {
        return invisible.contains(name.toLowerCase(Locale.ROOT));
    }

    /// Whether a table has such a column, in other letters.
    public boolean spelledOtherwise(String name) {
        return spellings.getOrDefault(name.toLowerCase(Locale.ROOT), Set.of()).stream()
                .anyMatch(spelling -> !spelling.equals(name));
    }

    /// In the order in which the statement names them.
    public List<TableLayout> tables() {
        return List.copyOf(tables.values());
    }

    /// Null where there is no such table.
    @Nullable TableLayout find(From.Table table) {
        return tables.get(name(table));
    }

    /// @throws QuireException where there is no such table
    public TableLayout table(From.Table table) {
        TableLayout layout = tables.get(name(table));
        if (layout == null) {
            throw new QuireException(
                    ErrorCode.NO_SUCH_TABLE,
                    "Table '" + schema(table) + "." + table.name() + "' doesn't exist");
        }
        requireIndexes(layout, table.hints());
        return layout;
    }

    /// A server knows more indexes than memory has, and takes the beginning of a name.
    private static void requireIndexes(TableLayout layout, List<String> named) {
        for (String name : named) {
            if (layout.definition().indexes().stream()
                    .noneMatch(index -> index.name().equalsIgnoreCase(name))) {
                throw Errors.unsupported("a hint of such an index");
            }
        }
    }

    private String schema(From.Table table) {
        return table.schema().isEmpty() ? database : table.schema();
    }

    private FoldedTableName name(From.Table table) {
        return FoldedTableName.of(schema(table), table.name());
    }

    /// Whether the table is that of this name in this schema, the current one where it is empty.
    public boolean sameSchema(String schema, From.Table table) {
        return name(new From.Table(schema, table.name(), "")).equals(name(table));
    }

    public boolean isDual(From.Table table) {
        return table.schema().isEmpty()
                && table.name().equalsIgnoreCase("DUAL")
                && !tables.containsKey(name(table));
    }

    /// @throws QuireException where nothing has the column
    public void requireColumn(Expression.Column column) {
        String name = column.name().toLowerCase(Locale.ROOT);
        if (name.equals(LOCATOR) || !(columns.contains(name) || labels.contains(name))) {
            throw unknown(column.name());
        }
    }

    /// What nothing that the statement names has.
    public static QuireException unknown(Expression.Column column) {
        return unknown(
                (column.schema().isEmpty() ? "" : column.schema() + ".")
                        + (column.table().isEmpty() ? "" : column.table() + ".")
                        + column.name());
    }

    public static QuireException unknown(String column) {
        return new QuireException(
                ErrorCode.UNKNOWN_COLUMN, "Unknown column '" + column + "' in 'field list'");
    }

    /// What several of its tables have.
    public static QuireException ambiguous(Expression.Column column) {
        return new QuireException(
                ErrorCode.AMBIGUOUS_COLUMN,
                "Column '" + column.name() + "' in field list is ambiguous");
    }

    public static boolean hasDerived(From from) {
        return switch (from) {
            case From.Table table -> false;
            case From.Derived derived -> true;
            case From.Join join -> hasDerived(join.left()) || hasDerived(join.right());
        };
    }

    /// MySQL lets an ON name what its join joins, and H2 what stands anywhere in the FROM.
    ///
    /// @throws QuireException where an ON names a column of what is joined later
    public void requireInReach(From whole) {
        requireInReach(whole, whole);
    }

    private void requireInReach(From part, From whole) {
        if (part instanceof From.Join join) {
            requireInReach(join.left(), whole);
            requireInReach(join.right(), whole);
            if (join.on() != null) {
                new TreeWalk() {
                    @Override
                    public void expression(Expression expression) {
                        if (expression instanceof Expression.Column column
                                && !has(join, column)
                                && has(whole, column)) {
                            throw unknown(column);
                        }
                        super.expression(expression);
                    }

                    @Override
                    public void query(Query query) {} // has tables of its own
                }.expression(join.on());
            }
        }
    }

    /// To servers it is the outer query's in some clauses and the inner one's in others, and H2
    /// looks for the least and the greatest among all rows of the outer one's table.
    ///
    /// @throws QuireException where an aggregate has columns, and none of them is the query's own
    public void requireOwnAggregates(Query.Select select) {
        TreeWalk aggregates =
                new TreeWalk() {
                    @Override
                    public void expression(Expression part) {
                        if (part instanceof Expression.Aggregate aggregate
                                && isOfOthers(aggregate, select.from())) {
                            throw Errors.unsupported("an aggregate of an outer query's columns");
                        }
                        super.expression(part);
                    }

                    @Override
                    public void query(Query query) {} // which is looked at itself
                };
        select.items().stream()
                .filter(Query.Shown.class::isInstance)
                .map(Query.Shown.class::cast)
                .forEach(item -> aggregates.expression(item.expression()));
        if (select.having() != null) {
            aggregates.expression(select.having());
        }
        select.order().forEach(one -> aggregates.expression(one.expression()));
    }

    private boolean isOfOthers(Expression.Aggregate aggregate, @Nullable From from) {
        List<Expression.Column> named = new ArrayList<>();
        TreeWalk walk =
                new TreeWalk() {
                    @Override
                    public void expression(Expression part) {
                        if (part instanceof Expression.Column column) {
                            named.add(column);
                        }
                        super.expression(part);
                    }
                };
        aggregate.arguments().forEach(walk::expression);
        return !named.isEmpty()
                && (from == null || named.stream().noneMatch(column -> has(from, column)));
    }

    private boolean has(From from, Expression.Column column) {
        return switch (from) {
            case From.Table table -> {
                TableLayout layout = tables.get(name(table));
                yield column.table().isEmpty()
                        ? layout != null && layout.has(column.name())
                        : column.table().equalsIgnoreCase(table.called());
            }
            case From.Derived(Query query, String alias) ->
                    column.table().isEmpty()
                            ? labels(query, column.name())
                            : column.table().equalsIgnoreCase(alias);
            case From.Join join -> has(join.left(), column) || has(join.right(), column);
        };
    }

    /// Whether a column of the query has this name.
    private boolean labels(Query query, String name) {
        return switch (query) {
            case Query.Union union -> labels(union.left(), name);
            case Query.Select select ->
                    select.items().stream()
                            .anyMatch(item ->
                                    switch (item) {
                                        case Query.Everything all ->
                                                select.from() != null
                                                        && has(
                                                                select.from(),
                                                                new Expression.Column(
                                                                        "", "", name));
                                        case Query.Shown shown ->
                                                label(shown).equalsIgnoreCase(name);
                                    });
        };
    }

    /// Whether ON DUPLICATE KEY UPDATE may name such a column of what the query reads.
    public boolean offers(Query query, Expression.Column column) {
        return switch (query) {
            case Query.Union union -> offers(union.left(), column);
            case Query.Select select ->
                    select.from() != null
                            && select.groups().isEmpty()
                            && !TreeFacts.aggregates(select)
                            && has(select.from(), column);
        };
    }

    /// Whether a table has such a column.
    public boolean hasColumn(String name) {
        return columns.contains(name.toLowerCase(Locale.ROOT));
    }

    /// Whether all text of the tables compares without case.
    public boolean folds() {
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
    public @Nullable Collation collation() {
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

    private static String label(Query.Shown shown) {
        return !shown.alias().isEmpty()
                ? shown.alias()
                : shown.expression() instanceof Expression.Column column
                        ? column.name()
                        : shown.heading();
    }
}
