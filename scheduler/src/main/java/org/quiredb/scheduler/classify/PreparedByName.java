package org.quiredb.scheduler.classify;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.classify.Classification.Given;
import org.quiredb.sql.command.SessionTerms;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// Reads PREPARE, EXECUTE and DEALLOCATE PREPARE.
///
/// Threads: one.
final class PreparedByName {
    private final Tokens tokens;
    private int at = 1;

    private PreparedByName(Tokens tokens) {
        this.tokens = tokens;
    }

    static Classification prepare(Tokens tokens) {
        PreparedByName reader = new PreparedByName(tokens);
        String name = reader.name();
        boolean from = reader.take("FROM");
        List<Given> text = reader.given();
        return name.isEmpty() || !from || text.size() != 1 || !reader.ended()
                ? new Classification.Mistake(tokens.text())
                : new Classification.Prepare(name, text.getFirst());
    }

    static Classification execute(Tokens tokens) {
        PreparedByName reader = new PreparedByName(tokens);
        boolean immediate = reader.take("IMMEDIATE");
        List<Given> text = immediate ? reader.one() : List.of();
        String name = immediate ? "" : reader.name();
        boolean using = reader.take("USING");
        List<Given> values = using ? reader.given() : List.of();
        boolean mistaken =
                (immediate ? text.isEmpty() : name.isEmpty())
                        || (using && values.isEmpty())
                        || !reader.ended();
        return mistaken
                ? new Classification.Mistake(tokens.text())
                : new Classification.Execute(name, text, values);
    }

    static Classification deallocate(Tokens tokens) {
        PreparedByName reader = new PreparedByName(tokens);
        boolean prepare = reader.take("PREPARE");
        String name = reader.name();
        return !prepare || name.isEmpty() || !reader.ended()
                ? new Classification.Mistake(tokens.text())
                : new Classification.Deallocate(name);
    }

    private boolean ended() {
        return at >= tokens.size();
    }

    private String name() {
        return tokens.name(at++).toLowerCase(Locale.ROOT);
    }

    private boolean take(String word) {
        boolean there = tokens.is(at, word);
        at += there ? 1 : 0;
        return there;
    }

    /// Empty where something else stands.
    private List<Given> given() {
        List<Given> all = new ArrayList<>(one());
        while (!all.isEmpty() && tokens.is(at, ',')) {
            at++;
            List<Given> next = one();
            if (next.isEmpty()) {
                return next;
            }
            all.addAll(next);
        }
        return all;
    }

    private List<Given> one() {
        int from = at;
        List<Given> simple = simple();
        if (!simple.isEmpty() && endsOne()) {
            return simple;
        }
        at = from;
        int depth = 0;
        while (depth > 0 || !endsOne()) {
            depth += tokens.is(at, '(') ? 1 : tokens.is(at, ')') ? -1 : 0;
            at++;
            if (ended() && depth != 0) {
                return List.of();
            }
        }
        return at == from ? List.of() : List.of(new Given.Computed(tokens.text(from, at)));
    }

    private boolean endsOne() {
        return ended() || tokens.is(at, ',') || tokens.is(at, ';') || tokens.is(at, "USING");
    }

    private List<Given> simple() {
        SessionTerms.Name variable = SessionTerms.Name.at(tokens, at);
        if (variable != null) {
            at = variable.to();
            return List.of(new Given.Variable(variable.name()));
        }
        if (at < tokens.size() && tokens.get(at) instanceof Token.Constant constant) {
            at++;
            return List.of(new Given.Constant(constant.value()));
        }
        if (tokens.is(at, "NULL")) {
            at++;
            return List.of(new Given.Constant(SqlValue.NULL));
        }
        return List.of();
    }
}
