package org.quiredb.sql.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.quiredb.sql.command.RoutineBody;
import org.quiredb.sql.command.SessionTerms;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Reads single statements of a program, which have to do with its variables or are plain.
///
/// Threads: one.
final class StatementReader {
    private static final Set<String> QUERIES = Set.of("SELECT", "WITH", "VALUES", "TABLE");

    private final Predicate<String> isVariable;

    /// @param isVariable whether the program has one of the name, in lower case, where it is read
    StatementReader(Predicate<String> isVariable) {
        this.isVariable = isVariable;
    }

    Step read(Tokens text) {
        return switch (text.upper(0)) {
            case "LEAVE" -> new Step.Leave(only(text));
            case "ITERATE" -> new Step.Iterate(only(text));
            case "SET" -> set(text);
            case "CALL" -> call(text, isVariable);
            case "SIGNAL", "RESIGNAL" -> signal(text);
            case "GET" -> diagnose(text);
            case "FETCH", "OPEN", "CLOSE" -> ofCursor(text);
            default ->
                    text.is(0, '(') || QUERIES.contains(text.upper(0)) ? query(text) : plain(text);
        };
    }

    private static String only(Tokens text) {
        if (text.size() != 2 || !text.isName(1)) {
            throw ProgramReader.refused(text.upper(0));
        }
        return lower(text, 1);
    }

    private Step plain(Tokens text) {
        if (text.size() == 0) {
            throw ProgramReader.refused("what is no statement");
        }
        return new Step.Plain(statement(text));
    }

    Step ofCursor(Tokens text) {
        if (!text.is(0, "FETCH")) {
            return text.is(0, "OPEN") ? open(text) : new Step.Close(only(text));
        }
        int at = text.are(1, "NEXT", "FROM") ? 3 : text.is(1, "FROM") ? 2 : 1;
        String cursor = lower(text, at);
        if (!text.is(at + 1, "INTO")) {
            throw ProgramReader.refused("FETCH without INTO");
        }
        List<String> names = new ArrayList<>();
        for (at += 2; at < text.size(); at += 2) {
            if (!text.isName(at)
                    || !isVariable.test(lower(text, at))
                    || (at + 1 < text.size() && !text.is(at + 1, ','))) {
                throw ProgramReader.refused("FETCH into what is no variable of its own");
            }
            names.add(lower(text, at));
        }
        return new Step.Fetch(cursor, names);
    }

    private Step open(Tokens text) {
        if (!text.is(2, '(')) {
            return new Step.Open(only(text), List.of());
        }
        if (!text.isName(1) || closing(text, 2) != text.size() - 1) {
            throw ProgramReader.refused("OPEN");
        }
        return new Step.Open(
                lower(text, 1),
                list(text.part(3, text.size() - 1)).stream().map(this::expression).toList());
    }

    /// As on a server, each assignment sees what the one before it has set. What is not an
    /// assignment stays whole.
    private Step set(Tokens text) {
        if (RoutineBody.AFTER_SET.contains(text.upper(1)) && !text.is(2, '=')) {
            return plain(text);
        }
        List<Step> steps = new ArrayList<>();
        for (Tokens one : list(text.part(1, text.size()))) {
            if (RoutineBody.AFTER_SET.contains(one.upper(0)) && !one.is(1, '=')) {
                throw ProgramReader.refused("SET of several, one of which says where it is");
            }
            String name = one.name(0).toLowerCase(Locale.ROOT);
            boolean own = one.isName(0) && isVariable.test(name);
            int value = one.is(1, '=') ? 2 : one.is(1, ':') && one.is(2, '=') ? 3 : 0;
            if (own && value == 0) {
                throw ProgramReader.refused("SET of a part of a variable");
            }
            steps.add(
                    own
                            ? new Step.Assign(name, expression(one.part(value, one.size())))
                            : plain(Tokens.of("SET " + one.text())));
        }
        return steps.size() == 1
                ? steps.getFirst()
                : new Step.Block("", List.of(), List.of(), steps);
    }

    private Step query(Tokens text) {
        int depth = 0;
        for (int i = 0; i < text.size(); i++) {
            depth += text.is(i, '(') ? 1 : text.is(i, ')') ? -1 : 0;
            if (depth == 0
                    && text.is(i, "INTO")
                    && !text.is(i + 1, "OUTFILE")
                    && !text.is(i + 1, "DUMPFILE")) {
                return into(text, i);
            }
        }
        return plain(text);
    }

