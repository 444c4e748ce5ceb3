package org.quiredb.replica.page;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The hand of the pool's clock: goes round all pages of all tables, as they are when it comes by.
///
/// Threads: one at a time.
final class Hand {
    private final Supplier<TablePages[]> tables;
    private int place;
    private int pageNumber;

    Hand(Supplier<TablePages[]> tables) {
        this.tables = tables;
    }

    /// Null where there are no pages.
    @Nullable PageHandle next() {
        TablePages[] all = tables.get();
        for (int passed = 0; passed <= all.length; passed++) {
            if (place >= all.length) {
                place = 0;
                pageNumber = 0;
            }
            if (all.length > 0 && pageNumber < all[place].handles().length) {
                return all[place].handles()[pageNumber++];
            }
            place++;
            pageNumber = 0;
        }
        return null;
    }

    /// How many steps a round takes.
    long round() {
        long pages = 0;
        for (TablePages table : tables.get()) {
            pages += table.handles().length;
        }
        return pages;
    }
}
