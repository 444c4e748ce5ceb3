package org.quiredb.replica.planning;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.ResultHeader;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.binding.BoundStatement;
import org.quiredb.replica.execution.Access;
import org.quiredb.replica.execution.Aggregation;
import org.quiredb.replica.execution.ColumnWriter;
import org.quiredb.replica.execution.KeyPart;
import org.quiredb.replica.execution.Late;
import org.quiredb.replica.execution.Level;
import org.quiredb.replica.execution.NotHereException;
import org.quiredb.replica.execution.ReadPlan;
import org.quiredb.replica.execution.SearchCondition;
import org.quiredb.replica.execution.SortPart;
import org.quiredb.replica.layout.Collation;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.From;
import org.quiredb.sql.tree.Query;
import org.quiredb.sql.tree.TreeWalk;

/// Makes a plan of a query that H2 has planned: the tree says what is meant, H2 in which order and
/// by which indexes tables are read.
///
/// Threads: one.
public final class Planning {
    /// @param conditions of its ON; none of an inner join, whose ON is as good as a WHERE
    private record Source(
            String called,
            TableLayout table,
            int place,
            boolean outer,
            List<Expression> conditions) {}

    private final PlanScalars scalars;
    private final Supplier<ResultHeader> described;
    private final List<Source> sources = new ArrayList<>();
    private final List<From.Table> shownOrder = new ArrayList<>();
    private final List<Expression> where = new ArrayList<>();
    private final List<Aggregation> aggregations = new ArrayList<>();

    private Planning(PlanScalars scalars, Supplier<ResultHeader> described) {
        this.scalars = scalars;
        this.described = described;
    }

    /// Null for what plans do not cover.
    ///
    /// @param values how many the statement is given
    /// @param tables in the order in which H2 reads them
    /// @param described how the result's columns are described
    public static @Nullable ReadPlan of(
            Query query,
            int values,
            BoundStatement bound,
            Supplier<List<PlannedTable>> tables,
            Supplier<ResultHeader> described) {
        if (!(query instanceof Query.Select select)
                || !plain(select)
                || bound.makesText()
                || bound.collation() == Collation.OTHER) {
            return null;
        }
        for (TableLayout table : bound.tables()) {
            for (String column : table.enumerations()) {
                if (bound.ordered().contains(column)) {
                    return null;
                }
            }
        }
        try {
            return new Planning(new PlanScalars(values, bound.tables()), described)
                    .plan(select, tables.get());
        } catch (NotHereException e) {
            return null;
        }
    }

    private static boolean plain(Query.Select select) {
        return select.from() != null
                && select.having() == null
                && select.locking() == Query.Locking.NONE;
    }

    private ReadPlan plan(Query.Select select, List<PlannedTable> planned) {
        order(planned);
        from(java.util.Objects.requireNonNull(select.from()));
        if (shownOrder.size() != sources.size()) {
            throw new NotHereException("tables that are joined otherwise");
        }
        conjuncts(select.where(), where);
        PlanOutput output = new PlanOutput(this, select);
        List<ColumnWriter> columns = output.columns();
        boolean grouped = !select.groups().isEmpty();
        boolean aggregated = grouped || output.aggregates();
        if (aggregated && select.distinct()) {
            throw new NotHereException("DISTINCT of groups");
        }
        List<SortPart> groups = aggregated ? output.groups() : null;
        List<SortPart> distinct = select.distinct() ? output.distinct() : null;
        List<SortPart> order =
                select.order().isEmpty() || (aggregated && !grouped) ? null : output.order();
        Late<Long> offset = null;
        Late<Long> limit = null;
        if (select.limit() != null) {
            limit = count(select.limit().rows());
            offset = select.limit().offset() == null ? null : count(select.limit().offset());
        }
        boolean free = aggregated || distinct != null || order == null;
        Boolean inOrder = free ? null : inOrder(select);
        List<Level> levels = levels(Boolean.TRUE.equals(inOrder));
        return new ReadPlan(
                scalars.all(),
                levels,
                groups,
                aggregations,
                distinct,
                inOrder == null ? order : null,
                limit,
                offset,
                columns,
                header(),
                aggregated && output.groupsLookAlike() ? otherwise(select, planned, levels) : null);
    }

