package org.quiredb.sql.text;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Set;

/// Tells the semicolons that end a statement from those within a stored program, or a block outside
/// of one. A program ends where each BEGIN, CASE, FOR, IF, LOOP, REPEAT and WHILE has its END.
///
/// Some of these are names, too, and functions: what is not at the beginning of a statement is.
///
/// Threads: one.
final class Semicolons {
    private static final Set<String> PROGRAMS = Set.of("EVENT", "FUNCTION", "PROCEDURE", "TRIGGER");

    private static final Set<String> BEFORE_STATEMENTS =
            Set.of("BEGIN", "DO", "ELSE", "LOOP", "REPEAT", "THEN");

    /// However long a text is, it is looked at once: nobody's condition is longer.
    private static final int MOST_OF_A_CONDITION = 4096;

    private final Tokens tokens;
    private final BitSet ending = new BitSet();
    private final Deque<String> open = new ArrayDeque<>();
    private int first;

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
            case "BEGIN" -> open.isEmpty() || begins(at) || handles(at);
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
                    case "BEGIN" -> tokens.is(at - 1, ';') || tokens.is(at - 1, "BEGIN");
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
                || BEFORE_STATEMENTS.contains(tokens.upper(at - 1));
    }

    /// DECLARE ... HANDLER FOR conditions BEGIN.
    private boolean handles(int at) {
        int least = Math.max(first, at - MOST_OF_A_CONDITION);
        for (int i = at - 1; i >= least && !tokens.is(i, ';'); i--) {
            if (tokens.is(i, "HANDLER")) {
                return true;
            }
        }
        return false;
    }

    /// Else it is the function, the result of a CASE perhaps, or IF EXISTS.
    private boolean leadsToThen(int at) {
        int cases = 0;
        int most = Math.min(tokens.size(), at + MOST_OF_A_CONDITION);
        for (int i = at + 1; i < most; i++) {
            String word = tokens.upper(i);
            if (cases == 0 && word.equals("THEN")) {
                return true;
            }
            if (tokens.is(i, ';') || (cases == 0 && Set.of("WHEN", "ELSE", "END").contains(word))) {
                return false;
            }
            cases += word.equals("CASE") ? 1 : word.equals("END") ? -1 : 0;
        }
        return false;
    }
}
