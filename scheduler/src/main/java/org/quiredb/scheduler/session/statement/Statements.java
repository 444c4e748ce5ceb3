package org.quiredb.scheduler.session.statement;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.SavepointStep;
import org.quiredb.common.schema.TriggerDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.classify.Classification.Access;
import org.quiredb.scheduler.classify.OrderedByAggregate;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.setting.Assignments;
import org.quiredb.scheduler.session.setting.UserAssignments;
import org.quiredb.scheduler.session.state.Begun;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Collected;
import org.quiredb.scheduler.session.state.Description;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.UserVariable;
import org.quiredb.sql.command.Kill;
import org.quiredb.sql.command.SessionTerms;
import org.quiredb.sql.command.Setting;
import org.quiredb.sql.command.TriggerStatement;
import org.quiredb.sql.text.Nesting;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Runs each of a session's statements by what it is.
///
/// Errors come out as QuireException or StatementFailed; the session goes on after them.
///
/// Threads: as of the session.
public final class Statements {
    private final SessionParts parts;
    private final Services services;
    private final SessionState state;
    private final UserAssignments userAssignments;
    private final LockStatements lockStatements;
    private final IntoVariables intoVariables;
    private final Kills kills;

    /// Ends a client's statement, or its connection too.
    public interface Kills {
        void kill(long id, boolean statementOnly);
    }

    public Statements(SessionParts parts, Kills kills) {
        this.parts = parts;
        this.kills = kills;
        services = parts.services;
        state = parts.state;
        userAssignments =
                new UserAssignments(
                        parts.state, parts.fallback, parts.functions, sql -> query(sql, List.of()));
        lockStatements = new LockStatements(parts);
        intoVariables = new IntoVariables(state, this::query);
    }

    /// Whether it was prepared in another database than the current one.
    public boolean isElsewhere(ClientStatement statement) {
        String prepared = statement.database();
        return prepared != null && !prepared.equals(state.database());
    }

    /// With what it asks of the session.
    public ClientStatement filled(ClientStatement sent) {
        return parts.text.filled(
                isElsewhere(sent) ? sent : userAssignments.withNextValues(sent), state.changed());
    }

    /// What an EXECUTE runs.
    public ClientStatement prepared(Classification.Execute execute, ClientStatement sent) {
        ClientStatement prepared = parts.named.statement(execute, sent);
        requireShallow(prepared.nesting());
        return filled(prepared);
    }

    /// What is none is found out when it is prepared, not when it is run.
    private void requireStatement(String sql) {
        Classification kind = services.classifier().classify(NormalizedSql.of(sql).text());
        switch (kind) {
            case Classification.Empty() ->
                    throw new StatementFailed(1065, "42000", "Query was empty");
            case Classification.Mistake(String near) -> throw mistake(near);
            default -> {}
        }
    }

    public Classification classified(ClientStatement statement) {
        return services.classifier().classify(statement.normalized().text());
    }

