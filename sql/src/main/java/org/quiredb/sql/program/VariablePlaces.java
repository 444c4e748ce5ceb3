package org.quiredb.sql.program;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.Expression;

/// Tells where in a statement a name is a variable of the program, from the clauses that it stands
/// in. A variable goes before a column of its name, as on a server; it is no table, no alias, and
/// no column that is given a value.
///
/// Threads: one.
final class VariablePlaces {
    /// What a bracket, or the statement, is in.
    private enum Clause {
        /// Expressions.
        VALUES,
        /// Tables, and their aliases.
        TABLES,
        /// Names of columns alone.
        NAMES,
        /// Of `name = expression, ...`, the name.
        TARGETS
    }

    private static final class Frame {
        Clause clause;

        /// In capitals, what is called with it; empty where it is no function.
        final String function;

        /// Between FROM and what ends that.
        boolean from;

        /// In the list of SELECT.
        boolean selects;

        /// In `name = expression, ...`.
        boolean assigns;

        boolean orders;

        boolean limits;

        /// Where a column of its list of SELECT begins, if it is a query that is read.
        int item = -1;

        Frame(Clause clause, String function) {
            this.clause = clause;
            this.function = function;
        }
    }

    /// Whose tables and columns no variable stands for, up to a query in them.
    private static final Set<String> DEFINITIONS =
            Set.of(
                    "ALTER",
                    "ANALYZE",
                    "CHECK",
                    "CREATE",
                    "DROP",
                    "FLUSH",
                    "OPTIMIZE",
                    "RENAME",
                    "REPAIR",
                    "TRUNCATE");

    private static final Set<String> WITHOUT =
            Set.of(
                    "BEGIN",
                    "CHECKSUM",
                    "COMMIT",
                    "DEALLOCATE",
                    "RELEASE",
                    "ROLLBACK",
                    "SAVEPOINT",
                    "START",
                    "UNLOCK");

    /// Before an operand; what else a word stands before is its alias.
    private static final Set<String> BEFORE =
            Set.of(
                    "ALL",
                    "AND",
                    "ANY",
                    "BETWEEN",
                    "BINARY",
                    "BY",
                    "CASE",
                    "DISTINCT",
                    "DISTINCTROW",
                    "DIV",
                    "DO",
                    "ELSE",
                    "ESCAPE",
                    "FOR",
                    "FROM",
                    "HAVING",
                    "HIGH_PRIORITY",
                    "IMMEDIATE",
                    "IN",
                    "INTERVAL",
                    "KILL",
                    "LEADING",
                    "LIKE",
                    "LIMIT",
                    "MOD",
                    "NOT",
                    "OFFSET",
                    "ON",
                    "OR",
                    "QUERY",
                    "REGEXP",
                    "RETURNING",
                    "RLIKE",
                    "SELECT",
                    "SQL_BIG_RESULT",
                    "SQL_BUFFER_RESULT",
                    "SQL_CACHE",
                    "SQL_CALC_FOUND_ROWS",
                    "SQL_NO_CACHE",
                    "SQL_SMALL_RESULT",
                    "STRAIGHT_JOIN",
                    "THEN",
                    "TRAILING",
                    "BOTH",
                    "USING",
                    "WHEN",
                    "WHERE",
                    "XOR");

    /// Whose first word is no operand.
    private static final Set<String> OF_UNITS =
            Set.of("EXTRACT", "GET_FORMAT", "TIMESTAMPADD", "TIMESTAMPDIFF");

    /// Reserved: a variable of such a name stands in quotes.
    private static final Set<String> KEYWORDS =
            Set.of(
                    ("AND AS BETWEEN BINARY BY CASE CROSS DEFAULT DISTINCT DIV ELSE "
                                    + "EXCEPT EXISTS FALSE FOR FROM GROUP HAVING IN INNER INTERSECT "
                                    + "INTERVAL INTO IS JOIN KEY LEFT LIKE LIMIT NATURAL NOT NULL ON OR "
                                    + "ORDER RETURNING RIGHT SELECT SET STRAIGHT_JOIN THEN TRUE UNION "
                                    + "UPDATE USING VALUES WHEN WHERE WITH XOR")
                            .split(" "));

