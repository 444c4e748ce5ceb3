package org.quiredb.scheduler.session.setting;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.quiredb.sql.command.Setting;
import org.quiredb.sql.text.Tokens;

/// What a SET statement sets, one effect for each of its assignments.
///
/// Pure. Whether a variable exists and may have the value is for the backend to say.
public final class Assignments {
    private static final Set<String> CHARACTER_SETS =
            Set.of("UTF8MB4", "UTF8", "UTF8MB3", "NULL", "BINARY", "DEFAULT");

    private static final Set<String> SWITCHES =
            Set.of("autocommit", "transaction_read_only", "tx_read_only");

    private static final Set<String> ON = Set.of("1", "ON", "TRUE");
    private static final Set<String> OFF = Set.of("0", "OFF", "FALSE");

    private static final Set<String> UTC = Set.of("+00:00", "-00:00", "+0:00");

    public sealed interface Effect {
        /// autocommit = on or off
        record Autocommit(boolean on) implements Effect {}

        /// A switch that is given an expression: autocommit or the transactions' access mode.
        ///
        /// @param once for the next transaction only, of the access mode
        record Switch(String variable, String assignment, boolean once) implements Effect {}

        /// SET [SESSION] TRANSACTION READ ONLY or READ WRITE, or the variable of the same meaning.
        ///
        /// @param once for the next transaction only
        record AccessMode(boolean readOnly, boolean once) implements Effect {}

        /// The isolation level of the session's transactions, or of the next one only.
        ///
        /// @param level as written
        /// @param checked known to be right if the level is one
        record Level(String level, boolean once, String assignment, boolean checked)
                implements Effect {}

        /// For the backend connections that work for the session.
        ///
        /// @param checked known to be right; otherwise the backend is to be asked
        record Remember(String variable, String assignment, boolean checked) implements Effect {}

        /// max_execution_time, of milliseconds and for what reads, or max_statement_time, of
        /// seconds and for all.
        ///
        /// @param value an expression
        record StatementLimit(String variable, String assignment, String value) implements Effect {}

        /// innodb_lock_wait_timeout or lock_wait_timeout, in seconds.
        ///
        /// @param value an expression
        record LockWait(String variable, String assignment, String value) implements Effect {}

        /// wait_timeout: of this session, and not of backend connections, which idle for others.
        ///
        /// @param value an expression
        record WaitTimeout(String value) implements Effect {}

        /// sql_safe_updates.
        record SafeUpdates(String assignment) implements Effect {}

        /// sql_select_limit.
        record RowLimit(String assignment) implements Effect {}

        /// timestamp: what NOW() is.
        ///
        /// @param value an expression
        record Moment(String assignment, String value) implements Effect {}

        /// insert_id, or last_insert_id.
        ///
        /// @param next whether it is of the next INSERT, and not of the last one
        /// @param value an expression
        record InsertId(boolean next, String assignment, String value) implements Effect {}

        /// time_zone.
        ///
        /// @param utc whether it is known to be UTC
        record TimeZone(String assignment, boolean utc) implements Effect {}

        /// What the client sends or gets, or is computed with, in whatever character sets.
        ///
        /// @param usual what is done where these, and all others of the session, are UTF-8
        record Characters(String assignment, @Nullable Remember usual) implements Effect {}

        record Nothing() implements Effect {}

        record Unsupported(String what) implements Effect {}
    }

    private Assignments() {}

    public static List<Effect> of(List<Setting> settings) {
        return settings.stream().flatMap(Assignments::effects).toList();
    }

    /// SET TRANSACTION may say both how a transaction is isolated and what it may do.
    private static Stream<Effect> effects(Setting setting) {
        return setting instanceof Setting.OfTransactions of && !of.global()
                ? Stream.concat(
                        of.isolation().isEmpty()
                                ? Stream.empty()
                                : Stream.of(
                                        new Effect.Level(
                                                of.isolation(),
                                                of.once(),
                                                "SET SESSION TRANSACTION ISOLATION LEVEL "
                                                        + of.isolation(),
                                                true)),
                        Stream.of(transaction(of)))
                : Stream.of(effect(setting));
    }

    private static Effect effect(Setting setting) {
        return switch (setting) {
            case Setting.Other(String what, String _) -> new Effect.Unsupported("SET " + what);
            case Setting.OfTransactions of when of.global() -> global();
            case Setting.OfTransactions of -> transaction(of);
            case Setting.CharacterSet(String name, String text) ->
                    characterSet("names", name, text);
            case Setting.UserVariable _ -> new Effect.Nothing(); // see UserAssignments
            case Setting.Variable variable when variable.global() -> global();
            case Setting.Variable variable -> variable(variable);
        };
    }