    public void execute(Classification kind, ClientStatement statement, Output output) {
        if (!(kind instanceof Classification.Read)) {
            OrderedByAggregate.refuse(statement.tokens());
        }
        if (statement.tokens().is(0, "ANALYZE")) { // which might run what it is to explain
            TemporaryStatements.requireSame(statement);
        }
        if (statement.ofSession()) {
            requireNotOfTriggers(statement.tokens());
        }
        boolean ofTemporary = parts.onTemporary.concern(kind, statement.tokens());
        if (!ofTemporary || !parts.onTemporary.alone(kind)) {
            parts.lockedTables.require(kind, statement, state.database(), parts.temporary::has);
        }
        if (parts.lockedByOthers.any()) {
            parts.lockedByOthers.await(
                    parts.temporary.others(
                            QueriedTables.of(
                                    kind, ofTemporary, statement.tokens(), state, this::holds)));
        }
        if (ofTemporary) {
            parts.onTemporary.run(kind, statement, output);
            return;
        }
        if (readsViews(kind, statement, output) || parts.functions.run(kind, statement, output)) {
            return;
        }
        switch (kind) {
            case Classification.Read read -> {
                SessionTerms.Into into = intoVariables.own(read, statement);
                if (into == null) {
                    if (!parts.calculatedRows.run(statement, output)) {
                        changingUnseen(
                                statement, output, to -> parts.tableReads.run(read, statement, to));
                    }
                } else {
                    intoVariables.read(into, statement, output);
                }
            }
            case Classification.Information(boolean afterEverything) -> {
                boolean known =
                        afterEverything
                                ? parts.shownColumns.show(statement, output)
                                : parts.ownAnswers.select(statement, output)
                                        || parts.fallback.showSettings(statement, output);
                if (!known) {
                    changingUnseen(
                            statement,
                            output,
                            to ->
                                    parts.fallback.run(
                                            statement,
                                            afterEverything,
                                            Fallback.ABOUT_THE_SERVER,
                                            to));
                }
            }
            case Classification.Call call -> {
                QuireException refusal = call(call, statement, output);
                if (refusal != null) {
                    parts.programs.run(call.procedure(), statement, refusal, output);
                }
            }
            case Classification.Conditions asked -> parts.ownAnswers.show(asked, statement, output);
            case Classification.ProcessList(boolean full) ->
                    parts.ownAnswers.show(
                            parts.fallback.processes().visible(), full, statement, output);
            case Classification.Prepare prepare -> {
                String prepared = parts.named.text(prepare);
                requireStatement(prepared);
                Description _ = describe(prepared);
                parts.named.keep(prepare.name(), prepared);
                done(statement, output);
            }
            case Classification.Execute _ ->
                    throw new IllegalStateException("an EXECUTE within another is not prepared");
            case Classification.Deallocate(String name) -> {
                parts.named.deallocate(name);
                done(statement, output);
            }
            case Classification.Update update -> {
                parts.tableChanges.run(update, statement, output);
            }
            case Classification.Load load -> {
                parts.permissions.require(load, statement);
                parts.loads.run(statement, output);
            }
            case Classification.SchemaChange change -> {
                parts.permissions.require(change, statement);
                parts.transactions.end(true);
                state.forgetNext();
                parts.transactions.requireWritable(services.mariaDb());
                parts.schemaChanges.run(change, statement, output);
            }
            case Classification.Begin(Access access, boolean snapshot) -> {
                parts.transactions.end(true);
                parts.lockedTables.begins();
                parts.transactions.begin(access, snapshot);
                done(statement, output);
            }
            case Classification.Ending(boolean commits, boolean chains) -> {
                parts.transactions.endAsked(commits, chains);
                if (chains) {
                    parts.lockedTables.begins();
                }
                done(statement, output);
            }
            case Classification.Savepoint(SavepointStep step) ->
                    parts.transactions.savepoint(step, statement, output);
            case Classification.Assignment() -> {
                List<Setting> asked = userAssignments.settings(statement);
                Map<String, UserVariable> values =
                        userAssignments.values(
                                asked,
                                state.changed()
                                        || parts.temporary.maybeNamedBy(
                                                statement.tokens(), state.database()));
                Assignments.of(asked).forEach(parts.settings::apply);
                userAssignments.set(values);
                done(statement, output);
            }
            case Classification.Killing(Kill.Victim victim, boolean only) -> {
                kills.kill(id(victim, statement), only);
                done(statement, output);
            }
            case Classification.Use(String database) -> {
                use(database);
                done(statement, output);
            }
            case Classification.LockTables lock -> {
                lockStatements.lock(lock, statement);
                done(statement, output);
            }
            case Classification.UnlockTables() -> {
                lockStatements.unlock();
                done(statement, output);
            }
            case Classification.TableService(boolean ends) -> {
                if (ends) {
                    parts.transactions.end(true);
                }
                if (state.changed()) {
                    throw new QuireException(
                            ErrorCode.NOT_SUPPORTED_YET,
                            "Quire does not support CHECKSUM in a transaction that has changed"
                                    + " something");
                }
                parts.fallback.serve(statement, output);
            }
            case Classification.AccountChange _ -> parts.accountChanges.run(statement, output);
            case Classification.Temporary _ -> { // drops what is none
                TemporaryStatements.requireSame(statement);
                parts.fallback.run(statement, false, Fallback.ABOUT_THE_SERVER, output);
            }
            case Classification.Flush(boolean byBackend) -> {
                parts.transactions.end(true);
                parts.fallback.flush(statement, byBackend, output);
            }
            case Classification.Empty() -> {
                if (statement.sql().chars().allMatch(c -> c == ';' || Character.isWhitespace(c))) {
                    throw new StatementFailed(1065, "42000", "Query was empty");
                }
                done(statement, output); // a comment is nothing to do
            }
            case Classification.Mistake(String near) -> {
                parts.fallback.requireNoMistake(statement.sql(), ErrorCode.SYNTAX_ERROR);
                throw mistake(near);
            }
            case Classification.Unsupported(String what) ->
                    throw new QuireException(
                            ErrorCode.NOT_SUPPORTED_YET, "Quire does not support " + what);
        }
    }

    /// @return false where it is no read of views that memory can answer, and nothing is done
    private boolean readsViews(Classification kind, ClientStatement statement, Output output) {
        ViewedReads.Merged merged =
                kind instanceof Classification.Read read ? parts.ofTables(read, statement) : null;
        if (merged == null) {
            return false;
        }
        parts.tableReads.run(merged.read(), merged.statement(), output);
        return true;
    }

