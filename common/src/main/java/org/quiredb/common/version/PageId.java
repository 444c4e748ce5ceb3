package org.quiredb.common.version;

/// A page's stable identity, packed in one `long`: the owning table's id (upper 32 bits) and the
/// page's number in it.
///
/// Row pages and B+tree pages of a table share one numbering, from 0 without holes of note.
public final class PageId {
    private PageId() {}

    public static long of(int tableId, int pageNumber) {
        return ((long) tableId << 32) | (pageNumber & 0xFFFF_FFFFL);
    }

    public static int tableId(long pageId) {
        return (int) (pageId >>> 32);
    }

    public static int pageNumber(long pageId) {
        return (int) pageId;
    }

    public static String toString(long pageId) {
        return tableId(pageId) + ":" + pageNumber(pageId);
    }
}
