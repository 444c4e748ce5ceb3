package org.quiredb.replica.result;

import java.util.List;
import org.quiredb.common.version.VersionVector;

/// What a statement reads.
///
/// Threads: any.
public final class ReadSet {
    /// @param columns their places in the table
    @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
    public record Columns(int tableId, TableHistory changes, int[] columns) {}

    private final Columns[] tables;

    public ReadSet(List<Columns> tables) {
        this.tables = tables.toArray(Columns[]::new);
    }

    /// The tag's numbers of the tables.
    long[] at(VersionVector tag) {
        long[] numbers = new long[tables.length];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = tag.get(tables[i].tableId());
        }
        return numbers;
    }

    /// Whether what is read is certain to be the same at both.
    ///
    /// @param asked a tag of which everything has been received
    boolean same(long[] made, VersionVector asked) {
        for (int i = 0; i < made.length; i++) {
            Columns table = tables[i];
            long number = asked.get(table.tableId());
            if (number != made[i]
                    && table.changes().last(table.columns()) > Math.min(number, made[i])) {
                return false;
            }
        }
        return true;
    }

    /// Whether one of the tables was newer there.
    boolean newer(long[] made, VersionVector asked) {
        for (int i = 0; i < made.length; i++) {
            if (made[i] > asked.get(tables[i].tableId())) {
                return true;
            }
        }
        return false;
    }
}
