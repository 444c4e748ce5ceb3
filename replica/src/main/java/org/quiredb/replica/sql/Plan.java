package org.quiredb.replica.sql;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.h2.command.Prepared;
import org.h2.engine.SessionLocal;
import org.h2.table.TableFilter;
import org.jspecify.annotations.Nullable;

/// A statement as a session has prepared it, and which of its conditions a scan may check on a
/// row's bytes.
///
/// Threads: its session's.
final class Plan {
    private final Map<Integer, TableFilter> filters;
    private final Map<Integer, List<LikeFilter.Search>> searches = new HashMap<>(2);
    final Prepared prepared;

    /// @param filters how the statement reads each table, without those that it reads in two ways
    Plan(Prepared prepared, Map<Integer, TableFilter> filters) {
        this.prepared = prepared;
        this.filters = filters;
    }

    /// What the rows of the table have to pass in this execution, null for anything.
    @Nullable LikeFilter filter(TableLayout table, SessionLocal session) {
        TableFilter filter = filters.get(table.tableId());
        if (filter == null) {
            return null;
        }
        for (LikeFilter.Search search :
                searches.computeIfAbsent(table.tableId(), id -> LikeFilter.searches(filter))) {
            LikeFilter like = LikeFilter.of(search, table.rows(), session);
            if (like != null) {
                return like;
            }
        }
        return null;
    }
}
