package org.quiredb.replica.h2.statement;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.h2.engine.SessionLocal;
import org.h2.table.TableFilter;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.layout.TableLayout;

/// Which of a statement's conditions may be checked on a row's bytes, table by table.
///
/// Threads: its session's.
public final class RowFilters {
    private final Map<Integer, TableFilter> readings;
    private final Map<Integer, List<LikeFilter.Search>> searches = new HashMap<>(2);

    /// @param readings how the statement reads each table, without those that it reads in two ways
    public RowFilters(Map<Integer, TableFilter> readings) {
        this.readings = readings;
    }

    /// What the rows of the table have to pass in this execution, null for anything.
    @Nullable LikeFilter of(TableLayout table, SessionLocal session) {
        TableFilter reading = readings.get(table.tableId());
        if (reading == null) {
            return null;
        }
        List<LikeFilter.Search> known = searches.get(table.tableId());
        if (known == null) {
            known = LikeFilter.searches(reading, table.rows());
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
