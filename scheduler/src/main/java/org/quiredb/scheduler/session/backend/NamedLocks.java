package org.quiredb.scheduler.session.backend;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Tokens;

/// Clients' named locks on a backend, in a space of their own: the persistence loggers keep one
/// another out by such locks there, and who took theirs would stop the tier.
///
/// A name is an expression, so each gets what no name of the loggers begins with.
public final class NamedLocks {
    private static final Set<String> FUNCTIONS =
            Set.of("GET_LOCK", "RELEASE_LOCK", "IS_FREE_LOCK", "IS_USED_LOCK");
    private static final String RELEASES_ALL = "RELEASE_ALL_LOCKS";
    private static final String BEGIN = "CONCAT('c/', ";

    private NamedLocks() {}

    /// What a statement does with locks.
    ///
    /// @param any it names some, or all
    /// @param takes it calls GET_LOCK
    /// @param taken the names that it takes, as expressions on the backend
    /// @param others it takes some whose names its text alone does not tell
    /// @param freesAll it calls RELEASE_ALL_LOCKS
    /// @param asksWho it calls IS_USED_LOCK, which tells connections of the backend
    public record Named(
            boolean any,
            boolean takes,
            List<String> taken,
            boolean others,
            boolean freesAll,
            boolean asksWho) {
        static final Named NONE = new Named(false, false, List.of(), false, false, false);

        public Named {
            taken = List.copyOf(taken);
        }
    }

    /// @param text with literals in place of parameters
    static Named in(String text) {
        if (!areNamed(text) && !Tokens.mentions(text, RELEASES_ALL)) {
            return Named.NONE;
        }
        Tokens tokens = Tokens.of(text).plain();
        boolean any = false;
        boolean takes = false;
        boolean others = false;
        boolean freesAll = false;
        boolean asksWho = false;
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++) {
            boolean called = tokens.is(i + 1, '(');
            freesAll |= called && tokens.is(i, RELEASES_ALL);
            any |= called && (isLock(tokens, i) || freesAll);
            asksWho |=
                    called && isLock(tokens, i) && tokens.name(i).equalsIgnoreCase("IS_USED_LOCK");
            if (called && isLock(tokens, i) && tokens.name(i).equalsIgnoreCase("GET_LOCK")) {
                takes = true;
                boolean one = tokens.isConstant(i + 2) && tokens.is(i + 3, ',');
                others |= !one;
                if (one) {
                    taken.add(BEGIN + tokens.text(i + 2, i + 3) + ")");
                }
            }
        }
        return new Named(any, takes, taken, others, freesAll, asksWho);
    }

    /// Puts every name of a lock in that space.
    ///
    /// @throws QuireException when the text alone does not tell where they are
    static void apart(Tokens tokens, Edits edits) {
        if (!areNamed(tokens.text())) {
            return;
        }
        if (tokens.dependsOnVersion()) {
            throw refused("named locks beside comments for some versions only");
        }
        Deque<Boolean> names = new ArrayDeque<>(); // whether each parenthesis begins with one
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.is(i, '(')) {
                boolean lock = isLock(tokens, i - 1);
                names.push(lock);
                if (lock) {
                    edits.after(i, BEGIN);
                }
            } else if (!names.isEmpty() && (tokens.is(i, ',') || tokens.is(i, ')'))) {
                if (names.pop()) {
                    edits.before(i, ")");
                }
                if (tokens.is(i, ',')) {
                    names.push(false);
                }
            }
        }
    }

    private static boolean areNamed(String text) {
        return FUNCTIONS.stream().anyMatch(function -> Tokens.mentions(text, function));
    }

    private static boolean isLock(Tokens tokens, int i) {
        boolean stored = tokens.is(i - 1, '.'); // a function of somebody's own
        return !stored && FUNCTIONS.contains(tokens.name(i).toUpperCase(Locale.ROOT));
    }

    /// A SET is made again on each connection that comes to work for the session.
    public static void requireNone(Tokens assignment) {
        Edits edits = new Edits(assignment);
        apart(assignment, edits);
        if (!edits.made().equals(assignment.text())) {
            throw refused("named locks in SET");
        }
    }

    private static QuireException refused(String what) {
        return new QuireException(ErrorCode.NOT_SUPPORTED_YET, "Quire does not support " + what);
    }
}
