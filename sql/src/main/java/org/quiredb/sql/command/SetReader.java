package org.quiredb.sql.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.sql.command.Setting.Access;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// Reads SET statements.
///
/// Threads: one.
public final class SetReader {
    private static final Set<String> OF_THE_SESSION = Set.of("SESSION", "LOCAL");
    private static final Set<String> OF_MORE = Set.of("GLOBAL", "PERSIST", "PERSIST_ONLY");

    /// They would be carried out on the backend when their assignment is checked there, past the
    /// log.
    private static final Set<String> NO_VARIABLES =
            Set.of("STATEMENT", "ROLE", "DEFAULT", "RESOURCE");

    private final Tokens tokens;

    private SetReader(Tokens tokens) {
        this.tokens = tokens;
    }

    /// @param tokens of the client's own text: a backend is to read the parts
    public static List<Setting> of(Tokens tokens) {
        return new SetReader(tokens.plain()).all();
    }

    /// Whether a SET statement of one assignment gives one value, and so means the same whoever
    /// makes it and whenever.
    public static boolean isConstant(Tokens tokens) {
        int at = 0;
        while (at < tokens.size() && !tokens.is(at, '=') && !assigns(tokens, at)) {
            boolean system = tokens.is(at, '@') && tokens.is(at + 1, '@');
            if (!system && !tokens.is(at, '.') && !isPlain(tokens, at)) {
                return false;
            }
            at += system ? 2 : 1;
        }
        if (at == tokens.size()) {
            return !tokens.dependsOnVersion(); // NAMES, TRANSACTION
        }
        at += tokens.is(at, '=') ? 1 : 2;
        at += tokens.is(at, '-') ? 1 : 0;
        boolean one = at == tokens.size() || (at + 1 == tokens.size() && isPlain(tokens, at));
        return one && !tokens.dependsOnVersion();
    }

    private static boolean assigns(Tokens tokens, int at) {
        return tokens.is(at, ':') && tokens.is(at + 1, '=');
    }

    private static boolean isPlain(Tokens tokens, int at) {
        return tokens.isName(at) || tokens.isConstant(at);
    }

    private List<Setting> all() {
        List<Setting> settings = new ArrayList<>();
        int start = 1;
        int depth = 0;
        for (int i = 1; i <= tokens.size(); i++) {
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
            boolean comma = depth == 0 && tokens.is(i, ',') && !isTransaction(start);
            if (i == tokens.size() || comma || tokens.is(i, ';')) {
                if (i > start) {
                    settings.add(one(start, i));
                }
                start = i + 1;
            }
        }
        return settings;
    }

    private boolean isTransaction(int at) {
        boolean scoped = isOneOf(OF_THE_SESSION, at) || isOneOf(OF_MORE, at);
        return tokens.is(at, "TRANSACTION") || (scoped && tokens.is(at + 1, "TRANSACTION"));
    }

    private Setting one(int from, int to) {
        String text = tokens.text(from, to);
        String first = tokens.name(from).toUpperCase(Locale.ROOT);
        boolean follows = from + 1 < to && !tokens.is(from + 1, '=');
        if ((NO_VARIABLES.contains(first) && follows) || first.equals("PASSWORD")) {
            return new Setting.Other(first, text);
        }
        if (isTransaction(from)) {
            return new Setting.OfTransactions(
                    tokens.is(from, "TRANSACTION"),
                    isOneOf(OF_MORE, from),
                    access(from, to),
                    isolation(from, to),
                    text);
        }
        if (tokens.is(from, "NAMES") || tokens.is(from, "CHARSET")) {
            return new Setting.CharacterSet(value(Math.min(from + 1, to - 1)), text);
        }
        if (tokens.is(from, "CHARACTER")) {
            return new Setting.CharacterSet(value(Math.min(from + 2, to - 1)), text);
        }
        boolean system = tokens.is(from, '@') && tokens.is(from + 1, '@');
        SessionTerms.@Nullable Name own = SessionTerms.Name.at(tokens, from);
        if (own != null) {
            int equals = tokens.is(own.to(), ':') ? own.to() + 1 : own.to();
            boolean whole = tokens.is(equals, '=') && equals + 1 < to;
            return new Setting.UserVariable(
                    own.name(), whole ? tokens.text(equals + 1, to) : "", text);
        }
        int at = system ? from + 2 : from;
        boolean global = isOneOf(OF_MORE, at);
        if (global || isOneOf(OF_THE_SESSION, at)) {
            at += at + 1 < to && tokens.is(at + 1, '.') ? 2 : 1;
        }
        return new Setting.Variable(
                global,
                value(Math.min(at, to - 1)).toLowerCase(Locale.ROOT),
                expression(from, to),
                value(to - 1),
                text);
    }

    private Access access(int from, int to) {
        for (int i = from; i + 1 < to; i++) {
            if (tokens.are(i, "READ", "ONLY")) {
                return Access.READ_ONLY;
            }
            if (tokens.are(i, "READ", "WRITE")) {
                return Access.READ_WRITE;
            }
        }
        return Access.UNSAID;
    }

    private String isolation(int from, int to) {
        for (int i = from; i + 2 < to; i++) {
            if (tokens.are(i, "ISOLATION", "LEVEL")) {
                boolean two = i + 3 < to && !tokens.is(i + 3, ',');
                return (tokens.name(i + 2) + (two ? " " + tokens.name(i + 3) : ""))
                        .toUpperCase(Locale.ROOT);
            }
        }
        return "";
    }

    private boolean isOneOf(Set<String> words, int at) {
        return words.contains(tokens.name(at).toUpperCase(Locale.ROOT));
    }

    /// A name or constant, without its quotes.
    private String value(int at) {
        return tokens.get(at) instanceof Token.Constant constant
                ? constant.plainText()
                : tokens.name(at);
    }

    private String expression(int from, int to) {
        int at = from;
        while (at < to && !tokens.is(at, '=')) {
            at++;
        }
        return at < to ? tokens.text(at + 1, to) : tokens.text(from, to);
    }
}
