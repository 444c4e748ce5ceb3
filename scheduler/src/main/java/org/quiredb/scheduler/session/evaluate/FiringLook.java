package org.quiredb.scheduler.session.evaluate;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.schema.TriggerDefinition.Event;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.fallback.connection.Asked;
import org.quiredb.scheduler.fallback.connection.ProcedureCall;
import org.quiredb.scheduler.fallback.connection.Routines;
import org.quiredb.scheduler.session.backend.BackendLook;
import org.quiredb.scheduler.session.backend.CalledTables;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.backend.ProgramWalk;
import org.quiredb.scheduler.session.backend.SessionText;
import org.quiredb.scheduler.session.backend.ToldStatement;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.sql.command.SessionTerms;
import org.quiredb.sql.command.SetReader;
import org.quiredb.sql.command.Setting;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Looks at what the triggers do that a change of rows fires, or the functions that a statement
/// calls, before it is run.
///
/// Threads: owned by the session's thread.
final class FiringLook implements BackendLook {
    private final Fallback fallback;
    private final Set<TableName> changed;
    private final String database;
    private final ClientStatement statement;
    private final boolean mariaDb;
    private final Catalogue catalogue;
    private final @Nullable Locked locked;
    private @Nullable Locked tables;
    private SessionTerms terms = new SessionTerms(List.of(), Set.of(), null, false, false);

    /// What the master is to lock.
    ///
    /// @param given as of {@link ProgramWalk}
    record Locked(CalledTables tables, Set<TableName> given) {
        static Locked of(ProgramWalk walk) {
            return new Locked(walk.tables(), Set.copyOf(walk.given()));
        }

        private boolean covers(ProgramWalk walk) {
            return tables.covers(walk.tables()) && given.containsAll(walk.given());
        }
    }

    /// @param changed tables that the statement itself may change; none of one that only calls what
    ///   does
    /// @param database the current one
    /// @param locked what the master has locked for it; null where it is only looked at
    FiringLook(
            Fallback fallback,
            Set<TableName> changed,
            String database,
            ClientStatement statement,
            boolean mariaDb,
            Catalogue catalogue,
            @Nullable Locked locked) {
        this.fallback = fallback;
        this.changed = changed;
        this.database = database;
        this.statement = statement;
        this.mariaDb = mariaDb;
        this.catalogue = catalogue;
        this.locked = locked;
    }

    /// What a change of rows is to triggers.
    static Set<Event> events(Tokens tokens) {
        return switch (tokens.upper(0)) {
            case "INSERT" ->
                    tokens.has("DUPLICATE")
                            ? EnumSet.of(Event.INSERT, Event.UPDATE)
                            : EnumSet.of(Event.INSERT);
            case "REPLACE" -> EnumSet.of(Event.INSERT, Event.DELETE);
            case "UPDATE" -> EnumSet.of(Event.UPDATE);
            case "DELETE" -> EnumSet.of(Event.DELETE);
            default -> EnumSet.allOf(Event.class);
        };
    }

    /// What the master is to lock for it; null where only the backend tells, which is then to be
    /// asked by {@link #at}.
    @Nullable Locked known() {
        ProgramWalk walk = walk();
        return walk.walk(null, body -> {}) ? Locked.of(walk) : null;
    }

    /// The same, once it was looked at without being locked.
    @Nullable Locked tables() {
        return tables;
    }

    private ProgramWalk walk() {
        String begins = changed.isEmpty() ? "a statement" : "a change of " + names();
        ProgramWalk walk = new ProgramWalk(mariaDb, catalogue, begins);
        Tokens tokens = statement.tokens();
        walk.add(tokens, database);
        changed.forEach(table -> walk.addChange(table, events(tokens)));
        return walk;
    }

    private String names() {
        return String.join(", ", changed.stream().map(TableName::toString).sorted().toList());
    }

    /// What is evaluated, for errors.
    private String what() {
        return changed.isEmpty()
                ? "a statement that calls a function that changes rows"
                : "a change that fires triggers, calls functions or shows expressions";
    }

    @Override
    public SessionTerms terms() {
        return terms;
    }

    @Override
    public ProcedureCall at(Routines routines) {
        if (ProgramWalk.callsStored(statement.tokens(), Set.of())) {
            throw unsupported("values of sequences in " + what());
        }
        ProgramWalk walk = walk();
        boolean _ = walk.walk(routines, body -> {});
        if (locked == null) {
            tables = Locked.of(walk);
            throw unsupported(what() + " (" + names() + ")");
        }
        if (!locked.covers(walk)) {
            throw new QuireException(
                    ErrorCode.TABLE_CHANGED,
                    "a program that %s runs was replaced while its tables were locked; try restarting transaction"
                            .formatted(what()));
        }
        Set<String> moved = new HashSet<>(walk.variables());
        moved.addAll(set());
        ToldStatement told = fallback.told(statement, moved);
        if (told.locked().any()) {
            throw unsupported("named locks in " + what());
        }
        SessionTerms own = told.terms();
        terms =
                new SessionTerms(
                        own.places(),
                        own.assigned(),
                        null,
                        walk.setsInsertId() || own.setsInsertId(),
                        own.calculates());
        Asked asked = told.asked();
        return new ProcedureCall(
                new Asked(
                        asked.sql(),
                        asked.namesOf(),
                        asked.binaryRows(),
                        asked.statusFlags(),
                        SessionText.then(terms)),
                null,
                List.of(),
                false);
    }

    /// The variables of a SET.
    private Set<String> set() {
        return statement.tokens().is(0, "SET")
                ? SetReader.of(statement.tokens()).stream()
                        .filter(Setting.UserVariable.class::isInstance)
                        .map(setting -> ((Setting.UserVariable) setting).name())
                        .collect(Collectors.toSet())
                : Set.of();
    }

    private static QuireException unsupported(String what) {
        return new QuireException(ErrorCode.NOT_SUPPORTED_YET, "Quire does not support " + what);
    }
}
