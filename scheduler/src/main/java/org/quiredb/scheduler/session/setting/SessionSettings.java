package org.quiredb.scheduler.session.setting;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.characters.CharacterSet;
import org.quiredb.scheduler.characters.CharacterSets;
import org.quiredb.scheduler.session.backend.BackendModes;
import org.quiredb.scheduler.session.backend.BackendSettings;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.state.Isolation;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.transaction.Transactions;
import org.quiredb.sql.text.Tokens;

/// What `SET` makes of a session, when the backend has taken it.
///
/// Threads: owned by whoever runs the session; {@link #waitNanos} any.
public final class SessionSettings {
    private static final long LONGEST_WAIT_SECONDS = 31_536_000; // a year, as MySQL has it
    private static final long MAXIMUM_LIMIT_MILLIS = 0xFFFF_FFFFL;
    private static final double MICROS = 1e6; // of a second
    private static final double NO_ROW_LIMIT = 1e19; // below the greatest number, which means none

    /// Variables that {@link org.quiredb.common.message.SessionModes} are made of.
    private static final Set<String> MODES =
            Set.of("check_constraint_checks", "foreign_key_checks", "sql_mode");

    private final SessionState state;
    private final Transactions transactions;
    private final Fallback fallback;
    private final BackendSettings backend;
    private final boolean mariaDb;
    private final long usualWaitNanos;
    private volatile long waitNanos;
    private boolean ofStatement;

    /// @param mariaDb whether the backend is one
    /// @param usualWaitNanos how long a client may be silent that does not set it
    public SessionSettings(
            SessionState state,
            Transactions transactions,
            Fallback fallback,
            boolean mariaDb,
            long usualWaitNanos) {
        this.state = state;
        this.transactions = transactions;
        this.fallback = fallback;
        backend = fallback.settings();
        this.mariaDb = mariaDb;
        this.usualWaitNanos = usualWaitNanos;
        waitNanos = usualWaitNanos;
    }

    /// For how long the client may be silent.
    public long waitNanos() {
        return waitNanos;
    }

    /// COM_RESET_CONNECTION, as for {@link SessionState#reset}.
    public void reset() {
        waitNanos = usualWaitNanos;
    }

    /// Runs a statement under what it says itself.
    public void during(OwnLimit limit, Runnable statement) {
        if (Tokens.of(limit.sql()).plain().are(0, "SET", "STATEMENT")) {
            throw unsupported("SET STATEMENT within another");
        }
        switch (limit) {
            case OwnLimit.Time(long millis, String _) -> state.limited(millis, statement);
            case OwnLimit.Wait(long millis, String _) ->
                    state.waiting(
                            Math.min(millis, SessionState.LONGEST_LOCK_WAIT_MILLIS), statement);
            case OwnLimit.Variables variables -> {
                backend.check("SET STATEMENT " + variables.head() + " FOR DO 0");
                state.restored(() -> {
                    set(variables);
                    ofStatement = true;
                    try {
                        statement.run();
                    } finally {
                        ofStatement = false;
                    }
                });
            }
        }
    }

    /// Of a statement that was read before: no mode under which it would be another one may come or
    /// go with it.
    private void set(OwnLimit.Variables variables) {
        boolean ofText = variables.settings().stream().anyMatch(s -> s.name().equals("sql_mode"));
        Set<String> read = ofText ? backend.modes().ofReading() : Set.of();
        for (Assignments.Effect effect : Assignments.of(List.copyOf(variables.settings()))) {
            switch (effect) {
                case Assignments.Effect.Remember _,
                        Assignments.Effect.StatementLimit _,
                        Assignments.Effect.LockWait _,
                        Assignments.Effect.SafeUpdates _,
                        Assignments.Effect.RowLimit _,
                        Assignments.Effect.Moment _,
                        Assignments.Effect.TimeZone _ ->
                        apply(effect);
                default -> throw unsupported("SET STATEMENT " + variables.head());
            }
        }
        if (ofText && !backend.modes().ofReading().equals(read)) {
            throw unsupported("SET STATEMENT with an sql_mode in which texts are read otherwise");
        }
    }

    private static QuireException unsupported(String what) {
        return new QuireException(ErrorCode.NOT_SUPPORTED_YET, "Quire does not support " + what);
    }

