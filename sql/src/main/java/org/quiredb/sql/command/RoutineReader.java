package org.quiredb.sql.command;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Goes through a stored program's text once.
///
/// A name is the program's own only in its block: elsewhere SET of it may be that of a variable of
/// the server.
///
/// Threads: one.
final class RoutineReader {
    private enum Kind {
        BLOCK,
        /// A CASE.
        STATEMENT,
        /// A CASE, too.
        EXPRESSION
    }

    /// @param names that are declared in it, in lower case
    private record Part(Kind kind, Set<String> names) {}

    private final Tokens tokens;
    private final List<RoutineBody.Parameter> parameters = new ArrayList<>();

    /// What is open where it reads, innermost first.
    private final Deque<Part> open = new ArrayDeque<>();

    private final Set<TableName> calls = new HashSet<>();
    private final Set<String> variables = new HashSet<>();
    private final Set<TableName> added = new HashSet<>();
    private final Set<TableName> changed = new HashSet<>();

    /// Whether they are still there where it has read to.
    private final Map<TableName, Boolean> temporary = new HashMap<>();

    private final Set<TableName> made = new HashSet<>();

    private String change = "";
    private String beyond = "";
    private Set<TableName> inserted = Set.of();

    /// In a statement that changes rows, whose SET assigns columns.
    private boolean ofRows;

    /// Where no statement can be told from an expression.
    private boolean unclear;

    private boolean oneStatement;

    /// In a trigger or a function.
    private boolean atOnce;

    /// How many of {@link RoutineWords#CONTROLS} are open.
    private int controls;

    private int start;
    private int lastBegin = -1;
    private int handles = -1;

    private RoutineReader(Tokens tokens) {
        this.tokens = tokens;
        open.push(new Part(Kind.BLOCK, new HashSet<>(RoutineWords.OF_CONDITIONS)));
    }

    /// @param create after a program's name
    static RoutineBody read(Tokens create) {
        return new RoutineReader(create).read();
    }

    /// @param body of a trigger, from its first word to its last
    static RoutineBody ofTrigger(Tokens body) {
        RoutineReader reader = new RoutineReader(body);
        reader.open.getLast().names.addAll(RoutineWords.OF_TRIGGERS);
        reader.atOnce = true;
        reader.oneStatement = true;
        return reader.read();
    }

    static RoutineBody ofBlock(Tokens block) {
        RoutineReader reader = new RoutineReader(block);
        reader.oneStatement = true;
        return reader.read();
    }

    private RoutineBody read() {
        start = RoutineBody.characteristics(tokens, parameters());
        unclear = tokens.is(start, "RETURNS");
        atOnce |= unclear;
        for (int at = start; at < tokens.size() && beyond.isEmpty(); at++) {
            boolean begins = begins(at);
            String found = change(at, begins && !mayBegin(at));
            if (!found.isEmpty()) {
                change = change.isEmpty() ? found : change;
                beyond = isOfRows(at) ? rows(at) : temporary(at, found);
            }
            if (beyond.isEmpty() && !tokens.is(at - 1, '.')) {
                beyond = nest(at, begins);
                control(at, begins);
            }
            boolean ends = tokens.is(at, ';') && controls == 0 && open.size() == 1;
            if (oneStatement && ends && beyond.isEmpty()) {
                beyond = "more than one statement outside of BEGIN ... END";
            }
            unclear &= !tokens.is(at, ';') && !tokens.is(at, "BEGIN");
            ofRows &= !tokens.is(at, ';');
        }
        if (beyond.isEmpty() && open.size() > 1) {
            beyond = "what does not end";
        }
        boolean own = made.containsAll(temporary.keySet()) && !temporary.containsValue(true);
        if (beyond.isEmpty() && !own) {
            beyond = "a temporary table that it does not make, or drop at its end";
        }
        change = change.isEmpty() ? beyond : change;
        added.removeAll(changed);
        return new RoutineBody(
                parameters,
                change,
                beyond,
                added,
                changed,
                temporary.keySet(),
                calls,
                variables,
                tokens);
    }

