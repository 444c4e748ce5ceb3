package org.quiredb.replica.planning;

import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.execution.NotHereException;
import org.quiredb.replica.layout.Collation;
import org.quiredb.replica.layout.PageText;

/// A pattern of LIKE over a text's bytes on a page.
///
/// As in H2, a `_` is a UTF-16 unit and characters are the same where they weigh the same; nothing
/// is decoded of a text of ASCII.
///
/// Threads: any.
final class PagePattern {
    private final String pattern;
    private final Collation collation;
    private final PageText text;

    /// Of each unit: its rank, or what is below.
    private final int[] units;

    private static final int ANY = -1;
    private static final int ONE = -2;

    /// Whether ranks tell all of it.
    private final boolean simple;

    /// The ranks between two `%`, where the pattern is nothing else; else empty.
    private final int[] within;

    /// @throws NotHereException for a pattern with escapes
    PagePattern(String pattern, Collation collation) {
        if (pattern.indexOf('\\') >= 0) {
            throw new NotHereException("a pattern with escapes");
        }
        this.pattern = pattern;
        this.collation = collation;
        this.text = PageText.of(collation);
        this.units = new int[pattern.length()];
        boolean known = true;
        int wild = 0;
        for (int i = 0; i < units.length; i++) {
            char c = pattern.charAt(i);
            units[i] = c == '%' ? ANY : c == '_' ? ONE : c < 0x80 ? text.rank((byte) c) : 0;
            known &= units[i] != 0;
            wild += units[i] < 0 ? 1 : 0;
        }
        this.simple = known;
        boolean contains =
                known
                        && wild == 2
                        && units.length > 2
                        && units[0] == ANY
                        && units[units.length - 1] == ANY;
        this.within =
                contains ? java.util.Arrays.copyOfRange(units, 1, units.length - 1) : new int[0];
    }

    /// What a key has within it where the text matches, none where nothing is known: characters
    /// that are the same weigh the same, one by one. Spaces at a text's end are not in its key.
    static byte[] within(SqlValue value, Collation collation) {
        if (value instanceof SqlValue.Null) {
            return new byte[0];
        }
        PagePattern pattern = new PagePattern(PlanColumn.text(value), collation);
        int[] ranks = pattern.within;
        if (ranks.length == 0 || ranks[ranks.length - 1] == pattern.text.rank((byte) ' ')) {
            return new byte[0];
        }
        byte[] key = new byte[ranks.length];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (2 * ranks[i]);
        }
        return key;
    }

    boolean matches(byte[] page, int from, int to) {
        if (!simple) {
            return matches(PageText.text(page, from, to));
        }
        return within.length > 0 ? contains(page, from, to) : wildcards(page, from, to);
    }

    private boolean contains(byte[] page, int from, int to) {
        int first = within[0];
        int last = to - within.length;
        for (int i = from; i < to; i++) {
            int rank = text.rank(page[i]);
            if (rank == 0) {
                return matches(PageText.text(page, from, to));
            }
            if (rank == first && i <= last && contains(page, i)) {
                return true;
            }
        }
        return false;
    }

    private boolean contains(byte[] page, int at) {
        for (int i = 1; i < within.length; i++) {
            if (text.rank(page[at + i]) != within[i]) {
                return false;
            }
        }
        return true;
    }

    /// The first `%` takes as little as it can; where the rest fails, one more.
    private boolean wildcards(byte[] page, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.rank(page[i]) == 0) {
                return matches(PageText.text(page, from, to));
            }
        }
        int at = from;
        int unit = 0;
        int any = -1;
        int taken = from;
        while (at < to) {
            if (unit < units.length && units[unit] == ANY) {
                any = unit++;
                taken = at;
            } else if (unit < units.length
                    && (units[unit] == ONE || units[unit] == text.rank(page[at]))) {
                unit++;
                at++;
            } else if (any >= 0) {
                unit = any + 1;
                at = ++taken;
            } else {
                return false;
            }
        }
        return onlyAny(unit);
    }

    private boolean matches(String value) {
        int at = 0;
        int unit = 0;
        int any = -1;
        int taken = 0;
        while (at < value.length()) {
            if (unit < units.length && units[unit] == ANY) {
                any = unit++;
                taken = at;
            } else if (unit < units.length
                    && (units[unit] == ONE
                            || collation.same(pattern.charAt(unit), value.charAt(at)))) {
                unit++;
                at++;
            } else if (any >= 0) {
                unit = any + 1;
                at = ++taken;
            } else {
                return false;
            }
        }
        return onlyAny(unit);
    }

    private boolean onlyAny(int from) {
        for (int i = from; i < units.length; i++) {
            if (units[i] != ANY) {
                return false;
            }
        }
        return true;
    }
}