    public void apply(Assignments.Effect effect) {
        if (ofStatement && !(effect instanceof Assignments.Effect.Nothing)) {
            throw unsupported("SET within SET STATEMENT"); // it would be undone with it
        }
        switch (effect) {
            case Assignments.Effect.Autocommit(boolean on) -> {
                if (on && !state.autocommit()) {
                    transactions.end(true);
                }
                state.autocommit(on);
                state.remember("autocommit", "SET autocommit = " + (on ? 1 : 0));
            }
            case Assignments.Effect.Switch(String variable, String assignment, boolean once) -> {
                boolean on = backend.number(assignment, "@@" + variable) != 0;
                apply(
                        variable.equals("autocommit")
                                ? new Assignments.Effect.Autocommit(on)
                                : new Assignments.Effect.AccessMode(on, once));
            }
            case Assignments.Effect.AccessMode(boolean readOnly, boolean once) -> {
                if (once) {
                    requireNoTransaction();
                    state.next(readOnly);
                } else {
                    state.readOnlyByDefault(readOnly);
                    state.remember(
                            "transaction access",
                            "SET SESSION TRANSACTION READ " + (readOnly ? "ONLY" : "WRITE"));
                }
            }
            case Assignments.Effect.Level level -> isolation(level);
            case Assignments.Effect.Remember(
                            String variable,
                            String assignment,
                            boolean checked) -> {
                if (!checked) {
                    backend.check(assignment);
                }
                if (MODES.contains(variable)) {
                    modes(variable, assignment);
                } else {
                    state.remember(variable, assignment);
                }
            }
            case Assignments.Effect.Characters(
                            String assignment,
                            Assignments.Effect.@Nullable Remember usual) -> {
                boolean others = state.characterSets() != null;
                if (usual == null || (others && !usual.variable().equals("names"))) {
                    characters(assignment);
                    return;
                }
                if (!usual.checked()) {
                    backend.check(usual.assignment());
                }
                state.speaksUtf8();
                state.remember(usual.variable(), usual.assignment());
            }
            case Assignments.Effect.StatementLimit limit -> limit(limit);
            case Assignments.Effect.LockWait wait -> lockWait(wait);
            case Assignments.Effect.SafeUpdates(String assignment) -> {
                backend.check(assignment);
                state.remember("sql_safe_updates", assignment);
                state.safeUpdates(backend.number("@@sql_safe_updates") != 0);
            }
            case Assignments.Effect.RowLimit(String assignment) -> {
                backend.check(assignment);
                state.remember("sql_select_limit", assignment);
                state.limitsRows(backend.number("@@sql_select_limit") < NO_ROW_LIMIT);
            }
            case Assignments.Effect.TimeZone(String assignment, boolean utc) ->
                    timeZone(utc ? BackendSettings.Zone.UTC : backend.zone(assignment));
            case Assignments.Effect.Moment moment -> moment(moment);
            case Assignments.Effect.InsertId set when set.next() -> state.nextInsertId(nextId(set));
            case Assignments.Effect.InsertId set -> state.diagnostics().lastInsertId(id(set));
            case Assignments.Effect.WaitTimeout(String value) -> waitNanos = waitNanos(value);
            case Assignments.Effect.Nothing() -> {}
            case Assignments.Effect.Unsupported(String what) -> throw unsupported(what);
        }
    }

    private void requireNoTransaction() {
        if (state.inTransaction()) {
            throw new QuireException(
                    ErrorCode.TRANSACTION_IN_PROGRESS,
                    "Transaction characteristics can't be changed while a transaction is in"
                            + " progress");
        }
    }