    /// @return after them
    private int parameters() {
        int at = 1;
        int depth = 1;
        int from = 1;
        for (; tokens.is(0, '(') && at < tokens.size() && depth > 0; at++) {
            depth += tokens.is(at, '(') ? 1 : tokens.is(at, ')') ? -1 : 0;
            if (depth == 0 || (depth == 1 && tokens.is(at, ','))) {
                parameter(from, at);
                from = at + 1;
            }
        }
        return tokens.is(0, '(') ? at : 0;
    }

    private void parameter(int from, int to) {
        boolean out = tokens.is(from, "OUT");
        boolean both = tokens.is(from, "INOUT");
        int name = out || both || tokens.is(from, "IN") ? from + 1 : from;
        if (name < to) {
            parameters.add(
                    new RoutineBody.Parameter(
                            !out, out || both, tokens.name(name), tokens.text(name + 1, to)));
            open.getLast().names.add(lower(name));
        }
    }

    private boolean isOfRows(int at) {
        return RoutineWords.OF_ROWS.contains(tokens.upper(at)) || tokens.are(at, "LOCK", "IN");
    }

    /// Takes note of whose rows a statement changes, or locks.
    ///
    /// @return why that is not known
    private String rows(int at) {
        if (tokens.is(at, "LOCK") || tokens.is(at - 1, "FOR") || tokens.is(at - 1, "OR")) {
            return "";
        }
        if (tokens.is(at - 1, "KEY")) {
            changed.addAll(inserted);
            return "";
        }
        ofRows = true;
        Cursor cursor = new Cursor(tokens, at + 1);
        boolean delayed = cursor.take("DELAYED"); // no name, though one may be so
        while (cursor.takeOneOf(RoutineWords.BEFORE_TABLES)) {}
        if (tokens.is(at, "INSERT") || tokens.is(at, "REPLACE")) {
            TableName table = cursor.table();
            if (table == null || (delayed && !atOnce)) {
                return "rows of what has no name, or DELAYED ones";
            }
            inserted = Set.of(table);
            (tokens.is(at, "INSERT") ? added : changed).add(table);
            return "";
        }
        return joined(tokens.is(at, "DELETE") ? ofDelete(cursor.at) : cursor.at);
    }

    /// Takes note of temporary tables that are made or dropped.
    ///
    /// @return what else it is
    private String temporary(int at, String found) {
        boolean makes = tokens.is(at, "CREATE");
        Cursor cursor = new Cursor(tokens, at + 1);
        boolean _ = makes && cursor.take("OR") && cursor.take("REPLACE");
        if (!(makes || tokens.is(at, "DROP"))
                || !cursor.take("TEMPORARY")
                || !cursor.take("TABLE")) {
            return found;
        }
        while (cursor.takeOneOf(Set.of("IF", "NOT", "EXISTS"))) {}
        do {
            TableName table = cursor.table();
            if (table == null || (makes && isElsewhere(cursor.at))) {
                return found;
            }
            temporary.put(table, makes);
            made.addAll(makes ? Set.of(table) : Set.of());
        } while (!makes && cursor.take(','));
        return "";
    }

    private boolean isElsewhere(int from) {
        boolean elsewhere = false;
        for (int i = from; i < tokens.size() && !tokens.is(i, ';'); i++) {
            int engine = tokens.is(i + 1, '=') ? i + 2 : i + 1;
            elsewhere |= tokens.is(i, "DIRECTORY");
            elsewhere |=
                    tokens.is(i, "ENGINE") && !RoutineWords.ENGINES.contains(tokens.upper(engine));
        }
        return elsewhere;
    }

