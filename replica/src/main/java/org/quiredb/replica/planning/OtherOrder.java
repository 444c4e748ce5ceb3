package org.quiredb.replica.planning;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.replica.execution.Access;

/// Another order of a query's tables: it begins with rows of a table that lie beside each other,
/// because constants bound its primary key, and goes on by unique keys alone. What H2 has chosen
/// reads the rows of later tables one here, one there, which its costs take for no dearer, and
/// guesses how many a bound leaves that is computed: which of the two is cheaper shows when the
/// plan runs.
///
/// Threads: one.
final class OtherOrder {
    /// How the rows of a table are found in an order, null where nothing bounds them.
    @FunctionalInterface
    interface Accesses {
        @Nullable Access of(List<PlannedTable> order, int level);
    }

    private final Accesses accesses;
    private final List<PlannedTable> order;

    private OtherOrder(List<PlannedTable> tables, Accesses accesses) {
        this.order = new ArrayList<>(tables);
        this.accesses = accesses;
    }

    /// Null for none.
    static @Nullable List<PlannedTable> of(List<PlannedTable> tables, Accesses accesses) {
        for (int first = 1; first < tables.size(); first++) {
            OtherOrder other = new OtherOrder(tables, accesses);
            Collections.swap(other.order, 0, first);
            if (other.beginsWithNeighbours() && other.goesOnByKeys(1)) {
                return List.copyOf(other.order);
            }
        }
        return null;
    }

    private boolean beginsWithNeighbours() {
        int clustered = order.getFirst().table().clustered();
        return clustered >= 0 && access(0, clustered) != null;
    }

    private boolean goesOnByKeys(int level) {
        if (level == order.size()) {
            return true;
        }
        for (int next = level; next < order.size(); next++) {
            Collections.swap(order, level, next);
            List<IndexDefinition> indexes = order.get(level).table().definition().indexes();
            for (int place = 0; place < indexes.size(); place++) {
                Access rows = indexes.get(place).unique() ? access(level, place) : null;
                if (rows != null && rows.single()) {
                    return goesOnByKeys(level + 1);
                }
            }
            Collections.swap(order, level, next);
        }
        return false;
    }

    private @Nullable Access access(int level, int place) {
        PlannedTable table = order.get(level);
        order.set(level, new PlannedTable(table.called(), table.table(), place));
        return accesses.of(order, level);
    }
}
