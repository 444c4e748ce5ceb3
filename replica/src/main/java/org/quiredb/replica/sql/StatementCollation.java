package org.quiredb.replica.sql;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.h2.value.CompareMode;

/// H2's comparison of strings, by the collation of the tables that the statement reads; before it
/// reads any, by the only one that there is.
///
/// Threads: any.
final class StatementCollation extends CompareMode {
    private final Set<Collation> existing = ConcurrentHashMap.newKeySet();

    StatementCollation() {
        super("STATEMENT", 0);
    }

    @Override
    public int compareString(String a, String b, boolean ignoreCase) {
        return collation(ignoreCase).compare(a, b);
    }

    @Override
    public boolean equalsChars(String a, int ai, String b, int bi, boolean ignoreCase) {
        return collation(ignoreCase).same(a.charAt(ai), b.charAt(bi));
    }

    /// A table with this collation is there.
    void exists(Collation collation) {
        existing.add(collation);
    }

    private Collation collation(boolean ignoreCase) {
        if (!ignoreCase) {
            return Collation.BINARY;
        }
        Collation ofStatement =
                Statement.CURRENT.isBound() ? Statement.current().collation() : null;
        if (ofStatement == Collation.OTHER) {
            throw Errors.unsupported("comparisons in several collations, or in a rare one");
        }
        if (ofStatement != null) {
            return ofStatement;
        }
        if (existing.size() > 1) {
            throw Errors.unsupported("comparison of constants in one of several collations");
        }
        return existing.isEmpty() ? Collation.GENERAL : existing.iterator().next();
    }
}
