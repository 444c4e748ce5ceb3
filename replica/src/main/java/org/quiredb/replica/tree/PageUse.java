package org.quiredb.replica.tree;

import static org.quiredb.common.writeset.PageOperations.PAGE_BYTES;
import static org.quiredb.replica.tree.SlottedPage.INNER;
import static org.quiredb.replica.tree.SlottedPage.ROWS;

import org.quiredb.common.version.PageId;
import org.quiredb.replica.page.PageAccess;

/// What fills some pages.
///
/// @param contentBytes keys, locators, rows: all but headers, lengths, slots and free bytes
public record PageUse(long pages, long entries, long contentBytes, long freeBytes) {
    public static final PageUse NONE = new PageUse(0, 0, 0, 0);

    public long bytes() {
        return pages * PAGE_BYTES;
    }

    /// What headers, lengths and slots take.
    public long overheadBytes() {
        return bytes() - contentBytes - freeBytes;
    }

    public PageUse and(PageUse other) {
        return new PageUse(
                pages + other.pages,
                entries + other.entries,
                contentBytes + other.contentBytes,
                freeBytes + other.freeBytes);
    }

    /// The page's, if it holds rows.
    public static PageUse ofRows(byte[] page) {
        return SlottedPage.kind(page) == ROWS ? of(page) : NONE;
    }

    /// A whole tree's, level by level.
    public static PageUse ofTree(PageAccess access, int tableId, int root) {
        PageUse use = NONE;
        int leftmost = root;
        while (true) {
            byte[] page = access.readInner(PageId.of(tableId, leftmost));
            boolean inner = SlottedPage.kind(page) == INNER;
            int below = inner ? TreePage.child(page, 0) : 0;
            use = use.and(of(page));
            while (SlottedPage.right(page) != 0) {
                page = access.readInner(PageId.of(tableId, SlottedPage.right(page)));
                use = use.and(of(page));
            }
            if (!inner) {
                return use;
            }
            leftmost = below;
        }
    }

    private static PageUse of(byte[] page) {
        int count = SlottedPage.count(page);
        long content = 0;
        long entries = 0;
        for (int slot = 0; slot < count; slot++) {
            int offset = SlottedPage.offset(page, slot);
            if (offset != 0) {
                entries++;
                content += SlottedPage.length(page, offset);
            }
        }
        return new PageUse(1, entries, content, SlottedPage.freeBytes(page));
    }
}
