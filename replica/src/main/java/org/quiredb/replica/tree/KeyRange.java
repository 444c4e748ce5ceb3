package org.quiredb.replica.tree;

import org.jspecify.annotations.Nullable;

/// The keys between two cuts.
public record KeyRange(Cut from, Cut to) {
    public static final KeyRange ALL = new KeyRange(Cut.BEGINNING, Cut.END);

    /// The keys that begin with these bytes; that is one key when they are a whole one.
    public static KeyRange prefix(byte[] bytes) {
        return new KeyRange(new Cut(bytes, false), new Cut(bytes, true));
    }

    public static KeyRange locator(long locator) {
        return prefix(TreePage.leafEntry(new byte[0], locator));
    }

    /// @param from null for the beginning
    /// @param to null for the end
    public static KeyRange between(
            byte @Nullable [] from,
            boolean fromInclusive,
            byte @Nullable [] to,
            boolean toInclusive) {
        return new KeyRange(
                from == null ? Cut.BEGINNING : new Cut(from, !fromInclusive),
                to == null ? Cut.END : new Cut(to, toInclusive));
    }

    /// Whether these are all keys that begin with the same bytes.
    public boolean isPrefix() {
        return from.sameBytes(to);
    }

    public boolean isEmpty() {
        return from.compareTo(to) >= 0;
    }

    public boolean overlaps(KeyRange other) {
        return from.compareTo(other.to) < 0 && other.from.compareTo(to) < 0;
    }

    public boolean contains(KeyRange other) {
        return from.compareTo(other.from) <= 0 && other.to.compareTo(to) <= 0;
    }
}