    private void order(List<PlannedTable> planned) {
        sources.clear();
        for (PlannedTable table : planned) {
            sources.add(new Source(table.called(), table.table(), table.place(), false, List.of()));
        }
    }

    /// Null where the order that is given is as good as any.
    private @Nullable ReadPlan otherwise(
            Query.Select select, List<PlannedTable> planned, List<Level> levels) {
        boolean byKeys = levels.stream().skip(1).allMatch(level -> level.access().single());
        if (byKeys || levels.stream().anyMatch(Level::outer)) {
            return null;
        }
        List<PlannedTable> other = OtherOrder.of(planned, this::accessIn);
        return other == null ? null : new Planning(scalars.anew(), described).plan(select, other);
    }

    /// Of another order, by an index that is named in it.
    private @Nullable Access accessIn(List<PlannedTable> order, int level) {
        Planning other = new Planning(scalars, described);
        other.order(order);
        List<Expression> matches =
                where.stream().filter(condition -> other.last(condition) == level).toList();
        PlannedTable table = order.get(level);
        return other.bounded(level, table.table(), table.place(), matches);
    }

    private void from(From from) {
        switch (from) {
            case From.Table table -> {
                shownOrder.add(table);
                level(table);
            }
            case From.Derived derived -> throw new NotHereException("a derived table");
            case From.Join join -> {
                if (join.kind() == From.Join.Kind.RIGHT || !join.using().isEmpty()) {
                    throw new NotHereException("a join of another kind");
                }
                from(join.left());
                if (join.kind() == From.Join.Kind.INNER) {
                    from(join.right());
                    conjuncts(join.on(), where);
                    return;
                }
                if (!(join.right() instanceof From.Table right) || join.on() == null) {
                    throw new NotHereException("an outer join of several tables");
                }
                from(right);
                int level = level(right);
                Source source = sources.get(level);
                List<Expression> on = new ArrayList<>();
                conjuncts(join.on(), on);
                sources.set(
                        level,
                        new Source(source.called(), source.table(), source.place(), true, on));
            }
        }
    }

    private int level(From.Table table) {
        String called = table.called().toLowerCase(Locale.ROOT);
        int found = -1;
        for (int i = 0; i < sources.size(); i++) {
            if (sources.get(i).called().equals(called)) {
                if (found >= 0) {
                    throw new NotHereException("two tables of one name");
                }
                found = i;
            }
        }
        if (found < 0) {
            throw new NotHereException("a table that is not read");
        }
        return found;
    }

    private void conjuncts(@Nullable Expression condition, List<Expression> into) {
        if (condition instanceof Expression.Every(List<Expression> parts)) {
            parts.forEach(part -> conjuncts(part, into));
        } else if (condition != null) {
            into.add(scalars.apart(condition));
        }
    }

