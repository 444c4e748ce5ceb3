package org.quiredb.scheduler.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.quiredb.scheduler.classify.Token;
import org.quiredb.scheduler.classify.Tokens;

/// What a SET statement sets, one effect for each of its assignments.
///
/// Pure. Whether a variable exists and may have the value is for the backend to say.
final class Assignments {
    private static final Set<String> SCOPES =
            Set.of("SESSION", "LOCAL", "GLOBAL", "PERSIST", "PERSIST_ONLY");

    /// What follows SET and is no variable: it would be carried out on the backend when its
    /// assignment is checked there, past the log.
    private static final Set<String> NO_VARIABLES =
            Set.of("STATEMENT", "ROLE", "DEFAULT", "RESOURCE");

    private static final Set<String> CHARACTER_SETS =
            Set.of("UTF8MB4", "UTF8", "UTF8MB3", "NULL", "BINARY", "DEFAULT", "ASCII");

    /// And the zone that was in force before, as dumps remember it.
    private static final Set<String> UTC =
            Set.of(
                    "+00:00",
                    "-00:00",
                    "+0:00",
                    "UTC",
                    "ETC/UTC",
                    "GMT",
                    "SYSTEM",
                    "DEFAULT",
                    "OLD_TIME_ZONE");

    sealed interface Effect {
        /// autocommit = on or off
        record Autocommit(boolean on) implements Effect {}

        /// SET [SESSION] TRANSACTION READ ONLY or READ WRITE, or the variable of the same meaning.
        ///
        /// @param once for the next transaction only
        record AccessMode(boolean readOnly, boolean once) implements Effect {}

        /// For the backend connections that work for the session.
        ///
        /// @param checked known to be right; otherwise the backend is to be asked
        record Remember(String variable, String assignment, boolean checked) implements Effect {}

        /// max_execution_time, of milliseconds and for what reads, or max_statement_time, of
        /// seconds and for all.
        ///
        /// @param value an expression
        record StatementLimit(String variable, String assignment, String value) implements Effect {}

        /// wait_timeout: of this session, and not of backend connections, which idle for others.
        ///
        /// @param value an expression
        record WaitTimeout(String value) implements Effect {}

        record Nothing() implements Effect {}

        record Unsupported(String what) implements Effect {}
    }

    private final String sql;
    private final List<Token> tokens;

    private Assignments(String sql) {
        this.sql = sql;
        this.tokens = Tokens.of(sql);
    }

    static List<Effect> of(String sql) {
        return new Assignments(sql).effects();
    }

    /// Whether a SET statement of one assignment gives one value, and so means the same whoever
    /// makes it and whenever.
    static boolean isConstant(String assignment) {
        List<Token> tokens = Tokens.of(assignment);
        boolean value = false;
        int valueTokens = 0;
        for (Token token : tokens) {
            boolean symbol = token.kind() == Token.Kind.SYMBOL;
            boolean sign = value && valueTokens == 0 && token.is("-");
            if (symbol && !value && (token.is("=") || token.is(":="))) {
                value = true;
            } else if (symbol && !sign && (value || !(token.is("@@") || token.is(".")))) {
                return false;
            } else if (value && !sign) {
                valueTokens++;
            }
        }
        return valueTokens <= 1 && !Tokens.dependsOnVersion(assignment);
    }

    private List<Effect> effects() {
        List<Effect> effects = new ArrayList<>();
        int start = 1;
        int depth = 0;
        for (int i = 1; i <= tokens.size(); i++) {
            if (i < tokens.size() && tokens.get(i).is("(")) {
                depth++;
            } else if (i < tokens.size() && tokens.get(i).is(")")) {
                depth--;
            }
            boolean transaction = start < tokens.size() && isTransaction(start);
            if (i == tokens.size()
                    || (depth == 0 && tokens.get(i).is(",") && !transaction)
                    || tokens.get(i).is(";")) {
                if (i > start) {
                    effects.add(effect(start, i));
                }
                start = i + 1;
            }
        }
        return effects;
    }

    private boolean isTransaction(int at) {
        return tokens.get(at).is("TRANSACTION")
                || (at + 1 < tokens.size()
                        && SCOPES.contains(tokens.get(at).upper())
                        && tokens.get(at + 1).is("TRANSACTION"));
    }