    private static Effect global() {
        return new Effect.Unsupported("SET GLOBAL; set it on the backend");
    }

    private static Effect transaction(Setting.OfTransactions of) {
        return switch (of.access()) {
            case READ_ONLY -> new Effect.AccessMode(true, of.once());
            case READ_WRITE -> new Effect.AccessMode(false, of.once());
            case UNSAID -> new Effect.Nothing();
        };
    }

    /// A client that wants results unconverted (NULL, as Connector/J does) gets UTF-8, as from a
    /// replica.
    private static Effect characterSet(String variable, String value, String text) {
        if (variable.equals("character_set_results") && value.equalsIgnoreCase("NULL")) {
            return new Effect.Characters(
                    "SET " + text,
                    new Effect.Remember(variable, "SET character_set_results = utf8mb4", true));
        }
        boolean utf8 = CHARACTER_SETS.contains(value.toUpperCase(Locale.ROOT));
        boolean known = !text.toUpperCase(Locale.ROOT).contains("COLLATE");
        return new Effect.Characters(
                "SET " + text, utf8 ? new Effect.Remember(variable, "SET " + text, known) : null);
    }

    private static Effect variable(Setting.Variable variable) {
        String text = variable.text();
        String value = variable.last();
        String upper = value.toUpperCase(Locale.ROOT);
        String name = variable.name();
        if (SWITCHES.contains(name) && !isPosition(variable.value(), upper)) {
            return new Effect.Switch(name, "SET " + text, ofNextTransaction(text));
        }
        return switch (name) {
            case "autocommit" -> new Effect.Autocommit(ON.contains(upper) || isDefault(upper));
            case "transaction_isolation", "tx_isolation" ->
                    new Effect.Level(value, ofNextTransaction(text), "SET " + text, false);
            case "transaction_read_only", "tx_read_only" ->
                    new Effect.AccessMode(ON.contains(upper), ofNextTransaction(text));
            case "character_set_client", "character_set_results", "character_set_connection" ->
                    characterSet(name, value, text);
            case "collation_connection" ->
                    new Effect.Characters(
                            "SET " + text,
                            upper.startsWith("UTF8")
                                    ? new Effect.Remember(name, "SET " + text, false)
                                    : null);
            case "max_execution_time", "max_statement_time" ->
                    new Effect.StatementLimit(name, "SET " + text, variable.value());
            case "innodb_lock_wait_timeout", "lock_wait_timeout" ->
                    new Effect.LockWait(name, "SET " + text, variable.value());
            case "sql_safe_updates" -> new Effect.SafeUpdates("SET " + text);
            case "sql_select_limit" -> new Effect.RowLimit("SET " + text);
            case "timestamp" -> new Effect.Moment("SET " + text, variable.value());
            case "insert_id" -> new Effect.InsertId(true, "SET " + text, variable.value());
            case "last_insert_id", "identity" ->
                    new Effect.InsertId(false, "SET " + text, variable.value());
            case "wait_timeout" -> new Effect.WaitTimeout(variable.value());
            case "interactive_timeout" -> new Effect.Nothing(); // looked at when a client connects
            case "time_zone" ->
                    new Effect.TimeZone(
                            "SET " + text,
                            UTC.contains(upper) && Tokens.of(variable.value()).plain().size() == 1);
            case "auto_increment_increment", "auto_increment_offset" ->
                    upper.equals("1") || isDefault(upper)
                            ? new Effect.Remember(name, "SET " + text, false)
                            : new Effect.Unsupported(name + " but 1");
            default -> new Effect.Remember(name, "SET " + text, false);
        };
    }

    /// Of a switch, by one word or constant.
    private static boolean isPosition(String value, String upper) {
        boolean known = ON.contains(upper) || OFF.contains(upper) || isDefault(upper);
        return known && Tokens.of(value).plain().size() == 1;
    }

    private static boolean isDefault(String upper) {
        return upper.equals("DEFAULT");
    }

    /// As MySQL has it: with @@ and nothing else it is the next transaction's.
    private static boolean ofNextTransaction(String text) {
        String plain = text.replace(" ", "").toLowerCase(Locale.ROOT);
        return plain.startsWith("@@")
                && !plain.startsWith("@@session.")
                && !plain.startsWith("@@local.");
    }
}