    private Step into(Tokens text, int from) {
        List<Step.Target> targets = new ArrayList<>();
        int at = from;
        do {
            at++;
            SessionTerms.Name user = SessionTerms.Name.at(text, at);
            if (user != null) {
                targets.add(new Step.Target(true, user.name()));
                at = user.to();
            } else {
                targets.add(new Step.Target(false, variable(text, at)));
                at++;
            }
        } while (text.is(at, ','));
        if (targets.stream().allMatch(Step.Target::user)) {
            return plain(text);
        }
        Edits edits = new Edits(text);
        edits.replace(from, at, "");
        return new Step.SelectInto(statement(Tokens.of(edits.made().strip())), targets);
    }

    private String variable(Tokens text, int at) {
        String name = lower(text, at);
        if (!text.isName(at) || !isVariable.test(name) || text.is(at + 1, '.')) {
            throw ProgramReader.refused("a value for what is no variable");
        }
        return name;
    }

    static Step.Call call(Tokens text, Predicate<String> isVariable) {
        boolean qualified = text.is(2, '.');
        TableName name =
                qualified
                        ? new TableName(text.name(1), text.name(3))
                        : new TableName("", text.name(1));
        int at = qualified ? 4 : 2;
        boolean bracket = text.is(at, '(');
        boolean whole = bracket ? closing(text, at) == text.size() - 1 : at == text.size();
        if (!whole || name.name().isEmpty()) {
            throw ProgramReader.refused("CALL of what has no name");
        }
        return new Step.Call(
                name,
                !bracket || text.size() == at + 2
                        ? List.of()
                        : list(text.part(at + 1, text.size() - 1)).stream()
                                .map(one -> VariablePlaces.ofExpression(one, isVariable))
                                .toList());
    }

    private Step signal(Tokens text) {
        boolean named = text.isName(1) && !text.is(1, "SQLSTATE") && !text.is(1, "SET");
        return new Step.Signal(
                text.is(0, "RESIGNAL"), named ? lower(text, 1) : "", signalled(text));
    }

    /// Values stand on the right of each `=`.
    private Text signalled(Tokens text) {
        List<Text.Operand> operands = new ArrayList<>();
        for (int i = 1; i < text.size(); i++) {
            if (text.is(i - 1, '=') && text.isName(i) && isVariable.test(lower(text, i))) {
                operands.add(new Text.Operand(i, lower(text, i), Text.Place.EXPRESSION));
            }
        }
        return new Text(text, operands, List.of());
    }

    private Text expression(Tokens text) {
        return VariablePlaces.ofExpression(text, isVariable);
    }

    private Text statement(Tokens text) {
        return VariablePlaces.ofStatement(text, isVariable);
    }

    private Step diagnose(Tokens text) {
        boolean stacked = text.is(1, "STACKED");
        int at = stacked || text.is(1, "CURRENT") ? 2 : 1;
        if (!text.is(at, "DIAGNOSTICS")) {
            throw ProgramReader.refused("GET");
        }
        at++;
        @Nullable Text condition = null;
        if (text.is(at, "CONDITION")) {
            int sign = text.is(at + 1, '@') ? 1 : 0;
            condition = expression(text.part(at + 1, at + 2 + sign));
            at += 2 + sign;
        }
        List<Step.Item> items = new ArrayList<>();
        for (Tokens one : list(text.part(at, text.size()))) {
            SessionTerms.Name user = SessionTerms.Name.at(one, 0);
            int sign = user == null ? 1 : user.to();
            if (!one.is(sign, '=') || one.size() != sign + 2) {
                throw ProgramReader.refused("GET DIAGNOSTICS of an expression");
            }
            items.add(
                    new Step.Item(
                            user == null
                                    ? new Step.Target(false, variable(one, 0))
                                    : new Step.Target(true, user.name()),
                            one.upper(sign + 1)));
        }
        return new Step.Diagnose(stacked, condition, items);
    }

    /// What commas separate that no brackets are around.
    static List<Tokens> list(Tokens text) {
        List<Tokens> parts = new ArrayList<>();
        int depth = 0;
        int from = 0;
        for (int i = 0; i <= text.size(); i++) {
            depth += text.is(i, '(') ? 1 : text.is(i, ')') ? -1 : 0;
            if (i == text.size() || (depth == 0 && text.is(i, ','))) {
                parts.add(text.part(from, i));
                from = i + 1;
            }
        }
        if (parts.stream().anyMatch(part -> part.size() == 0)) {
            throw ProgramReader.refused("what is no list");
        }
        return parts;
    }

    /// Where a bracket is closed that is opened there; past the end where it is not.
    static int closing(Tokens text, int from) {
        int depth = 0;
        for (int i = from; i < text.size(); i++) {
            depth += text.is(i, '(') ? 1 : text.is(i, ')') ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return text.size();
    }

    private static String lower(Tokens text, int at) {
        return text.name(at).toLowerCase(Locale.ROOT);
    }
}
