package org.quiredb.replica.execution;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.tree.BTree;
import org.quiredb.replica.tree.RowPages;

/// How the rows of a table are found: a part of one of its trees.
///
/// @param equal parts of the leading columns' keys
/// @param single whether `equal` is the whole key of at most one row
/// @param list whole beginnings of keys, of an IN over the first column: sorted, each once
/// @param low of the column behind `equal`
/// @param within bytes that a key contains, unless the row's condition fails; none for any key
/// @param ranged whether the column behind `equal` is compared, so that its NULLs are left out
public record Access(
        BTree tree,
        RowPages rows,
        List<Late<KeyPart>> equal,
        boolean single,
        @Nullable Late<List<byte[]>> list,
        @Nullable Late<byte[]> within,
        @Nullable Late<KeyPart> low,
        boolean lowIncluded,
        @Nullable Late<KeyPart> high,
        boolean highIncluded,
        boolean ranged,
        boolean descending) {
    public Access {
        equal = List.copyOf(equal);
    }
}