    /// Before a text, of which they make a moment.
    private static final Set<String> MOMENTS = Set.of("DATE", "TIME", "TIMESTAMP");

    private static final Set<String> JOINS =
            Set.of("CROSS", "INNER", "JOIN", "LEFT", "NATURAL", "RIGHT", "STRAIGHT_JOIN");

    private final Tokens tokens;
    private final Predicate<String> isVariable;
    private final Deque<Frame> frames = new ArrayDeque<>();
    private final List<Text.Operand> operands = new ArrayList<>();
    private final List<Text.Heading> headings = new ArrayList<>();

    /// Behind ON DUPLICATE KEY UPDATE, where VALUES is a function of a column.
    private boolean duplicates;

    private VariablePlaces(Tokens tokens, Predicate<String> isVariable, Clause begins) {
        this.tokens = tokens;
        this.isVariable = isVariable;
        frames.push(new Frame(begins, ""));
    }

    static Text ofExpression(Tokens tokens, Predicate<String> isVariable) {
        return new VariablePlaces(tokens, isVariable, Clause.VALUES).read(0);
    }

    /// @throws org.quiredb.common.error.QuireException where it is not clear
    static Text ofStatement(Tokens tokens, Predicate<String> isVariable) {
        if (!names(tokens, isVariable)) {
            return new Text(tokens, List.of(), List.of());
        }
        String word = tokens.upper(0);
        if (WITHOUT.contains(word)) {
            return new Text(tokens, List.of(), List.of());
        }
        return switch (word) {
            case "SELECT", "DO", "VALUES", "KILL", "" ->
                    new VariablePlaces(tokens, isVariable, Clause.VALUES).read(0);
            case "WITH", "INSERT", "REPLACE", "UPDATE", "DELETE" ->
                    new VariablePlaces(tokens, isVariable, Clause.TABLES).read(0);
            case "SET" -> {
                VariablePlaces set = new VariablePlaces(tokens, isVariable, Clause.TARGETS);
                set.frames.element().assigns = true;
                yield set.read(1);
            }
            case "PREPARE", "EXECUTE" ->
                    new VariablePlaces(tokens, isVariable, Clause.VALUES).read(2);
            case "SHOW", "EXPLAIN", "DESCRIBE", "DESC" ->
                    new VariablePlaces(tokens, isVariable, Clause.TABLES).read(0);
            default -> {
                if (!DEFINITIONS.contains(word)) {
                    throw ProgramReader.refused(
                            word + " with what may be a variable of the program");
                }
                yield ofDefinition(tokens, isVariable);
            }
        };
    }

