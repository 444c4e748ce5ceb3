package org.quiredb.sql.text;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Tells the semicolons that end a statement from those within a stored program, or a block outside
/// of one. A program ends where each BEGIN, CASE, FOR, IF, LOOP, REPEAT and WHILE has its END.
///
/// Some of these are names, too, and functions: what is not at the beginning of a statement is.
///
/// Threads: one.
final class Semicolons {
    private static final Set<String> PROGRAMS = Set.of("EVENT", "FUNCTION", "PROCEDURE", "TRIGGER");

    private static final Set<String> BEFORE_STATEMENTS =
            Set.of("DO", "ELSE", "LOOP", "REPEAT", "THEN");

    private final Tokens tokens;
    private final BitSet ending = new BitSet();
    private final Deque<String> open = new ArrayDeque<>();
    private int first;

    /// DECLARE ... HANDLER FOR conditions BEGIN.
    private boolean handles;

    /// By token, whether THEN comes before anything that ends a condition.
    private @Nullable BitSet beforeThen;

    private Semicolons(Tokens tokens) {
        this.tokens = tokens;
    }

    /// @param tokens plain
    /// @return the indexes of those that end a statement
    static BitSet ending(Tokens tokens) {
        Semicolons semicolons = new Semicolons(tokens);
        semicolons.run();
        return semicolons.ending;
    }

    private void run() {
        boolean program = isProgram();
        for (int i = 0; i < tokens.size(); i++) {
            handles = !tokens.is(i, ';') && (handles || tokens.is(i, "HANDLER"));
            if (tokens.is(i, ';') && open.isEmpty()) {
                ending.set(i);
                first = i + 1;
                program = isProgram();
            } else if (program && !tokens.is(i - 1, '.')) {
                if (tokens.is(i, "END")) {
                    i += closes(i);
                } else if (opens(i)) {
                    open.push(tokens.upper(i));
                }
            }
        }
    }

    private boolean isProgram() {
        if (tokens.part(first, Math.min(first + 3, tokens.size())).isBlock()) {
            return true;
        }
        if (!tokens.is(first, "CREATE") && !tokens.is(first, "ALTER")) {
            return false;
        }
        for (int i = first + 1; i < tokens.size() && !tokens.is(i, ';'); i++) {
            if (PROGRAMS.contains(tokens.upper(i))) {
                return true;
            }
            if (tokens.is(i, '(') && !tokens.is(i + 1, ')')) { // else a definer's
                return false;
            }
        }
        return false;
    }

    private boolean opens(int at) {
        return switch (tokens.upper(at)) {
            case "CASE", "LOOP", "WHILE" -> true;
            case "BEGIN" -> open.isEmpty() || begins(at) || handles;
            case "FOR" -> tokens.isName(at + 1) && tokens.is(at + 2, "IN");
            case "IF" -> (open.isEmpty() || begins(at)) && leadsToThen(at);
            case "REPEAT" -> !tokens.is(at + 1, '(');
            default -> false;
        };
    }

    /// @return how many tokens behind it belong to it
    private int closes(int at) {
        String what = open.isEmpty() ? "" : open.peek();
        boolean named = tokens.is(at + 1, what);
        boolean ends =
                switch (what) {
                    case "" -> false;
                    case "BEGIN" -> tokens.is(at - 1, ';') || followsBegin(at);
                    case "CASE" -> true; // an expression's, perhaps
                    default -> named;
                };
        if (ends) {
            open.pop();
        }
        return ends && named ? 1 : 0;
    }

    private boolean begins(int at) {
        return tokens.is(at - 1, ';')
                || tokens.is(at - 1, ':')
                || followsBegin(at)
                || BEFORE_STATEMENTS.contains(tokens.upper(at - 1));
    }

    private boolean followsBegin(int at) {
        return tokens.is(at - 1, "BEGIN") || tokens.are(at - 3, "BEGIN", "NOT", "ATOMIC");
    }

    /// Else it is the function, the result of a CASE perhaps, or IF EXISTS.
    private boolean leadsToThen(int at) {
        BitSet known = beforeThen == null ? beforeThen() : beforeThen;
        beforeThen = known;
        return known.get(at + 1);
    }

    /// For all of them at once, however many a text has.
    private BitSet beforeThen() {
        int[] ends = new int[tokens.size()];
        Deque<Integer> cases = new ArrayDeque<>();
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.is(i, ';')) {
                cases.clear();
            } else if (tokens.is(i, "CASE")) {
                cases.push(i);
            } else if (tokens.is(i, "END") && !cases.isEmpty()) {
                ends[cases.pop()] = i;
            }
        }
        BitSet before = new BitSet(tokens.size());
        for (int i = tokens.size() - 1; i >= 0; i--) {
            int next = tokens.is(i, "CASE") ? ends[i] + 1 : i + 1;
            before.set(i, tokens.is(i, "THEN") || (next > i && !ends(i) && before.get(next)));
        }
        return before;
    }

    private boolean ends(int at) {
        return tokens.is(at, ';')
                || tokens.is(at, "WHEN")
                || tokens.is(at, "ELSE")
                || tokens.is(at, "END");
    }
}