    /// Where its tables begin: what stands before may be their aliases.
    private int ofDelete(int from) {
        int begin = from;
        for (int i = from; i < tokens.size() && !tokens.is(i, ';'); i++) {
            boolean tables =
                    (tokens.is(i, "FROM") && begin == from)
                            || (tokens.is(i, "USING") && !tokens.is(i + 1, '('));
            if (tables) {
                begin = i + 1;
            }
            if (tokens.is(i, "WHERE") || tokens.is(i, '(')) {
                break;
            }
        }
        return begin;
    }

    private String joined(int from) {
        int depth = 0;
        boolean expected = true;
        for (int i = from; i < tokens.size() && !tokens.is(i, ';'); i++) {
            if (depth == 0 && RoutineWords.AFTER_TABLES.contains(tokens.upper(i))) {
                break;
            }
            if (expected) {
                Cursor cursor = new Cursor(tokens, i);
                TableName table = cursor.table();
                if (table == null) {
                    return "rows of what has no name";
                }
                changed.add(table);
                i = cursor.at - 1;
                expected = false;
                continue;
            }
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
            expected =
                    depth == 0
                            && (tokens.is(i, ',')
                                    || tokens.is(i, "JOIN")
                                    || tokens.is(i, "STRAIGHT_JOIN"));
        }
        return "";
    }

    /// Opens and closes what a word begins and ends.
    private String nest(int at, boolean begins) {
        Part in = open.getFirst();
        boolean ofCase = in.kind == Kind.EXPRESSION;
        switch (tokens.upper(at)) {
            case "BEGIN" -> {
                if (begins || unclear) {
                    open.push(new Part(Kind.BLOCK, new HashSet<>()));
                    lastBegin = tokens.are(at + 1, "NOT", "ATOMIC") ? at + 2 : at;
                }
            }
            case "CASE" -> {
                if (!tokens.is(at - 1, "END")) {
                    open.push(new Part(begins ? Kind.STATEMENT : Kind.EXPRESSION, Set.of()));
                }
            }
            case "END" -> {
                boolean ends =
                        ofCase
                                ? afterAnOperand(at)
                                : begins
                                        && (in.kind == Kind.STATEMENT
                                                ? tokens.is(at + 1, "CASE")
                                                : !RoutineWords.ENDED.contains(
                                                        tokens.upper(at + 1)));
                if (ends && open.size() > 1) {
                    open.pop();
                }
            }
            case "DECLARE" -> {
                if (begins && in.kind != Kind.BLOCK) {
                    return "DECLARE outside of a block";
                }
                if (begins) {
                    declare(at + 1, in.names);
                }
            }
            default -> {}
        }
        return "";
    }

    private void control(int at, boolean begins) {
        if (RoutineWords.CONTROLS.contains(tokens.upper(at))) {
            controls += tokens.is(at - 1, "END") ? -1 : begins ? 1 : 0;
        }
    }

    /// Elsewhere `end` is a column.
    private boolean afterAnOperand(int at) {
        return tokens.is(at - 1, ')')
                || !(tokens.get(at - 1) instanceof Token.Symbol
                        || RoutineWords.BEFORE_AN_OPERAND.contains(tokens.upper(at - 1)));
    }

    /// A variable, and nothing else that is declared; where what a handler does begins.
    private void declare(int from, Set<String> names) {
        int last = from;
        while (tokens.is(last + 1, ',')) {
            last += 2;
        }
        if (tokens.is(last + 1, "HANDLER")) {
            handles = afterConditions(last + 2);
        } else if (!RoutineWords.AFTER_DECLARED.contains(tokens.upper(last + 1))) {
            for (int name = from; name <= last; name += 2) {
                names.add(lower(name));
            }
        }
    }

    /// @param from where FOR stands
    private int afterConditions(int from) {
        int at = from;
        do {
            at += tokens.is(at + 1, "NOT") || tokens.is(at + 1, "SQLSTATE") ? 3 : 2;
            at += tokens.is(at - 1, "VALUE") ? 1 : 0;
        } while (tokens.is(at, ','));
        return at;
    }

