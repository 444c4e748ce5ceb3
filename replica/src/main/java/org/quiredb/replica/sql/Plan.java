package org.quiredb.replica.sql;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.h2.command.Prepared;
import org.h2.command.query.Select;
import org.h2.engine.SessionLocal;
import org.h2.result.ResultInterface;
import org.h2.table.TableFilter;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.ResultHeader;

/// A statement as a session has prepared it, and which of its conditions a scan may check on a
/// row's bytes.
///
/// Threads: its session's.
final class Plan {
    private final Map<Integer, TableFilter> filters;
    private final Map<Integer, List<LikeFilter.Search>> searches = new HashMap<>(2);
    final Prepared prepared;
    final @Nullable DirectQuery direct;

    /// Whether an execution is sure to be short.
    final boolean point;

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
        this.filters = filters;
        this.direct = DirectQuery.of(prepared);
        this.point = direct != null && PointRead.is(prepared, filters);
    }

    /// False where the last execution failed, and left who knows what behind.
    boolean begin() {
        boolean usable = !running;
        running = true;
        return usable;
    }

    void end() {
        running = false;
    }

    /// Of a query that is direct.
    ResultHeader header(Catalogue catalogue, List<ShownColumn> shown) {
        ResultHeader known = header;
        return known == null || !shown.equals(described)
                ? header(prepared.queryMeta(), catalogue, shown)
                : known;
    }

    /// How the result's columns are described. An expression's type may depend on the values of an
    /// execution, a table's column is always the same.
    ResultHeader header(ResultInterface result, Catalogue catalogue, List<ShownColumn> shown) {
        ResultHeader known = header;
        if (known != null && shown.equals(described)) {
            return known;
        }
        ResultHeader made = ResultHeader.of(ResultColumns.of(result, catalogue.byName(), shown));
        if (made.columns().stream().noneMatch(column -> column.originalTable().isEmpty())) {
            header = made;
            described = shown;
        }
        return made;
    }

    /// A query's tables in the order in which it reads them, each with how its rows are found.
    List<String> steps() {
        List<String> steps = new ArrayList<>();
        TableFilter first = prepared instanceof Select select ? select.getTopTableFilter() : null;
        collect(first, steps);
        return steps;
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

    /// What the rows of the table have to pass in this execution, null for anything.
    @Nullable LikeFilter filter(TableLayout table, SessionLocal session) {
        TableFilter filter = filters.get(table.tableId());
        if (filter == null) {
            return null;
        }
        List<LikeFilter.Search> known = searches.get(table.tableId());
        if (known == null) {
            known = LikeFilter.searches(filter);
            searches.put(table.tableId(), known);
        }
        for (LikeFilter.Search search : known) {
            LikeFilter like = LikeFilter.of(search, table.rows(), session);
            if (like != null) {
                return like;
            }
        }
        return null;
    }
}
