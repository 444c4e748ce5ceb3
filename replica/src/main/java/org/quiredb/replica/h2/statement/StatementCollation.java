package org.quiredb.replica.h2.statement;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.h2.value.CompareMode;
import org.quiredb.common.error.QuireException;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.layout.Collation;

/// H2's comparison of strings, by the collation of the tables that the statement reads; before it
/// reads any, by the only one that there is.
///
/// Threads: any.
public final class StatementCollation extends CompareMode {
    private final Set<Collation> existing = ConcurrentHashMap.newKeySet();

    public StatementCollation() {
        super("STATEMENT", 0);
    }

    @Override
    public int compareString(String a, String b, boolean ignoreCase) {
        return ignoreCase ? collation(true).compare(a, b) : compareWithCase(a, b);
    }

    /// Values of columns with case, or of expressions: these have the case of what they are made
    /// of, which their values do not tell. Where it decides, only MySQL knows.
    private static int compareWithCase(String a, String b) {
        int compared = Collation.BINARY.compare(a, b);
        if (!a.equals(b)
                && Statement.CURRENT.isBound()
                && Statement.current().casesUnclear()
                && !Statement.current().modes().checked()) {
            Collation read = Statement.current().collation();
            if (read == Collation.OTHER) {
                throw unknown();
            }
            int folded = (read == null ? Collation.GENERAL : read).compare(a, b);
            if (Integer.signum(compared) != Integer.signum(folded)) {
                throw Errors.unsupported("comparison of texts that expressions make");
            }
        }
        return compared;
    }

    @Override
    public boolean equalsChars(String a, int ai, String b, int bi, boolean ignoreCase) {
        return collation(ignoreCase).same(a.charAt(ai), b.charAt(bi));
    }

    private static QuireException unknown() {
        return Errors.unsupported("comparisons in several collations, or in a rare one");
    }

    /// A table with this collation is there.
    public void exists(Collation collation) {
        existing.add(collation);
    }

    private Collation collation(boolean ignoreCase) {
        if (!ignoreCase) {
            return Collation.BINARY;
        }
        Collation ofStatement =
                Statement.CURRENT.isBound() ? Statement.current().collation() : null;
        if (ofStatement == Collation.OTHER && !Statement.current().modes().checked()) {
            throw unknown();
        }
        if (ofStatement != null) { // rows that the backend has read are found by all characters
            return ofStatement;
        }
        Collation named =
                Statement.CURRENT.isBound() ? Statement.current().collationOfNamed() : null;
        if (named != null && named != Collation.OTHER) {
            return named;
        }
        if (existing.size() > 1) {
            throw Errors.unsupported("comparison of constants in one of several collations");
        }
        Collation only = existing.isEmpty() ? Collation.GENERAL : existing.iterator().next();
        if (only == Collation.OTHER) {
            throw unknown();
        }
        return only;
    }
}
