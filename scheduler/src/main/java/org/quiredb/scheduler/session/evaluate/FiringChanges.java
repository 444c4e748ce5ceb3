package org.quiredb.scheduler.session.evaluate;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.schema.TriggerDefinition.Event;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.session.backend.CalledTables;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.backend.ProgramWalk;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Changes of rows that fire triggers, or show expressions of their rows (RETURNING), and
/// statements that call stored functions which change rows. They are evaluated as a CALL is of a
/// procedure that changes rows ({@link ProcedureCalls}): the tables that the statement and what its
/// triggers do name are locked on the master, the backend runs the statement, and fires the
/// triggers, in a transaction that is rolled back, and the rows that are others then are changed on
/// the master.
///
/// Threads: owned by the session's thread.
public final class FiringChanges {
    private final Services services;
    private final SessionState state;
    private final Fallback fallback;
    private final EvaluatedChanges evaluated;

    public FiringChanges(
            Services services, SessionState state, Fallback fallback, EvaluatedChanges evaluated) {
        this.services = services;
        this.state = state;
        this.fallback = fallback;
        this.evaluated = evaluated;
    }

    /// Whether a statement fires any, as far as this scheduler knows.
    ///
    /// @param changed tables that it may change, with their databases
    public static boolean fires(
            Catalogue catalogue, Set<TableName> changed, ClientStatement statement) {
        for (TableName name : changed) {
            TableDefinition table =
                    catalogue.table(name).map(entry -> entry.definition()).orElse(null);
            if (table != null && !table.triggers().isEmpty() && fires(table, statement.tokens())) {
                return true;
            }
        }
        return false;
    }

    private static boolean fires(TableDefinition table, Tokens tokens) {
        return FiringLook.events(tokens).stream().anyMatch((Event event) -> table.fires(event));
    }

    public void run(Set<TableName> changed, ClientStatement statement, Output output) {
        if (statement.tokens().dependsOnVersion()) {
            throw unsupported(
                    "comments for some versions in a change that fires triggers or shows expressions");
        }
        services.cluster().awaitReady();
        Catalogue catalogue = services.cluster().catalogue();
        changed.stream()
                .filter(table -> catalogue.table(table).isEmpty())
                .forEach(fallback::requireTable);
        FiringLook.Locked known = look(catalogue, changed, statement, null).known();
        FiringLook.Locked found = known == null ? asked(catalogue, changed, statement) : known;
        evaluate(catalogue, changed, found, statement, output);
    }

    /// A statement that calls functions which change rows, and changes none otherwise.
    ///
    /// @param functions as they were when it began
    public void run(ProgramWalk functions, ClientStatement statement, Output output) {
        Set<TableName> none = Set.of();
        Catalogue catalogue = services.cluster().catalogue();
        evaluate(catalogue, none, FiringLook.Locked.of(functions), statement, output);
    }

    private void evaluate(
            Catalogue catalogue,
            Set<TableName> changed,
            FiringLook.Locked found,
            ClientStatement statement,
            Output output) {
        CalledTables tables = found.tables().withKeys(catalogue);
        evaluated.fire(
                tables,
                changed,
                found.given(),
                unsupported(
                        "this change of rows, which fires triggers, calls functions or shows expressions"),
                () ->
                        look(
                                catalogue,
                                changed,
                                statement,
                                new FiringLook.Locked(tables, found.given())),
                statement,
                output);
    }

    /// The same of the backend, as it calls what only that knows.
    private FiringLook.Locked asked(
            Catalogue catalogue, Set<TableName> changed, ClientStatement statement) {
        FiringLook look = look(catalogue, changed, statement, null);
        try {
            fallback.calls().call(null, look, statement, Output.NOWHERE);
            throw new IllegalStateException("it was only to be looked at");
        } catch (QuireException e) {
            FiringLook.Locked tables = look.tables();
            if (tables == null) {
                throw e;
            }
            return tables;
        }
    }

    private FiringLook look(
            Catalogue catalogue,
            Set<TableName> changed,
            ClientStatement statement,
            FiringLook.@Nullable Locked locked) {
        return new FiringLook(
                fallback,
                changed,
                state.database(),
                statement,
                services.mariaDb(),
                catalogue,
                locked);
    }

    private static QuireException unsupported(String what) {
        return new QuireException(ErrorCode.NOT_SUPPORTED_YET, "Quire does not support " + what);
    }
}