    private Effect effect(int from, int to) {
        String text = sql.substring(tokens.get(from).start(), tokens.get(to - 1).end());
        Token first = tokens.get(from);
        if (NO_VARIABLES.contains(first.upper())
                && from + 1 < to
                && !tokens.get(from + 1).is("=")) {
            return new Effect.Unsupported("SET " + first.upper());
        }
        if (first.is("PASSWORD")) {
            return new Effect.Unsupported("SET PASSWORD");
        }
        if (isTransaction(from)) {
            return transaction(text, first);
        }
        if (first.is("NAMES") || first.is("CHARSET") || first.is("CHARACTER")) {
            Token value =
                    tokens.get(
                            first.is("CHARACTER")
                                    ? Math.min(from + 2, to - 1)
                                    : Math.min(from + 1, to - 1));
            return characterSet("names", value.text(), text);
        }
        int at = from;
        boolean global = false;
        boolean user = first.is("@");
        if (first.is("@@")) {
            at++;
        }
        if (!user && SCOPES.contains(tokens.get(at).upper())) {
            global = !tokens.get(at).is("SESSION") && !tokens.get(at).is("LOCAL");
            at += at + 1 < to && tokens.get(at + 1).is(".") ? 2 : 1;
        }
        if (global) {
            return new Effect.Unsupported("SET GLOBAL; set it on the backend");
        }
        if (user) {
            return new Effect.Remember(
                    "@" + tokens.get(Math.min(from + 1, to - 1)).text(), "SET " + text, false);
        }
        String variable = tokens.get(Math.min(at, to - 1)).text().toLowerCase(Locale.ROOT);
        return variable(variable, text, tokens.get(to - 1));
    }

    private static Effect transaction(String text, Token first) {
        String words = text.toUpperCase(Locale.ROOT).replaceAll("\\s+", " ");
        boolean once = first.is("TRANSACTION");
        if (first.is("GLOBAL")) {
            return new Effect.Unsupported("SET GLOBAL; set it on the backend");
        }
        if (words.contains("READ ONLY")) {
            return new Effect.AccessMode(true, once);
        }
        if (words.contains("READ WRITE")) {
            return new Effect.AccessMode(false, once);
        }
        return once
                ? new Effect.Nothing()
                : new Effect.Remember("transaction isolation", "SET " + text, false);
    }

    /// A client that wants results unconverted (NULL, as Connector/J does) gets UTF-8, as from a
    /// replica.
    private static Effect characterSet(String variable, String value, String text) {
        if (variable.equals("character_set_results") && value.equalsIgnoreCase("NULL")) {
            return new Effect.Remember(variable, "SET character_set_results = utf8mb4", true);
        }
        boolean saved = text.endsWith("@" + value); // by the session itself, as dumps do
        return saved || CHARACTER_SETS.contains(value.toUpperCase(Locale.ROOT))
                ? new Effect.Remember(variable, "SET " + text, true)
                : new Effect.Unsupported("character set " + value + " (use utf8mb4)");
    }

    private static Effect variable(String variable, String text, Token value) {
        String upper = value.upper();
        boolean on =
                upper.equals("1")
                        || upper.equals("ON")
                        || upper.equals("TRUE")
                        || upper.equals("DEFAULT");
        return switch (variable) {
            case "autocommit" -> new Effect.Autocommit(on);
            case "transaction_read_only", "tx_read_only" ->
                    new Effect.AccessMode(on && !upper.equals("DEFAULT"), false);
            case "character_set_client", "character_set_results", "character_set_connection" ->
                    characterSet(variable, value.text(), text);
            case "max_execution_time", "max_statement_time" ->
                    new Effect.StatementLimit(
                            variable, "SET " + text, text.substring(text.indexOf('=') + 1).strip());
            case "wait_timeout" ->
                    new Effect.WaitTimeout(text.substring(text.indexOf('=') + 1).strip());
            case "interactive_timeout" -> new Effect.Nothing(); // looked at when a client connects
            case "time_zone" -> timeZone(value);
            default -> new Effect.Remember(variable, "SET " + text, false);
        };
    }

    /// The tier computes in UTC, and its system's zone is UTC, whatever the backend's is. In
    /// another zone NOW() and TIMESTAMP would be silently wrong.
    private static Effect timeZone(Token value) {
        return UTC.contains(value.upper())
                ? new Effect.Remember("time_zone", "SET time_zone = '+00:00'", true)
                : new Effect.Unsupported("time_zone " + value.text() + " (use '+00:00')");
    }
}