    private String lower(int at) {
        return tokens.name(at).toLowerCase(Locale.ROOT);
    }

    /// Whether a statement, or the end of a part, begins there.
    private boolean begins(int at) {
        if (tokens.is(at - 1, ':')) {
            return !unclear && !tokens.is(at, '=');
        }
        boolean loop = tokens.is(at - 1, "LOOP") || tokens.is(at - 1, "REPEAT");
        boolean after =
                tokens.is(at - 1, ';')
                        || at - 1 == lastBegin
                        || (loop && !tokens.is(at - 2, "END") && !tokens.is(at - 2, "ITERATE"));
        boolean branch = tokens.is(at - 1, "THEN") || tokens.is(at - 1, "ELSE");
        return (!unclear && (at == start || after))
                || at == handles
                || (branch && open.getFirst().kind != Kind.EXPRESSION)
                || (tokens.is(at - 1, "DO") && !begins(at - 1));
    }

    /// Whether an expression may stand there as well, as far as the words tell.
    private boolean mayBegin(int at) {
        return unclear
                || tokens.is(at - 1, "THEN")
                || tokens.is(at - 1, "ELSE")
                || tokens.is(at - 1, "DO");
    }

    private String change(int at, boolean begins) {
        if (tokens.get(at) instanceof Token.Symbol) {
            SessionTerms.Name variable = SessionTerms.Name.at(tokens, at);
            if (variable != null) {
                variables.add(variable.name());
            }
            return "";
        }
        boolean label = tokens.is(at + 1, ':') && !tokens.is(at + 2, '=');
        String word = tokens.upper(at);
        String name = tokens.name(at).toUpperCase(Locale.ROOT);
        boolean called = tokens.is(at + 1, '(');
        if (begins && !label && !RoutineWords.BEGIN.contains(word)) {
            return word.isEmpty() ? "what is no statement" : word;
        }
        if (label || tokens.is(at - 1, '.')) {
            return "";
        }
        if ((RoutineWords.RESERVED.contains(word)
                        && !(called && RoutineWords.RESERVED_FUNCTIONS.contains(word)))
                || (RoutineWords.OTHERS.contains(word) && mayBegin(at) && !called)
                || (called && RoutineWords.FUNCTIONS.contains(name))) {
            return name;
        }
        return switch (word) {
            case "NEXT" -> tokens.is(at + 1, "VALUE") ? "NEXT VALUE" : "";
            case "CALL" -> call(at + 1);
            case "SET" -> set(at);
            default -> "";
        };
    }

    private String call(int at) {
        Cursor cursor = new Cursor(tokens, at);
        TableName name = cursor.table();
        if (name == null || tokens.is(cursor.at, '.')) {
            return name == null ? "CALL of what has no name" : "CALL of a package's";
        }
        calls.add(name);
        return "";
    }

    private String set(int at) {
        boolean ofType =
                tokens.is(at + 1, '(')
                        || tokens.is(at - 1, "CHARACTER")
                        || tokens.is(at - 1, "CHAR");
        return ofType || ofRows || setsOwn(at + 1) ? "" : "SET of what is not its own";
    }

    /// Of a list of assignments.
    private boolean setsOwn(int from) {
        int depth = 0;
        boolean begins = true;
        for (int i = from; i < tokens.size() && !(depth == 0 && tokens.is(i, ';')); i++) {
            if (begins && !isOwn(i)) {
                return false;
            }
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
            begins = depth == 0 && tokens.is(i, ',');
        }
        return true;
    }

    private boolean isOwn(int at) {
        boolean assigned =
                tokens.is(at + 1, '=')
                        || tokens.is(at + 1, '.')
                        || (tokens.is(at + 1, ':') && tokens.is(at + 2, '='));
        return SessionTerms.Name.at(tokens, at) != null
                || (assigned
                        && !RoutineBody.AFTER_SET.contains(tokens.upper(at))
                        && open.stream().anyMatch(part -> part.names.contains(lower(at))));
    }
}
