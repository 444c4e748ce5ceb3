package org.quiredb.sql.program;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.command.RoutineBody;
import org.quiredb.sql.program.Step.Declared;
import org.quiredb.sql.program.Step.Handled;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// Reads a program's text once, from its first token to its last.
///
/// It knows which names are variables where it reads, as SET and INTO mean others for other names.
///
/// Threads: one.
final class ProgramReader {
    private static final int MOST_NESTED = 100;

    /// What the statements of a list end before.
    private static final Set<String> ENDS = Set.of("ELSE", "ELSEIF", "END", "UNTIL", "WHEN");

    private static final Set<String> OF_CURSORS = Set.of("OPEN", "FETCH", "CLOSE");

    /// Not for a statement of their own, or of a row of values.
    private static final Set<String> REFUSED = Set.of("GOTO", "RETURN", "DECLARE", "EXIT");

    private final Tokens tokens;
    private final Deque<Set<String>> names = new ArrayDeque<>();
    private final StatementReader statements;
    private int at;
    private int depth;

    ProgramReader(Tokens tokens) {
        this.tokens = tokens;
        names.push(new HashSet<>());
        statements = new StatementReader(this::isVariable);
    }

    /// Passes over parameters and characteristics.
    ///
    /// @return whether it runs with the rights of who calls it
    boolean head() {
        at = tokens.is(0, '(') ? StatementReader.closing(tokens, 0) + 1 : 0;
        int from = at;
        at = RoutineBody.characteristics(tokens, from);
        return IntStream.range(from, at).anyMatch(i -> tokens.are(i, "SQL", "SECURITY", "INVOKER"));
    }

    void declares(List<String> variables) {
        variables.forEach(name -> names.element().add(name.toLowerCase(Locale.ROOT)));
    }

    /// All that is left.
    Step whole() {
        Step step = step();
        boolean _ = take(';');
        if (at < tokens.size()) {
            throw refused("more than one statement outside of BEGIN ... END");
        }
        return step;
    }

    private Step step() {
        if (++depth > MOST_NESTED) {
            throw refused("blocks within more than " + MOST_NESTED + " others");
        }
        String label = "";
        if (tokens.isName(at) && tokens.is(at + 1, ':') && !tokens.is(at + 2, '=')) {
            label = lower(at);
            at += 2;
        }
        Step step =
                switch (tokens.upper(at)) {
                    case "BEGIN" -> block(label);
                    case "IF" -> choice();
                    case "CASE" -> ofCase();
                    case "FOR" -> count(label);
                    case "LOOP" -> loop(label, null);
                    case "REPEAT" -> loop(label, null);
                    case "WHILE" -> {
                        int from = ++at;
                        yield loop(label, until("DO", from));
                    }
                    default -> simple();
                };
        depth--;
        return step;
    }