    /// What is set for the session is remembered to be shown, once the backend has taken it.
    private void isolation(Assignments.Effect.Level set) {
        if (set.once()) {
            requireNoTransaction();
        }
        Optional<Isolation> level = Isolation.of(set.level());
        if (level.isEmpty() || !set.checked()) {
            backend.check(set.assignment());
        }
        if (level.isEmpty()) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire does not support an isolation level that is an expression; name it");
        }
        if (set.once()) {
            state.next(level.get());
        } else {
            state.isolationByDefault(level.get());
            state.remember("transaction isolation", set.assignment());
        }
    }

    /// The value is remembered and not the expression, whose variables may become others.
    private void modes(String variable, String assignment) {
        BackendModes modes = backend.modes(assignment);
        modes.requireSupported(mariaDb);
        state.remember(
                variable,
                switch (variable) {
                    case "sql_mode" -> "SET sql_mode = '" + modes.sqlMode() + "'";
                    case "foreign_key_checks" ->
                            "SET foreign_key_checks = " + (modes.foreignKeysUnchecked() ? 0 : 1);
                    default -> "SET check_constraint_checks = " + (modes.checksUnchecked() ? 0 : 1);
                });
        state.modes(modes.ofUpdates());
        state.quotesNames(modes.quotesNames());
        state.escapes(modes.escapes());
        state.otherMode(modes.ofBackend());
    }

    /// What the backend makes of it, in whose words it is refused. What the session computes in may
    /// be any set of the backend's: nothing is converted to it here.
    private void characters(String assignment) {
        CharacterSets sets = backend.characterSets(assignment);
        for (String set : List.of(sets.client(), sets.results())) {
            if (!set.equals("NULL") && CharacterSet.of(set).isEmpty()) {
                throw new QuireException(
                        ErrorCode.NOT_SUPPORTED_YET,
                        "Quire does not support character set " + set + " (use utf8mb4)");
            }
        }
        state.characterSets(sets);
    }

    /// The name is remembered and not the expression, as for modes.
    private void timeZone(BackendSettings.Zone zone) {
        state.remember("time_zone", "SET time_zone = '" + zone.name() + "'");
        state.zoned(!zone.utc());
    }

    private long waitNanos(String value) {
        return value.equalsIgnoreCase("DEFAULT")
                ? usualWaitNanos
                : TimeUnit.SECONDS.toNanos(
                        Math.clamp((long) backend.number(value), 1, LONGEST_WAIT_SECONDS));
    }

    private void lockWait(Assignments.Effect.LockWait wait) {
        backend.check(wait.assignment());
        boolean ofTables = wait.variable().equals("lock_wait_timeout");
        long millis =
                wait.value().equalsIgnoreCase("DEFAULT")
                        ? ofTables
                                ? SessionState.LONGEST_LOCK_WAIT_MILLIS
                                : ReplicaRequest.USUAL_WAIT
                        : Math.clamp(
                                Math.round(backend.number(wait.value()) * 1_000),
                                0,
                                SessionState.LONGEST_LOCK_WAIT_MILLIS);
        if (ofTables) {
            state.tableWaitMillis(millis);
        } else {
            state.lockWaitMillis(millis);
        }
        state.remember(wait.variable(), wait.assignment());
    }

    /// No column of the tier generates more.
    private long nextId(Assignments.Effect.InsertId set) {
        long id = id(set);
        if (id < 0) {
            throw unsupported("an insert_id above " + Long.MAX_VALUE);
        }
        return id;
    }

    /// NULL, DEFAULT and what is below 0 are none.
    private long id(Assignments.Effect.InsertId set) {
        backend.check(set.assignment());
        return !set.value().equalsIgnoreCase("DEFAULT")
                        && fallback.values().value(set.value())
                                instanceof SqlValue.IntegerValue(long number, boolean huge)
                        && (huge || number > 0)
                ? number
                : 0;
    }

    /// The value is remembered and not the expression, as for modes. 0 is the clock's, as DEFAULT.
    private void moment(Assignments.Effect.Moment set) {
        backend.check(set.assignment());
        boolean clock = set.value().equalsIgnoreCase("DEFAULT") || backend.number(set.value()) <= 0;
        double seconds = clock ? 0 : backend.number(set.assignment(), "@@timestamp");
        state.moment(Math.round(seconds * MICROS));
    }

    /// The scheduler sees to both; the backend, to whose SELECT @@ they are shown, knows its own.
    private void limit(Assignments.Effect.StatementLimit limit) {
        boolean ofMariaDb = limit.variable().equals("max_statement_time");
        if (ofMariaDb == mariaDb) {
            backend.check(limit.assignment());
            state.remember(limit.variable(), limit.assignment());
        }
        double value =
                limit.value().equalsIgnoreCase("DEFAULT") ? 0 : backend.number(limit.value());
        double millis = Math.clamp(ofMariaDb ? value * 1_000 : value, 0, MAXIMUM_LIMIT_MILLIS);
        state.limitStatements(millis > 0 ? Math.max(1, Math.round(millis)) : 0, ofMariaDb);
    }
}
