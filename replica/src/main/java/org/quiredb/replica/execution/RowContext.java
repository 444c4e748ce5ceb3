package org.quiredb.replica.execution;

import java.util.Arrays;
import java.util.function.LongFunction;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.tree.RowPages;
import org.quiredb.replica.tree.RowRef;

/// The rows that an execution stands on, one of each table, and what was computed for them.
///
/// Threads: its execution's.
public final class RowContext {
    private static final byte[] NONE = {};
    static final long ABSENT = -1;

    private final PageAccess access;
    private final Rows[] tables;
    private final byte[][] pages;
    private final int[] offsets;
    private final long[] locators;
    private Tally tally;

    /// Neighbours are often on one page.
    private static final class Rows implements LongFunction<byte[]> {
        private static final long NO_PAGE = -1;

        private final PageAccess access;
        private final RowPages rows;
        private long pageId = NO_PAGE;
        private byte[] page = NONE;

        Rows(PageAccess access, RowPages rows) {
            this.access = access;
            this.rows = rows;
        }

        @Override
        public byte[] apply(long id) {
            if (id != pageId) {
                page = access.read(id);
                pageId = id;
            }
            return page;
        }
    }

    RowContext(PageAccess access, Level[] levels) {
        this.access = access;
        this.tables = new Rows[levels.length];
        for (int i = 0; i < tables.length; i++) {
            tables[i] = new Rows(access, levels[i].access().rows());
        }
        this.pages = new byte[tables.length][];
        Arrays.fill(pages, NONE);
        this.offsets = new int[tables.length];
        this.locators = new long[tables.length];
        this.tally = Tally.NONE;
    }

    PageAccess access() {
        return access;
    }

    public byte[] page(int table) {
        return pages[table];
    }

    public int offset(int table) {
        return offsets[table];
    }

    /// Whether an outer join found no row of the table.
    public boolean absent(int table) {
        return offsets[table] < 0;
    }

    /// What the aggregates have of the group that is shown.
    public Tally tally() {
        return tally;
    }

    void tally(Tally shown) {
        tally = shown;
    }

    long[] locators() {
        return locators.clone();
    }

    void stand(int table, long locator) {
        locators[table] = locator;
        if (locator == ABSENT) {
            pages[table] = NONE;
            offsets[table] = -1;
            return;
        }
        RowRef row = tables[table].rows.row(tables[table], locator);
        if (row == null) {
            throw new IllegalStateException(
                    "an index points to no row: " + Long.toHexString(locator));
        }
        pages[table] = row.page();
        offsets[table] = row.offset();
    }

    /// Stands again where it stood.
    void stand(long[] on) {
        for (int i = 0; i < on.length; i++) {
            stand(i, on[i]);
        }
    }
}
