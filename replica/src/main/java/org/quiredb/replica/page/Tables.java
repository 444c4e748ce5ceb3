package org.quiredb.replica.page;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The tables of a store at one moment, by id. Immutable.
///
/// An id is never used again, so that most of those that there were are of dropped tables: all of
/// these share one place holder, and where a block of ids has no others, one block.
final class Tables {
    private static final int BLOCK_BITS = 8;
    private static final int BLOCK = 1 << BLOCK_BITS;

    private final TablePages gone;
    private final TablePages[] allGone;
    private final @Nullable TablePages[] @Nullable [] blocks;
    private final TablePages[] present;

    /// @param gone stands for every table that is dropped
    Tables(TablePages gone) {
        this(gone, filled(gone), new TablePages[0][], new TablePages[0]);
    }

    private Tables(
            TablePages gone,
            TablePages[] allGone,
            @Nullable TablePages[] @Nullable [] blocks,
            TablePages[] present) {
        this.gone = gone;
        this.allGone = allGone;
        this.blocks = blocks;
        this.present = present;
    }

    private static TablePages[] filled(TablePages gone) {
        TablePages[] block = new TablePages[BLOCK];
        Arrays.fill(block, gone);
        return block;
    }

    /// Null where there never was one.
    @Nullable TablePages get(int tableId) {
        int block = tableId >>> BLOCK_BITS;
        @Nullable TablePages[] ids = block < blocks.length ? blocks[block] : null;
        return ids == null ? null : ids[tableId & (BLOCK - 1)];
    }

    /// Those that are not dropped, by ascending ids. Not to be changed.
    TablePages[] present() {
        return present;
    }

    Tables with(TablePages table) {
        return put(table.tableId(), table);
    }

    Tables without(int tableId) {
        return put(tableId, gone);
    }

    private Tables put(int tableId, TablePages table) {
        int block = tableId >>> BLOCK_BITS;
        @Nullable TablePages[] @Nullable [] others =
                Arrays.copyOf(blocks, Math.max(blocks.length, block + 1));
        @Nullable TablePages[] before = others[block];
        @Nullable TablePages[] ids = before == null ? new TablePages[BLOCK] : before.clone();
        ids[tableId & (BLOCK - 1)] = table;
        others[block] = Arrays.equals(ids, allGone) ? allGone : ids;
        return new Tables(gone, allGone, others, presentWith(tableId, table));
    }

    private TablePages[] presentWith(int tableId, TablePages table) {
        int at = 0;
        while (at < present.length && present[at].tableId() < tableId) {
            at++;
        }
        int rest = at < present.length && present[at].tableId() == tableId ? at + 1 : at;
        int more = table == gone ? 0 : 1;
        TablePages[] now = new TablePages[at + more + present.length - rest];
        System.arraycopy(present, 0, now, 0, at);
        if (more == 1) {
            now[at] = table;
        }
        System.arraycopy(present, rest, now, at + more, present.length - rest);
        return now;
    }
}
