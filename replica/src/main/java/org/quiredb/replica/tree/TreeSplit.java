package org.quiredb.replica.tree;

import static org.quiredb.common.writeset.PageOperations.PAGE_BYTES;
import static org.quiredb.replica.tree.SlottedPage.HEADER_BYTES;
import static org.quiredb.replica.tree.SlottedPage.INNER;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.quiredb.common.version.PageId;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.page.PageWriter;

/// Puts an entry on its tree page and splits pages that are full, upwards.
///
/// A page that is split keeps its number and the lower entries. The root keeps its number as well:
/// its content moves to a new page first. At the right edge of a tree a full page stays full, for
/// keys that only grow.
final class TreeSplit {
    private final int tableId;
    private final int root;

    TreeSplit(int tableId, int root) {
        this.tableId = tableId;
        this.root = root;
    }

    /// @param kept so many bytes of the page stay free, if it has them
    void insert(PageAccess access, PageWriter page, int slot, byte[] entry, int kept) {
        int needed = SlottedPage.sizeOf(entry.length) + 2 + kept;
        if (SlottedPage.freeBytes(page.bytes()) >= needed) {
            SlottedPage.insert(page, slot, entry);
            return;
        }
        PageWriter left = PageId.pageNumber(page.pageId()) == root ? pushDown(access, page) : page;
        split(access, left, slot, entry);
    }

    /// Moves the root's content one level down and makes the root its parent.
    private PageWriter pushDown(PageAccess access, PageWriter rootPage) {
        PageWriter below = access.allocate(tableId);
        below.put(0, rootPage.bytes());
        SlottedPage.format(rootPage, INNER, SlottedPage.level(below.bytes()) + 1);
        byte[] onlyChild = TreePage.innerEntry(new byte[0], PageId.pageNumber(below.pageId()));
        SlottedPage.insert(rootPage, 0, onlyChild);
        return below;
    }

    private void split(PageAccess access, PageWriter left, int slot, byte[] entry) {
        byte[] page = left.bytes();
        int level = SlottedPage.level(page);
        List<byte[]> entries = entries(page, slot, entry);
        boolean atRightEdge = SlottedPage.right(page) == 0 && slot == entries.size() - 1;
        int cut = atRightEdge ? entries.size() - 1 : middle(entries);
        while (!leftFits(entries, cut, separator(entries, cut, level))) {
            cut--;
        }
        byte[] separator = separator(entries, cut, level);
        PageWriter right = access.allocate(tableId);
        fillRight(right, page, entries.subList(cut, entries.size()));
        shrinkLeft(left, slot < cut ? cut - 1 : cut);
        if (slot < cut) {
            SlottedPage.insert(left, slot, entry);
        }
        SlottedPage.setHighKey(left, separator);
        left.putInt(10, PageId.pageNumber(right.pageId()));
        insertSeparator(access, level + 1, separator, PageId.pageNumber(right.pageId()));
    }

    private static List<byte[]> entries(byte[] page, int slot, byte[] added) {
        int count = SlottedPage.count(page);
        List<byte[]> entries = new ArrayList<>(count + 1);
        for (int i = 0; i < count; i++) {
            entries.add(TreePage.entry(page, i));
        }
        entries.add(slot, added);
        return entries;
    }

    /// The first slot of the upper half, by bytes; both halves get an entry.
    private static int middle(List<byte[]> entries) {
        int half = bytes(entries) / 2;
        int cut = 0;
        for (int sum = 0; sum < half; cut++) {
            sum += SlottedPage.sizeOf(entries.get(cut).length) + 2;
        }
        return Math.clamp(cut, 1, entries.size() - 1);
    }

    private static boolean leftFits(List<byte[]> entries, int cut, byte[] separator) {
        return cut == 1
                || HEADER_BYTES
                                + bytes(entries.subList(0, cut))
                                + SlottedPage.sizeOf(separator.length)
                        <= PAGE_BYTES;
    }

    private static int bytes(List<byte[]> entries) {
        int sum = 0;
        for (byte[] entry : entries) {
            sum += SlottedPage.sizeOf(entry.length) + 2;
        }
        return sum;
    }

    /// What separates the entries below the cut from those above: as few bytes as do in a leaf.
    private static byte[] separator(List<byte[]> entries, int cut, int level) {
        byte[] above = entries.get(cut);
        if (level > 0) {
            return Arrays.copyOf(above, above.length - TreePage.CHILD_BYTES);
        }
        int same = Arrays.mismatch(entries.get(cut - 1), above);
        return Arrays.copyOf(above, same + 1);
    }

    private static void fillRight(PageWriter right, byte[] left, List<byte[]> entries) {
        PageWriter image = new PageWriter(right.pageId(), right.bytes());
        SlottedPage.format(image, SlottedPage.kind(left), SlottedPage.level(left));
        image.putInt(10, SlottedPage.right(left));
        for (int i = 0; i < entries.size(); i++) {
            SlottedPage.insert(image, i, entries.get(i));
        }
        if (SlottedPage.highKey(left) != 0) {
            SlottedPage.setHighKey(image, TreePage.highKey(left));
        }
        int slots = PAGE_BYTES - 2 * entries.size();
        right.put(0, image.bytes(), 0, SlottedPage.unsigned(image.bytes(), 4));
        right.put(slots, image.bytes(), slots, PAGE_BYTES - slots);
    }

    private static void shrinkLeft(PageWriter left, int kept) {
        byte[] page = left.bytes();
        int dead = 0;
        for (int i = kept; i < SlottedPage.count(page); i++) {
            dead += SlottedPage.sizeOf(SlottedPage.length(page, SlottedPage.offset(page, i)));
        }
        left.putShort(2, kept);
        SlottedPage.addDead(left, dead);
    }

    private void insertSeparator(PageAccess access, int level, byte[] separator, int child) {
        Cut cut = new Cut(separator, false);
        Descent descent = new Descent(access, tableId, root, true);
        PageWriter parent;
        do {
            descent.toInner(cut, level);
            parent = access.write(descent.pageId());
        } while (SlottedPage.level(parent.bytes()) != level || cut.beyond(parent.bytes(), false));
        int slot = cut.childSlot(parent.bytes(), false) + 1;
        insert(access, parent, slot, TreePage.innerEntry(separator, child), 0);
    }
}