    /// A read that turns out to change rows, by a view, is no read.
    private void changingUnseen(ClientStatement statement, Output output, Consumer<Output> read) {
        Begun begun = new Begun(output);
        try {
            read.accept(begun);
        } catch (QuireException e) {
            if (begun.any()) {
                throw e;
            }
            parts.functions.runUnseen(e, statement, output);
        }
    }

    /// Whoever set it would switch triggers off. A dump of the backend itself has it in triggers.
    private static void requireNotOfTriggers(Tokens tokens) {
        if (TriggerStatement.of(tokens).filter(TriggerStatement::isGuarded).isPresent()) {
            return;
        }
        for (int i = 0; i < tokens.size(); i++) {
            SessionTerms.Name name = SessionTerms.Name.at(tokens, i);
            if (name != null && name.name().equals(TriggerDefinition.VARIABLE)) {
                throw new QuireException(
                        ErrorCode.NOT_SUPPORTED_YET,
                        "Quire does not support a user variable of the name @"
                                + TriggerDefinition.VARIABLE);
            }
        }
    }

    /// @return why nobody runs it as a whole; null where it was
    private @Nullable QuireException call(
            Classification.Call call, ClientStatement statement, Output output) {
        if (parts.temporary.any()) {
            return new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire does not support CALL in a session with temporary tables,"
                            + " which the procedure would not see");
        }
        parts.transactions.beginIfNeeded();
        AtomicReference<@Nullable QuireException> refusal = new AtomicReference<>();
        parts.tableChanges.anew(
                output, begun -> refusal.set(parts.procedures.run(call, statement, begun)));
        return refusal.get();
    }

    private boolean holds(TableName table) {
        return services.cluster().catalogue().holds(Set.of(table));
    }

    /// A query of the session's own, run as if the client had sent it.
    private Collected query(String sql, List<SqlValue> bound) {
        ClientStatement query = filled(ClientStatement.of(sql, bound, false, true));
        Collected result = new Collected();
        execute(classified(query), query, result);
        return result;
    }

    private static QuireException mistake(String near) {
        return new QuireException(
                ErrorCode.SYNTAX_ERROR,
                "You have an error in your SQL syntax near '"
                        + near.substring(0, Math.min(80, near.length()))
                        + "' at line 1");
    }

    /// @throws QuireException with 1436
    public void requireShallow(Nesting nesting) {
        int maximum = services.limits().nesting();
        if (!nesting.isWithin(maximum)) {
            throw new QuireException(
                    ErrorCode.NESTED_TOO_DEEP,
                    "Thread stack overrun: the statement is nested deeper than"
                            + " scheduler.limits.nesting ("
                            + maximum
                            + ")");
        }
    }

    private long id(Kill.Victim victim, ClientStatement statement) {
        return switch (victim) {
            case Kill.Victim.Id(long id) -> id;
            case Kill.Victim.Oneself() -> parts.client.id();
            case Kill.Victim.Parameter()
                    when statement.bound().getFirst()
                            instanceof SqlValue.IntegerValue(long id, boolean _) ->
                    id;
            case Kill.Victim.Parameter() -> throw mistake(statement.sql());
        };
    }

    void done(ClientStatement statement, Output output) {
        output.ok(0, 0, state.statusFlags(statement.moreResults()), 0, "");
    }

    /// @throws StatementFailed as of the backend where the tier does not know the database
    public void use(String database) {
        services.cluster().awaitReady();
        parts.permissions.requireNotHidden(database);
        boolean known =
                services.cluster().catalogue().hasSchema(database) || Fallback.isSystem(database);
        if (!known || !parts.permissions.reach(database)) {
            parts.fallback.checkDatabase(database);
        }
        state.database(database);
    }

    /// What a statement would answer with, and how many parameters it has.
    public Description describe(String sql) {
        Tokens tokens = Tokens.of(sql);
        requireShallow(Nesting.of(tokens));
        Classification kind = services.classifier().classify(NormalizedSql.of(tokens).text());
        if (parts.onTemporary.concern(kind, tokens.plain())) {
            return parts.onTemporary.describe(kind, sql);
        }
        if (kind instanceof Classification.Mistake(String near)) {
            parts.fallback.requireNoMistake(sql, ErrorCode.SYNTAX_ERROR);
            throw mistake(near);
        }
        boolean backend =
                kind instanceof Classification.Read read
                        && (!state.otherMode().isEmpty() || !parts.permissions.allow(read));
        return backend ? parts.reads.describeOnBackend(sql) : parts.reads.describe(sql, kind);
    }
}
