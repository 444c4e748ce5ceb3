package org.quiredb.replica.layout;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.quiredb.common.wire.ByteWriter;

/// A collation's rules over a text's bytes on a page: characters of ASCII by a table of their
/// weights' ranks, any other text as {@link Collation} has it.
///
/// Threads: any.
public final class PageText {
    private static final Map<Collation, PageText> ALL = new ConcurrentHashMap<>();

    /// What a page's text is compared with.
    public static final class Constant {
        private final String text;
        private final byte[] bytes;
        private final boolean simple;

        private Constant(String text, byte[] bytes, boolean simple) {
            this.text = text;
            this.bytes = bytes;
            this.simple = simple;
        }
    }

    private final Collation collation;

    /// By a byte of the text, 0 for one that no table tells of.
    private final byte[] ranks = new byte[256];

    private PageText(Collation collation) {
        this.collation = collation;
        char[] frequent = collation.frequentWeights();
        for (char c = ' '; c <= '~'; c++) {
            String weight = collation.weigh("a" + c + "a");
            String around = collation.weigh("aa");
            int rank =
                    weight.length() == around.length() + 1
                            ? Arrays.binarySearch(frequent, weight.charAt(1))
                            : -1;
            ranks[c] = (byte) (rank + 1);
        }
    }

    public static PageText of(Collation collation) {
        return ALL.computeIfAbsent(collation, PageText::new);
    }

    public Constant constant(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new Constant(text, bytes, simple(bytes, 0, bytes.length));
    }

    /// A character's rank among those of ASCII; 0 for any other.
    public int rank(byte b) {
        return ranks[b & 0xFF];
    }

    private boolean simple(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (ranks[bytes[i] & 0xFF] == 0) {
                return false;
            }
        }
        return true;
    }

    private int end(byte[] bytes, int from, int to) {
        int end = to;
        int space = ranks[' '];
        while (collation.pads() && end > from && ranks[bytes[end - 1] & 0xFF] == space) {
            end--;
        }
        return end;
    }

    /// As an index has it.
    public void key(ByteWriter key, byte[] page, int from, int to) {
        if (!simple(page, from, to)) {
            StringKey.append(key, collation, text(page, from, to));
            return;
        }
        int first = StringKey.first(collation);
        int end = end(page, from, to);
        byte[] weights = new byte[end - from + 1];
        for (int i = from; i < end; i++) {
            weights[i - from] = (byte) (2 * (ranks[page[i] & 0xFF] - 1) + first);
        }
        weights[end - from] = (byte) StringKey.end(collation);
        key.raw(weights, 0, weights.length);
    }

    public int compare(byte[] page, int from, int to, Constant with) {
        if (Arrays.equals(page, from, to, with.bytes, 0, with.bytes.length)) {
            return 0;
        }
        if (!with.simple || !simple(page, from, to)) {
            return collation.compare(text(page, from, to), with.text);
        }
        int endA = end(page, from, to);
        int endB = end(with.bytes, 0, with.bytes.length);
        int shorter = Math.min(endA - from, endB);
        for (int i = 0; i < shorter; i++) {
            int order = ranks[page[from + i] & 0xFF] - ranks[with.bytes[i] & 0xFF];
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(endA - from, endB);
    }

    public static String text(byte[] page, int from, int to) {
        return new String(page, from, to - from, StandardCharsets.UTF_8);
    }
}