    private List<Level> levels(boolean descending) {
        PlanConditions conditions = new PlanConditions(this::column);
        List<List<Expression>> placed = new ArrayList<>();
        sources.forEach(source -> placed.add(new ArrayList<>()));
        for (Expression condition : where) {
            placed.get(Math.max(last(condition), 0)).add(condition);
        }
        List<Level> levels = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
            Source source = sources.get(i);
            List<Expression> matches = source.outer() ? source.conditions() : placed.get(i);
            for (Expression condition : matches) {
                if (last(condition) > i) {
                    throw new NotHereException("an ON of tables that come later");
                }
            }
            PlanAccess access = access(i, matches);
            Access rows = access.of(i == 0 && descending);
            levels.add(
                    new Level(
                            rows,
                            source.outer(),
                            all(conditions, matches),
                            source.outer() ? all(conditions, placed.get(i)) : List.of(),
                            i > 0 && rows.single() ? buildSide(i, matches) : null));
        }
        return levels;
    }

    /// The rows of a table that an index finds by conditions on this table alone.
    private Level.@Nullable BuildSide buildSide(int level, List<Expression> matches) {
        Source source = sources.get(level);
        List<Expression> own = new ArrayList<>();
        for (Expression condition : matches) {
            if (first(condition) == level) {
                own.add(condition);
            }
        }
        for (int place = 0; place < source.table().definition().indexes().size(); place++) {
            if (place != source.place()) {
                Access rows = bounded(level, source.table(), place, own);
                if (rows != null) {
                    return new Level.BuildSide(rows, key(level, source));
                }
            }
        }
        return null;
    }

    private @Nullable Access bounded(
            int level, TableLayout table, int place, List<Expression> conditions) {
        try {
            Access rows = new PlanAccess(level, table, place, conditions, this::column).of(false);
            return rows.equal().isEmpty() && rows.list() == null && !rows.ranged() ? null : rows;
        } catch (NotHereException e) {
            return null; // an index of prefixes
        }
    }

    private static List<KeyPart> key(int level, Source source) {
        List<KeyPart> parts = new ArrayList<>();
        for (int column : source.table().keyColumns(source.place())) {
            PlanColumn own = new PlanColumn(level, source.table(), column);
            parts.add(own.key(own, false));
        }
        return parts;
    }

    private PlanAccess access(int level, List<Expression> matches) {
        Source source = sources.get(level);
        return new PlanAccess(level, source.table(), source.place(), matches, this::column);
    }

    private static List<Late<SearchCondition>> all(
            PlanConditions conditions, List<Expression> parts) {
        List<Late<SearchCondition>> all = new ArrayList<>();
        for (Expression part : parts) {
            all.add(conditions.of(part));
        }
        return all;
    }

    /// The last table that it names, -1 for none.
    int last(Expression expression) {
        return named(expression).max().orElse(-1);
    }

    private int first(Expression expression) {
        return named(expression).min().orElse(-1);
    }

    private IntStream named(Expression expression) {
        IntStream.Builder levels = IntStream.builder();
        new TreeWalk() {
            @Override
            public void expression(Expression part) {
                if (part instanceof Expression.Column name) {
                    levels.add(column(name).level());
                }
                super.expression(part);
            }

            @Override
            public void query(Query query) {
                throw new NotHereException("a query within a condition");
            }
        }.expression(expression);
        return levels.build();
    }

    /// @throws NotHereException where not exactly one table has it
    PlanColumn column(Expression.Column name) {
        if (!name.schema().isEmpty()) {
            throw new NotHereException("a column with its schema");
        }
        PlanColumn found = null;
        for (int i = 0; i < sources.size(); i++) {
            Source source = sources.get(i);
            boolean meant =
                    name.table().isEmpty() || name.table().equalsIgnoreCase(source.called());
            if (meant && source.table().has(name.name())) {
                if (found != null) {
                    throw new NotHereException("a column of two tables");
                }
                found = new PlanColumn(i, source.table(), source.table().column(name.name()));
            }
        }
        if (found == null) {
            throw new NotHereException("a column of no table");
        }
        return found;
    }

    /// What `*`, or `table.*`, shows.
    List<PlanColumn> everything(String called) {
        List<PlanColumn> all = new ArrayList<>();
        for (From.Table table : shownOrder) {
            if (called.isEmpty() || called.equalsIgnoreCase(table.called())) {
                int level = level(table);
                TableLayout layout = sources.get(level).table();
                for (int i = 0; i < layout.definition().columns().size(); i++) {
                    if (layout.definition().columns().get(i).visible()) {
                        all.add(new PlanColumn(level, layout, i));
                    }
                }
            }
        }
        return all;
    }

    /// Its place among the aggregates of the plan.
    int aggregation(Aggregation aggregation) {
        int known = aggregations.indexOf(aggregation);
        if (known >= 0) {
            return known;
        }
        aggregations.add(aggregation);
        return aggregations.size() - 1;
    }

    private static Late<Long> count(Expression expression) {
        Late<SqlValue> constant = PlanConditions.constant(expression);
        if (constant == null) {
            throw new NotHereException("a LIMIT of an expression");
        }
        return values -> {
            if (constant.with(values) instanceof SqlValue.IntegerValue(long rows, boolean unsigned)
                    && rows >= 0) {
                return rows;
            }
            throw new NotHereException("a LIMIT that is no number of rows");
        };
    }

    /// Whether the first table's index gives the rows as they are asked for: TRUE backwards, null
    /// where they have to be sorted.
    private @Nullable Boolean inOrder(Query.Select select) {
        Source first = sources.getFirst();
        if (first.place() < 0 || first.outer()) {
            return null;
        }
        List<Expression> matches = new ArrayList<>();
        for (Expression condition : where) {
            if (last(condition) <= 0) {
                matches.add(condition);
            }
        }
        PlanAccess search = access(0, matches);
        Access access = search.of(false);
        if (access.list() != null) {
            return null;
        }
        int[] key = first.table().keyColumns(first.place());
        int at = search.fixed();
        boolean descending = select.order().getFirst().descending();
        for (Query.Order order : select.order()) {
            PlanColumn column = PlanOutput.column(this, select, order.expression());
            if (at == key.length && unique(first)) {
                return descending; // what follows tells no rows apart
            }
            if (column == null
                    || column.level() != 0
                    || order.descending() != descending
                    || at == key.length
                    || key[at] != column.column()) {
                return null;
            }
            at++;
        }
        return descending;
    }

    private static boolean unique(Source source) {
        IndexDefinition index = source.table().definition().indexes().get(source.place());
        return index.unique() && source.table().rejectsNull(index);
    }

    /// Those of the columns that the others in front of them do not decide: with a unique key of a
    /// table come all its columns, and with these the rows that are joined by a unique key.
    List<PlanColumn> deciding(List<PlanColumn> columns) {
        List<PlanColumn> kept = new ArrayList<>();
        for (PlanColumn column : columns) {
            if (!decided(kept).contains(column.level())) {
                kept.add(column);
            }
        }
        return kept;
    }

    private Set<Integer> decided(List<PlanColumn> columns) {
        Set<Integer> decided = new HashSet<>();
        boolean more = true;
        while (more) {
            more = false;
            for (int i = 0; i < sources.size(); i++) {
                if (!decided.contains(i)
                        && !sources.get(i).outer()
                        && decides(i, columns, decided)) {
                    more = decided.add(i);
                }
            }
        }
        return decided;
    }

    private boolean decides(int level, List<PlanColumn> columns, Set<Integer> decided) {
        TableLayout table = sources.get(level).table();
        for (IndexDefinition index : table.definition().indexes()) {
            if (!index.unique() || index.partial() || !table.rejectsNull(index)) {
                continue;
            }
            boolean all = true;
            for (String name : index.columns()) {
                PlanColumn key = new PlanColumn(level, table, table.column(name));
                all &= columns.contains(key) || equalsDecided(key, decided);
            }
            if (all) {
                return true;
            }
        }
        return false;
    }

    private boolean equalsDecided(PlanColumn key, Set<Integer> decided) {
        for (Expression condition : where) {
            if (condition instanceof Expression.Binary(var operator, var left, var right)
                    && operator == org.quiredb.sql.tree.BinaryOperator.EQUAL
                    && left instanceof Expression.Column a
                    && right instanceof Expression.Column b) {
                PlanColumn one = column(a);
                PlanColumn other = column(b);
                if ((one.equals(key) && decided.contains(other.level()) && key.alike(other))
                        || (other.equals(key) && decided.contains(one.level()) && key.alike(one))) {
                    return true;
                }
            }
        }
        return false;
    }

    ResultHeader header() {
        return described.get();
    }
}
