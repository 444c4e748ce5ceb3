package org.quiredb.replica.layout;

import java.util.Arrays;
import org.quiredb.common.wire.ByteWriter;

/// A string in a key: bytes whose order is that of the weights that its collation gives it, ended
/// by a zero.
///
/// The weights that most text consists of take one byte each, an even one by their rank; the others
/// take the odd byte between those of their neighbours in rank, and two of their own.
public final class StringKey {
    private StringKey() {}

    public static void append(ByteWriter key, Collation collation, String text) {
        char[] frequent = collation.frequentWeights();
        String weights = collation.weigh(text);
        for (int i = 0; i < weights.length(); i++) {
            char weight = weights.charAt(i);
            int rank = Arrays.binarySearch(frequent, weight);
            if (rank >= 0) {
                key.u8(2 * rank + 2);
            } else {
                key.u8(2 * (-rank - 1) + 1).u8(weight >>> 8).u8(weight);
            }
        }
        key.u8(0);
    }
}