    private static boolean names(Tokens tokens, Predicate<String> isVariable) {
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.isName(i) && isVariable.test(tokens.name(i).toLowerCase(Locale.ROOT))) {
                return true;
            }
        }
        return false;
    }

    /// What a table is made from; its columns have the types of a server's variables.
    private static Text ofDefinition(Tokens tokens, Predicate<String> isVariable) {
        int query = 0;
        while (query < tokens.size() && !tokens.is(query, "SELECT")) {
            query++;
        }
        if (query == tokens.size()) {
            return new Text(tokens, List.of(), List.of());
        }
        Text read = new VariablePlaces(tokens, isVariable, Clause.VALUES).read(query);
        if (!read.headings().isEmpty()
                || read.operands().stream().anyMatch(o -> shown(tokens, o))) {
            throw ProgramReader.refused("a table made of variables of the program");
        }
        return read;
    }

    /// Whether it stands in a list of SELECT, or where that is not known.
    private static boolean shown(Tokens tokens, Text.Operand operand) {
        for (int i = operand.at(); i >= 0; i--) {
            if (tokens.is(i, "SELECT")) {
                return true;
            }
            if (tokens.is(i, "WHERE") || tokens.is(i, "LIMIT") || tokens.is(i, "HAVING")) {
                return false;
            }
        }
        return true;
    }

    private Text read(int from) {
        for (int at = from; at < tokens.size(); at++) {
            Frame frame = frames.element();
            if (tokens.is(at, '(')) {
                frames.push(opened(at, frame));
            } else if (tokens.is(at, ')')) {
                heading(at);
                if (frames.size() > 1) {
                    frames.pop();
                }
            } else if (tokens.is(at, ',')) {
                comma(at, frame);
            } else if (tokens.is(at, '=') && frame.clause == Clause.TARGETS) {
                frame.clause = Clause.VALUES;
            } else if (isOwn(at)) {
                name(at, frame);
            } else {
                word(at, frame);
            }
        }
        heading(tokens.size());
        return new Text(tokens, operands, headings);
    }

    private Frame opened(int at, Frame in) {
        boolean query = tokens.is(at + 1, "SELECT") || tokens.is(at + 1, "WITH");
        if (query) {
            return new Frame(Clause.VALUES, "");
        }
        String before = tokens.upper(at - 1);
        if (before.equals("USING")
                || before.equals("INDEX")
                || before.equals("KEY")
                || before.equals("PARTITION")
                || (duplicates && (before.equals("VALUES") || before.equals("VALUE")))) {
            return new Frame(Clause.NAMES, "");
        }
        return switch (in.clause) {
            case TABLES -> {
                boolean joined = in.from && !tokens.isName(at - 1);
                boolean keyword = JOINS.contains(before) || before.equals("FROM");
                Frame frame = new Frame(joined || keyword ? Clause.TABLES : Clause.NAMES, "");
                frame.from = frame.clause == Clause.TABLES;
                yield frame;
            }
            case NAMES, TARGETS -> new Frame(Clause.NAMES, "");
            case VALUES -> new Frame(Clause.VALUES, BEFORE.contains(before) ? "" : before);
        };
    }

    private void comma(int at, Frame frame) {
        if (frame.selects) {
            heading(at);
            frame.item = at + 1;
        }
        if (frame.assigns) {
            frame.clause = Clause.TARGETS;
        } else if (frame.from) {
            frame.clause = Clause.TABLES;
        }
    }

    private boolean isOwn(int at) {
        return tokens.isName(at)
                && !tokens.is(at - 1, '.')
                && !tokens.is(at + 1, '.')
                && !tokens.is(at - 1, '@')
                && !tokens.is(at + 1, '(')
                && !KEYWORDS.contains(tokens.upper(at))
                && !(tokens.isConstant(at + 1) && MOMENTS.contains(tokens.upper(at)))
                && isVariable.test(tokens.name(at).toLowerCase(Locale.ROOT));
    }

    private void name(int at, Frame frame) {
        if (frame.clause != Clause.VALUES || !isOperand(at, frame)) {
            return;
        }
        boolean alone = frame.orders && (tokens.is(at - 1, "BY") || tokens.is(at - 1, ','));
        Text.Place place =
                frame.limits
                        ? Text.Place.LIMITS
                        : alone ? Text.Place.ORDERS : Text.Place.EXPRESSION;
        operands.add(new Text.Operand(at, tokens.name(at).toLowerCase(Locale.ROOT), place));
    }

    private boolean isOperand(int at, Frame frame) {
        if (tokens.is(at - 1, '(') && OF_UNITS.contains(tokens.upper(at - 2))) {
            return false;
        }
        if (at == 0 || tokens.is(at - 1, ',')) {
            return !frame.function.equals("CONVERT"); // of which it is the type
        }
        if (tokens.is(at - 1, "USING")) {
            return frame.function.isEmpty(); // else a character set
        }
        if (tokens.is(at - 1, "FOR") || tokens.is(at - 1, "FROM")) {
            return !frame.function.isEmpty() || tokens.is(0, "PREPARE");
        }
        return tokens.get(at - 1) instanceof Token.Symbol
                ? !tokens.is(at - 1, ')')
                : BEFORE.contains(tokens.upper(at - 1));
    }

    private void word(int at, Frame frame) {
        switch (tokens.upper(at)) {
            case "SELECT" -> {
                frame.clause = Clause.VALUES;
                frame.from = false;
                frame.assigns = false;
                frame.orders = false;
                frame.limits = false;
                if (frame.item < 0 && (frames.size() > 1 || !isSource())) {
                    frame.selects = true;
                    frame.item = at + 1;
                    while (BEFORE.contains(tokens.upper(frame.item))
                            && !tokens.is(frame.item, "NOT")
                            && !tokens.is(frame.item, "CASE")
                            && !tokens.is(frame.item, "BINARY")
                            && !tokens.is(frame.item, "INTERVAL")) {
                        frame.item++;
                    }
                }
            }
            case "FROM" -> {
                if (frame.function.isEmpty() && !tokens.is(0, "PREPARE")) {
                    tables(at, frame);
                }
            }
            case "JOIN", "CROSS", "INNER", "NATURAL", "STRAIGHT_JOIN" -> {
                if (frame.from) {
                    frame.clause = Clause.TABLES;
                }
            }
            case "LEFT", "RIGHT" -> {
                if (frame.from && !tokens.is(at + 1, '(')) {
                    frame.clause = Clause.TABLES;
                }
            }
            case "INTO" -> ends(at, frame, Clause.TABLES);
            case "ON" -> {
                if (frame.from || frame.clause == Clause.TABLES) {
                    frame.clause = Clause.VALUES;
                }
            }
            case "SET" -> {
                ends(at, frame, Clause.TARGETS);
                frame.assigns = true;
            }
            case "UPDATE" -> {
                if (tokens.is(at - 1, "KEY")) {
                    ends(at, frame, Clause.TARGETS);
                    frame.assigns = true;
                    duplicates = true;
                }
            }
            case "VALUES", "VALUE" -> {
                if (frames.size() == 1 && frame.clause == Clause.TABLES) {
                    frame.clause = Clause.VALUES;
                }
            }
            case "WHERE", "HAVING", "UNION", "EXCEPT", "INTERSECT", "RETURNING", "LIKE" ->
                    ends(at, frame, Clause.VALUES);
            case "LIMIT" -> {
                ends(at, frame, Clause.VALUES);
                frame.limits = true;
            }
            case "GROUP", "ORDER" -> {
                ends(at, frame, Clause.VALUES);
                frame.orders = true;
            }
            default -> {}
        }
    }

    /// Whether its result is no client's.
    private boolean isSource() {
        return tokens.is(0, "INSERT") || tokens.is(0, "REPLACE") || tokens.is(0, "SET");
    }

    private void tables(int at, Frame frame) {
        ends(at, frame, Clause.TABLES);
        frame.from = true;
    }

    private void ends(int at, Frame frame, Clause next) {
        if (tokens.is(at, "LIKE") && frame.clause == Clause.VALUES) {
            return; // the operator
        }
        heading(at);
        frame.selects = false;
        frame.from = false;
        frame.assigns = false;
        frame.orders = false;
        frame.limits = false;
        frame.clause = next;
    }

    /// A column is named after its text where it has no alias.
    private void heading(int end) {
        Frame frame = frames.element();
        int from = frame.item;
        if (!frame.selects || from >= end) {
            return;
        }
        boolean changed = operands.stream().anyMatch(o -> o.at() >= from && o.at() < end);
        if (changed && !hasAlias(from, end)) {
            headings.add(new Text.Heading(end - 1, tokens.text(from, end)));
        }
    }

    /// INTERVAL 1 DAY
    private boolean isUnit(int at) {
        boolean interval = false;
        for (int i = at - 1; i > 0 && i > at - 10; i--) {
            interval |= tokens.is(i, "INTERVAL");
        }
        return interval
                && (tokens.upper(at).indexOf('_') > 0
                        || Expression.Moved.UNITS.contains(tokens.upper(at)));
    }

    private boolean hasAlias(int from, int end) {
        int last = end - 1;
        boolean named =
                (tokens.isName(last)
                                || tokens.isConstant(last)
                                || tokens.get(last) instanceof Token.Quoted)
                        && operands.stream().noneMatch(o -> o.at() == last);
        if (!named || last == from || (isUnit(last) && !tokens.is(last - 1, "AS"))) {
            return false;
        }
        boolean follows =
                tokens.is(last - 1, "AS")
                        || tokens.is(last - 1, ')')
                        || tokens.is(last - 1, "END")
                        || tokens.isConstant(last - 1)
                        || (tokens.isName(last - 1) && !BEFORE.contains(tokens.upper(last - 1)));
        return follows && !tokens.is(last, "END") && !tokens.is(last, "NULL");
    }
}
