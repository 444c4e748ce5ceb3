package org.quiredb.replica.h2.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.h2.command.Prepared;
import org.h2.command.query.Select;
import org.h2.result.ResultInterface;
import org.h2.table.TableFilter;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.ResultHeader;
import org.quiredb.replica.execution.NotHereException;
import org.quiredb.replica.h2.statement.RowFilters;
import org.quiredb.replica.h2.table.QuireIndex;
import org.quiredb.replica.h2.table.QuireTable;
import org.quiredb.replica.h2.table.ScanIndex;
import org.quiredb.replica.kind.ShownColumn;
import org.quiredb.replica.layout.FoldedTableName;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.replica.planning.PlannedTable;

/// A statement as a session has prepared it.
///
/// Threads: its session's.
public final class Plan {
    private final Prepared prepared;
    private final RowFilters filters;
    private final @Nullable DirectQuery direct;
    private final boolean point;
    private @Nullable ResultHeader header;

    /// What the header was made of.
    private List<ShownColumn> described = List.of();

    /// Whether an execution has begun and not ended well.
    private boolean running;

    /// @param filters how the statement reads each table, without those that it reads in two ways
    /// @throws org.quiredb.common.error.QuireException when it compares in several collations
    Plan(Prepared prepared, Map<Integer, TableFilter> filters) {
        MixedCollations.refuse(prepared);
        if (prepared instanceof Select select && select.getExpressions().isEmpty()) {
            throw new QuireException(
                    ErrorCode.SYNTAX_ERROR, "You have an error in your SQL syntax near 'FROM'");
        }
        this.prepared = prepared;
        this.filters = new RowFilters(filters);
        this.direct = DirectQuery.of(prepared);
        this.point = direct != null && PointRead.is(prepared, filters);
    }

    public Prepared prepared() {
        return prepared;
    }

    /// What rows have to pass to be looked at.
    public RowFilters filters() {
        return filters;
    }

    /// Null where H2 makes the result.
    public @Nullable DirectQuery direct() {
        return direct;
    }

    /// Whether an execution is sure to be short.
    public boolean point() {
        return point;
    }

    /// False where the last execution failed, and left who knows what behind.
    boolean begin() {
        boolean usable = !running;
        running = true;
        return usable;
    }

    public void end() {
        running = false;
    }

    /// Of a query that is direct.
    public ResultHeader header(Map<FoldedTableName, TableLayout> tables, List<ShownColumn> shown) {
        ResultHeader known = header;
        return known == null || !shown.equals(described)
                ? header(prepared.queryMeta(), tables, shown)
                : known;
    }

    /// How the result's columns are described. An expression's type may depend on the values of an
    /// execution, a table's column is always the same.
    public ResultHeader header(
            ResultInterface result,
            Map<FoldedTableName, TableLayout> tables,
            List<ShownColumn> shown) {
        ResultHeader known = header;
        if (known != null && shown.equals(described)) {
            return known;
        }
        ResultHeader made = ResultHeader.of(ResultColumns.of(result, tables, shown));
        if (made.columns().stream().noneMatch(column -> column.originalTable().isEmpty())) {
            header = made;
            described = shown;
        }
        return made;
    }

    /// A query's tables in the order in which it reads them, each with how its rows are found.
    public List<String> steps() {
        List<String> steps = new ArrayList<>();
        TableFilter first = prepared instanceof Select select ? select.getTopTableFilter() : null;
        collect(first, steps);
        return steps;
    }

    /// The tables of a query in the order in which H2 reads them.
    ///
    /// @throws NotHereException where it reads something else
    public List<PlannedTable> tables() {
        if (!(prepared instanceof Select select) || select.isQuickAggregateQuery()) {
            throw new NotHereException("no SELECT of rows");
        }
        List<PlannedTable> tables = new ArrayList<>();
        for (TableFilter filter = select.getTopTableFilter();
                filter != null;
                filter = filter.getJoin()) {
            if (filter.getNestedJoin() != null
                    || !(filter.getTable() instanceof QuireTable table)) {
                throw new NotHereException("a table of another kind");
            }
            int place = filter.getIndex() instanceof QuireIndex index ? index.place() : -1;
            if (place < 0 && !(filter.getIndex() instanceof ScanIndex)) {
                throw new NotHereException("an index of another kind");
            }
            tables.add(
                    new PlannedTable(
                            filter.getTableAlias().toLowerCase(Locale.ROOT),
                            table.layout(),
                            place));
        }
        return tables;
    }

    private static void collect(@Nullable TableFilter from, List<String> steps) {
        for (TableFilter filter = from; filter != null; filter = filter.getJoin()) {
            if (filter.getNestedJoin() != null) {
                collect(filter.getNestedJoin(), steps);
            } else {
                steps.add(filter.getTableAlias() + ": " + how(filter));
            }
        }
    }

    private static String how(TableFilter filter) {
        if (filter.getTable() instanceof QuireTable table
                && filter.getIndex() instanceof QuireIndex index) {
            return table.layout().definition().indexes().get(index.place()).name();
        }
        return filter.getTable() instanceof QuireTable ? "every row" : "derived";
    }
}
