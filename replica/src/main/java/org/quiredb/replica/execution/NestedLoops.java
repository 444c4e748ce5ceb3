package org.quiredb.replica.execution;

import java.util.List;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.tree.BTree;

/// Nested loops over the tables of a plan.
///
/// Threads: its execution's.
final class NestedLoops {
    /// So many rows of the first table show what all of them will cost.
    private static final int SAMPLE = 16;

    private final Search[] searches;
    private final boolean[] outer;
    private final SearchCondition[] matches;
    private final SearchCondition[] after;
    private final RowContext at;
    private final Stage stage;
    private final StopSignal stop = StopSignal.current();
    private double cheapest = Double.MAX_VALUE;
    private int firsts;
    private long fetched;
    private boolean dearer;

    NestedLoops(
            Level[] levels, List<SqlValue> values, RowContext at, Weighing weighing, Stage stage) {
        int count = levels.length;
        searches = new Search[count];
        outer = new boolean[count];
        matches = new SearchCondition[count];
        after = new SearchCondition[count];
        for (int i = 0; i < count; i++) {
            Level level = levels[i];
            HashLookup lookup = HashLookup.of(i, level, values, stop, weighing);
            searches[i] = new Search(level.access(), values, stop, lookup);
            outer[i] = level.outer();
            matches[i] = Logic.every(level.matches(), values);
            after[i] = Logic.every(level.after(), values);
        }
        this.at = at;
        this.stage = stage;
    }

    /// Ends after the first rows where they show that another way is cheaper.
    ///
    /// @param otherwise what that costs, in rows that are looked up one by one
    /// @return whether it ran to its end; what the stage was given is of no use if not
    boolean run(double otherwise) {
        stop.check();
        cheapest = otherwise;
        from(0);
        return !dearer;
    }

    /// @return whether more rows are wanted
    private boolean from(int level) {
        Search search = searches[level];
        search.open(at);
        boolean met = false;
        for (long row = search.next(at); row != BTree.NOT_FOUND; row = search.next(at)) {
            at.stand(level, row);
            fetched++;
            if (matches[level].test(at) == SearchCondition.TRUE) {
                met = true;
                if (!behind(level)) {
                    return false;
                }
            }
            if (level == 0 && ++firsts == SAMPLE && isDearer()) {
                return false;
            }
        }
        if (outer[level] && !met) {
            at.stand(level, RowContext.ABSENT);
            return behind(level);
        }
        return true;
    }

    private boolean isDearer() {
        if (cheapest < Double.MAX_VALUE) {
            double rows = searches[0].estimate(at) * ((double) fetched / firsts);
            dearer = rows > cheapest;
        }
        return dearer;
    }

    private boolean behind(int level) {
        if (outer[level] && after[level].test(at) != SearchCondition.TRUE) {
            return true;
        }
        if (level == searches.length - 1) {
            return stage.take(at);
        }
        return stage.refuses(at, level) || from(level + 1);
    }
}
