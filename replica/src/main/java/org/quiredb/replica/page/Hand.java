package org.quiredb.replica.page;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The hand of the pool's clock: goes round all pages of all tables, as they are when it comes by.
///
/// Threads: one at a time.
final class Hand {
    private final Supplier<@Nullable TablePages[]> tables;
    private int tableId;
    private int pageNumber;

    Hand(Supplier<@Nullable TablePages[]> tables) {
        this.tables = tables;
    }

    /// Null where there are no pages.
    @Nullable PageHandle next() {
        @Nullable TablePages[] all = tables.get();
        for (int passed = 0; passed <= all.length; passed++) {
            if (tableId >= all.length) {
                tableId = 0;
                pageNumber = 0;
            }
            TablePages table = all.length == 0 ? null : all[tableId];
            if (table != null && pageNumber < table.handles().length) {
                return table.handles()[pageNumber++];
            }
            tableId++;
            pageNumber = 0;
        }
        return null;
    }

    /// How many steps a round takes.
    long round() {
        long pages = 0;
        for (TablePages table : tables.get()) {
            pages += table == null ? 0 : table.handles().length;
        }
        return pages;
    }
}