    private List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        while (at < tokens.size() && !ENDS.contains(tokens.upper(at))) {
            steps.add(step());
            require(';');
        }
        return steps;
    }

    private Step block(String label) {
        at++;
        if (tokens.are(at, "NOT", "ATOMIC")) {
            at += 2;
        }
        names.push(new HashSet<>());
        List<Declared> declared = new ArrayList<>();
        List<Step.Handler> handlers = new ArrayList<>();
        while (take("DECLARE")) {
            if (tokens.is(at + 1, "HANDLER")) {
                handlers.add(handler());
            } else {
                declared.add(declared());
            }
            require(';');
        }
        List<Step> steps = steps();
        require("END");
        takeLabel(label);
        names.pop();
        return new Step.Block(label, declared, handlers, steps);
    }

    private void takeLabel(String label) {
        if (!label.isEmpty() && lower(at).equals(label)) {
            at++;
        }
    }

    private Step.Handler handler() {
        boolean exits = take("EXIT");
        if (!exits && !take("CONTINUE")) {
            throw refused("handlers that neither exit nor continue");
        }
        require("HANDLER");
        require("FOR");
        List<Handled> handled = new ArrayList<>();
        do {
            handled.add(handled());
        } while (take(','));
        return new Step.Handler(exits, handled, step());
    }

    private Handled handled() {
        if (take("SQLSTATE")) {
            boolean _ = take("VALUE");
            return new Handled.State(string());
        }
        if (take("SQLWARNING")) {
            return new Handled.Warning();
        }
        if (take("SQLEXCEPTION")) {
            return new Handled.Failure();
        }
        if (take("NOT")) {
            require("FOUND");
            return new Handled.NotFound();
        }
        if (tokens.isConstant(at)
                && tokens.get(at) instanceof Token.Constant constant
                && constant.value() instanceof SqlValue.IntegerValue(long number, boolean _)) {
            at++;
            return new Handled.Code(Math.toIntExact(number));
        }
        return new Handled.Named(name());
    }

    private Declared declared() {
        if (tokens.is(at + 1, "CONDITION")) {
            String name = name();
            at++;
            require("FOR");
            return new Declared.Condition(name, handled());
        }
        if (tokens.is(at + 1, "CURSOR")) {
            return cursor();
        }
        List<String> variables = new ArrayList<>();
        do {
            variables.add(name());
        } while (take(','));
        int from = at;
        while (at < tokens.size() && !tokens.is(at, ';') && !tokens.is(at, "DEFAULT")) {
            at++;
        }
        String type = type(tokens.part(from, at));
        Text value = take("DEFAULT") ? expression(rest()) : null;
        names.element().addAll(variables);
        return new Declared.Variable(variables, type, value);
    }

    /// In its query, parameters go before variables of their names.
    private Declared cursor() {
        String name = name();
        at++;
        List<Declared.Variable> parameters = new ArrayList<>();
        if (tokens.is(at, '(')) {
            int end = StatementReader.closing(tokens, at);
            for (Tokens one : StatementReader.list(tokens.part(at + 1, end))) {
                if (!one.isName(0) || one.size() < 2) {
                    throw refused("a cursor's parameter without a name and a type");
                }
                parameters.add(
                        new Declared.Variable(
                                List.of(one.name(0).toLowerCase(Locale.ROOT)),
                                type(one.part(1, one.size())),
                                null));
            }
            at = end + 1;
        }
        require("FOR");
        names.push(new HashSet<>());
        parameters.forEach(parameter -> names.element().addAll(parameter.names()));
        Text query = statement(rest());
        names.pop();
        return new Declared.Cursor(name, parameters, query);
    }

    private static String type(Tokens type) {
        if (type.is(0, "ROW") || type.is(0, "TYPE")) {
            throw refused("variables of the type of something else");
        }
        return type.text();
    }

    private Step choice() {
        List<Step.Branch> branches = new ArrayList<>();
        do {
            int from = ++at;
            Text condition = until("THEN", from);
            branches.add(new Step.Branch(condition, steps()));
        } while (tokens.is(at, "ELSEIF"));
        List<Step> otherwise = take("ELSE") ? steps() : null;
        require("END");
        require("IF");
        return new Step.Choice(branches, otherwise, false);
    }

    private Step ofCase() {
        int from = ++at;
        Text operand = tokens.is(at, "WHEN") ? null : until("WHEN", from);
        if (operand != null) {
            at--; // back to WHEN
        }
        List<Step.Branch> branches = new ArrayList<>();
        while (take("WHEN")) {
            Text condition = until("THEN", at);
            branches.add(new Step.Branch(condition, steps()));
        }
        List<Step> otherwise = take("ELSE") ? steps() : null;
        require("END");
        require("CASE");
        return operand == null
                ? new Step.Choice(branches, otherwise, true)
                : new Step.Case(operand, branches, otherwise);
    }

    /// @param before of a WHILE, after which it reads on
    private Step loop(String label, @Nullable Text before) {
        String word = before == null ? tokens.upper(at++) : "WHILE";
        List<Step> steps = steps();
        Text after = null;
        if (word.equals("REPEAT")) {
            require("UNTIL");
            int from = at;
            while (at < tokens.size() && !tokens.are(at, "END", "REPEAT")) {
                at++;
            }
            after = expression(tokens.part(from, at));
        }
        require("END");
        require(word);
        takeLabel(label);
        return new Step.Loop(label, before, steps, after);
    }

    /// Its variable is not there for its bounds.
    private Step count(String label) {
        at++;
        String variable = name();
        require("IN");
        boolean reverse = take("REVERSE");
        int dots = at;
        while (!(tokens.is(dots, '.') && tokens.is(dots + 1, '.'))) {
            if (dots >= tokens.size() || tokens.is(dots, ';') || tokens.is(dots, "DO")) {
                throw refused("FOR over a cursor or a query");
            }
            dots++;
        }
        Text low = expression(tokens.part(at, dots));
        Text high = until("DO", dots + 2);
        names.push(new HashSet<>(Set.of(variable)));
        List<Step> steps = steps();
        names.pop();
        require("END");
        require("FOR");
        takeLabel(label);
        return new Step.Count(label, variable, reverse, low, high, steps);
    }

    /// What stands before a word that is none of a CASE's own; reads on behind it.
    private Text until(String word, int from) {
        int cases = 0;
        for (int i = from; i < tokens.size() && !tokens.is(i, ';'); i++) {
            if (cases == 0 && tokens.is(i, word)) {
                at = i + 1;
                return expression(tokens.part(from, i));
            }
            cases += tokens.is(i, "CASE") ? 1 : cases > 0 && tokens.is(i, "END") ? -1 : 0;
        }
        throw refused("what does not end");
    }

    /// Up to the statement's end.
    private Tokens rest() {
        int from = at;
        while (at < tokens.size() && !tokens.is(at, ';')) {
            at++;
        }
        return tokens.part(from, at);
    }

    private Step simple() {
        String word = tokens.upper(at);
        if (word.isEmpty() || REFUSED.contains(word)) {
            throw refused(word.isEmpty() ? "what is no statement" : word);
        }
        int from = at;
        Tokens text = rest();
        if (OF_CURSORS.contains(word) && tokens.isName(from + 1)) {
            return statements.ofCursor(text);
        }
        return statements.read(text);
    }

    private Text expression(Tokens text) {
        return VariablePlaces.ofExpression(text, this::isVariable);
    }

    private Text statement(Tokens text) {
        return VariablePlaces.ofStatement(text, this::isVariable);
    }

    private boolean isVariable(String name) {
        return names.stream().anyMatch(some -> some.contains(name));
    }

    private String name() {
        if (!tokens.isName(at)) {
            throw refused("what is no name");
        }
        return lower(at++);
    }

    private String string() {
        if (tokens.isConstant(at)
                && tokens.get(at) instanceof Token.Constant constant
                && constant.value() instanceof SqlValue.StringValue(String text)) {
            at++;
            return text;
        }
        throw refused("what is no string");
    }

    private String lower(int index) {
        return tokens.name(index).toLowerCase(Locale.ROOT);
    }

    private boolean take(String word) {
        boolean there = tokens.is(at, word);
        at += there ? 1 : 0;
        return there;
    }

    private boolean take(char symbol) {
        boolean there = tokens.is(at, symbol);
        at += there ? 1 : 0;
        return there;
    }

    private void require(String word) {
        if (!take(word)) {
            throw refused("what has no " + word);
        }
    }

    private void require(char symbol) {
        if (!take(symbol)) {
            throw refused("what has no " + symbol);
        }
    }

    static QuireException refused(String what) {
        return new QuireException(
                ErrorCode.NOT_SUPPORTED_YET,
                "Quire does not support %s in a program".formatted(what));
    }
}
