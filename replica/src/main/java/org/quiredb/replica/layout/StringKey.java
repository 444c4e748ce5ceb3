package org.quiredb.replica.layout;

import java.util.Arrays;
import org.quiredb.common.wire.ByteWriter;

/// A string in a key: bytes whose order is that of the weights that its collation gives it, ended
/// so that no key begins another.
///
/// The weights that most text consists of take one byte each, an even one by their rank; the others
/// take the odd byte between those of their neighbours in rank, and two of their own. Where spaces
/// at the end do not count, a text compares as if more of them followed: its end lies between a
/// space before what is below a space, and a space before anything else.
public final class StringKey {
    private static final int LOW_SPACE = 2;
    private static final int PADDED_END = 3;

    private StringKey() {}

    public static void append(ByteWriter key, Collation collation, String text) {
        appendStart(key, collation, text);
        key.u8(end(collation));
    }

    /// What the keys of all texts begin with that begin with this one, but for spaces at its end.
    public static void appendStart(ByteWriter key, Collation collation, String text) {
        char[] frequent = collation.frequentWeights();
        int first = first(collation);
        String weights = collation.weigh(text);
        for (int i = 0; i < weights.length(); i++) {
            char weight = weights.charAt(i);
            int rank = Arrays.binarySearch(frequent, weight);
            if (rank == 0 && collation.pads() && beforeLow(weights, i)) {
                key.u8(LOW_SPACE);
            } else if (rank >= 0) {
                key.u8(2 * rank + first);
            } else {
                int below = -rank - 1;
                int between = below == 0 ? 1 : 2 * below + first - 1;
                key.u8(between).u8(weight >>> 8).u8(weight);
            }
        }
    }

    private static boolean beforeLow(String weights, int space) {
        int after = space + 1;
        while (after < weights.length() && weights.charAt(after) == weights.charAt(space)) {
            after++;
        }
        return after < weights.length() && weights.charAt(after) < weights.charAt(space);
    }

    /// Of the lowest of the frequent weights.
    static int first(Collation collation) {
        return collation.pads() ? PADDED_END + 1 : 2;
    }

    static int end(Collation collation) {
        return collation.pads() ? PADDED_END : 0;
    }
}
