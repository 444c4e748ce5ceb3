package org.quiredb.scheduler.session;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.Condition;
import org.quiredb.common.message.SavepointStep;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.common.message.SchedulerRequest;
import org.quiredb.common.schema.TriggerDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.account.Login;
import org.quiredb.scheduler.characters.CharacterSet;
import org.quiredb.scheduler.characters.CharacterSets;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.classify.Classification.Access;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.backend.ClientLocks;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.backend.SessionText;
import org.quiredb.scheduler.session.backend.ShownColumns;
import org.quiredb.scheduler.session.evaluate.EvaluatedChanges;
import org.quiredb.scheduler.session.evaluate.FileLoads;
import org.quiredb.scheduler.session.evaluate.FiringChanges;
import org.quiredb.scheduler.session.evaluate.FunctionCalls;
import org.quiredb.scheduler.session.evaluate.FunctionValues;
import org.quiredb.scheduler.session.evaluate.ProcedureCalls;
import org.quiredb.scheduler.session.program.Programs;
import org.quiredb.scheduler.session.state.AnswerTally;
import org.quiredb.scheduler.session.state.Begun;
import org.quiredb.scheduler.session.state.Client;
import org.quiredb.scheduler.session.state.ClientLimits;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Collected;
import org.quiredb.scheduler.session.state.Description;
import org.quiredb.scheduler.session.state.Kept;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.StatementTimes;
import org.quiredb.scheduler.session.state.Transaction;
import org.quiredb.scheduler.session.state.UserVariable;
import org.quiredb.scheduler.session.transaction.LockedByOthers;
import org.quiredb.scheduler.session.transaction.LockedTables;
import org.quiredb.scheduler.session.transaction.MasterStatements;
import org.quiredb.scheduler.session.transaction.OverlaidReads;
import org.quiredb.scheduler.session.transaction.Reads;
import org.quiredb.scheduler.session.transaction.TemporaryTables;
import org.quiredb.scheduler.session.transaction.Transactions;
import org.quiredb.scheduler.statement.StatementKind;
import org.quiredb.sql.command.Kill;
import org.quiredb.sql.command.SessionTerms;
import org.quiredb.sql.command.Setting;
import org.quiredb.sql.command.TableLock;
import org.quiredb.sql.command.TriggerStatement;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Nesting;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// A client's session: runs its statements, one after the other.
///
/// Errors come out as QuireException or StatementFailed; the session goes on after them.
///
/// Threads: owned by the connection's virtual thread, or by its event loop while that thread waits
/// for a command.
public final class ClientSession implements AutoCloseable {
    private static final Condition NO_DATA =
            new Condition("Warning", 1329, "No data - zero rows fetched, selected, or processed");

    private static final byte[] NOTHING = {};

    private final Services services;
    private final Clients clients;
    private final Client client;
    private final Interruption interruption;

    /// Since when, 0 while a command runs.
    private volatile long idle;

    private final Kept kept;
    private final SessionState state;
    private final Reads reads;
    private final ProcedureCalls procedures;
    private final FunctionCalls functions;
    private final Programs programs;
    private final FileLoads loads;
    private final Transactions transactions;
    private final SessionSettings settings;
    private final AccountChanges accountChanges;
    private final SchemaChanges schemaChanges;
    private final ClientLocks locks;
    private final LockedTables lockedTables;
    private final LockedByOthers lockedByOthers;
    private final TemporaryTables temporary;
    private final TemporaryStatements onTemporary;
    private final Fallback fallback;
    private final Permissions permissions;
    private final SessionText text;
    private final OwnAnswers ownAnswers;
    private final UserAssignments userAssignments;
    private final NamedStatements named;
    private final OtherMeaning meaning;
    private final TableReads tableReads;
    private final CalculatedRows calculatedRows;
    private final ShownColumns shownColumns;
    private final ViewedReads viewed;
    private final TableChanges tableChanges;
    private boolean ended;

    /// The statement that it runs or has run.
    private volatile Last last = new Last("", System.nanoTime());

    private record Last(String text, long startNanos) {}

    public ClientSession(Services services, Clients clients, Client client) {
        this.services = services;
        this.clients = clients;
        this.client = client;
        interruption = new Interruption(services.clock(), services.mariaDb());
        kept = new Kept(clients.kept(), services.limits().packetBytes());
        state = new SessionState(client.login(), kept, services.isolation());
        locks = new ClientLocks(services.backend(), client.hangUp());
        fallback = new Fallback(services, state, locks, client.id(), client.foundRows());
        lockedTables = new LockedTables(services, fallback, kept, client);
        permissions = new Permissions(services, state, fallback);
        lockedByOthers = new LockedByOthers(services.cluster(), lockedTables, state);
        reads = new Reads(services, state, fallback, lockedByOthers);
        MasterStatements updates =
                new MasterStatements(
                        services, state, lockedTables, client.id(), client.foundRows());
        OverlaidReads overlaid = new OverlaidReads(services, state, updates, reads, fallback);
        temporary = new TemporaryTables(services.backend(), client.hangUp());
        transactions = new Transactions(state, reads, updates, temporary);
        EvaluatedChanges evaluated =
                new EvaluatedChanges(
                        services,
                        state,
                        updates,
                        reads,
                        fallback,
                        transactions,
                        client.foundRows());
        FiringChanges firing = new FiringChanges(services, state, fallback, evaluated);
        procedures = new ProcedureCalls(services, state, reads, fallback, evaluated, client);
        functions =
                new FunctionCalls(
                        services,
                        state,
                        fallback,
                        updates,
                        transactions,
                        lockedTables,
                        temporary,
                        firing);
        loads = new FileLoads(services, state, updates, fallback, transactions, client.files());
        onTemporary =
                new TemporaryStatements(
                        services,
                        state,
                        temporary,
                        updates,
                        fallback,
                        transactions,
                        overlaid,
                        evaluated,
                        permissions,
                        client.foundRows());
        ClientLimits limits = services.limits();
        settings =
                new SessionSettings(
                        state,
                        transactions,
                        fallback,
                        services.mariaDb(),
                        (client.interactive() ? limits.interactiveIdle() : limits.idle())
                                .toNanos());
        programs =
                new Programs(
                        services,
                        state,
                        client,
                        fallback,
                        permissions::overAnybody,
                        assignment ->
                                settings.apply(
                                        new Assignments.Effect.Remember(
                                                "sql_mode", assignment, true)),
                        this::execute);
        accountChanges = new AccountChanges(services, state, transactions, fallback);
        schemaChanges = new SchemaChanges(services, state, reads, fallback);
        text = new SessionText(state);
        ownAnswers = new OwnAnswers(state, services.mariaDb());
        userAssignments =
                new UserAssignments(state, fallback, functions, sql -> query(sql, List.of()));
        meaning = new OtherMeaning(services, state);
        OnMaster onMaster = new OnMaster(services, state, transactions, fallback);
        tableReads =
                new TableReads(
                        services,
                        state,
                        meaning,
                        transactions,
                        permissions,
                        onMaster,
                        reads,
                        updates,
                        overlaid,
                        lockedByOthers,
                        temporary,
                        onTemporary);
        shownColumns = new ShownColumns(services, state, fallback);
        calculatedRows =
                new CalculatedRows(
                        services, state, meaning, permissions, transactions, reads, tableReads);
        viewed = new ViewedReads(services, state, permissions, meaning, reads);
        tableChanges =
                new TableChanges(
                        services,
                        state,
                        meaning,
                        transactions,
                        permissions,
                        onMaster,
                        updates,
                        evaluated,
                        firing,
                        new FunctionValues(
                                services, state, fallback, updates, transactions, firing),
                        onTemporary);
        named = new NamedStatements(state, services.limits(), kept, fallback::value);
        clients.add(client.id(), this);
    }

    /// The client's connection has ended: nobody waits for what runs. Threads: any; does not block.
    public void clientGone() {
        interruption.stop(Interruption.Reason.GONE);
    }

    /// Between two commands, or not any more.
    public void idle(boolean begins) {
        idle = begins ? System.nanoTime() | 1 : 0;
    }

    /// Ends the connection of a client that has been idle for too long. Threads: any.
    void expire(long nowNanos) {
        long since = idle;
        if (since != 0 && nowNanos - since > settings.waitNanos()) {
            client.idledOut().accept(services.mariaDb());
        }
    }

    /// What the client does. Threads: any.
    Doing doing() {
        Last known = last;
        long idleSince = idle;
        long since = idleSince == 0 ? known.startNanos : idleSince;
        return new Doing(
                client.id(),
                client.login().name(),
                known.text,
                idleSince == 0,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since));
    }

    /// Ends a client's statement, or its connection too.
    ///
    /// @throws StatementFailed which is the last that a client gets who ends its own connection
    /// @throws QuireException with 1094 when no scheduler has such a client, 1095 when it is
    ///   another's, TIER_UNAVAILABLE when its scheduler does not answer
    public void kill(long id, boolean statementOnly) {
        if (id != (int) id) {
            throw Clients.unknown(id);
        }
        if (id == client.id() && !statementOnly) {
            ended = true;
            throw services.mariaDb()
                    ? new StatementFailed(1927, "70100", "Connection was killed")
                    : new StatementFailed(1317, "70100", "Query execution was interrupted");
        }
        SchedulerRequest.Kill kill =
                new SchedulerRequest.Kill(
                        (int) id, statementOnly, permissions.overAnybody(), user());
        SchedulerReply reply = clients.killed(kill);
        if (isUnknown(reply)) {
            reply =
                    services.cluster()
                            .companions()
                            .ask(kill, r -> !isUnknown(r) && !(r instanceof SchedulerReply.Failed))
                            .filter(other -> !isUnknown(other))
                            .orElse(reply);
        }
        switch (reply) {
            case SchedulerReply.Done() -> {}
            case SchedulerReply.Refused(int error, String message) ->
                    throw new StatementFailed(error, "HY000", message);
            case SchedulerReply other ->
                    throw new QuireException(
                            ErrorCode.TIER_UNAVAILABLE,
                            "a scheduler cannot tell whether it has client " + id + ": " + other);
        }
        StopSignal.current().check(); // it may have been this one
    }

    /// Whether it has ended its own connection.
    public boolean ended() {
        return ended;
    }

    private static boolean isUnknown(SchedulerReply reply) {
        return reply instanceof SchedulerReply.Refused(int error, String _)
                && error == ErrorCode.UNKNOWN_THREAD.number();
    }

    String user() {
        return state.login().account().user();
    }

    /// Its statement, or its connection too. Threads: any.
    void end(boolean statementOnly) {
        if (!statementOnly) { // before its statement's error could go out
            client.hangUp().run();
        }
        interruption.stop(Interruption.Reason.KILLED);
    }

    /// The character set that the client says it speaks when it comes.
    ///
    /// @param collation the number of one of its collations
    public void speaks(int collation) {
        state.speaks(CharacterSet.ofCollation(collation).orElse(null));
    }

    /// Of what the client sends.
    public CharacterSet characters() {
        return state.characters();
    }

    /// Null where everything that it sends and gets is UTF-8.
    public @Nullable CharacterSets characterSets() {
        return state.characterSets();
    }

    /// The current one; empty for none.
    public String database() {
        return state.database();
    }

    /// A text of the client's as it is to be read, whatever the session's modes are.
    public String asRead(String sql) {
        return state.asRead(sql);
    }

    /// The statements of a text, each to be read when its turn comes, in the modes of then.
    public List<String> statements(String text) {
        return Tokens.statements(text, state.escapes());
    }

    public int statusFlags() {
        return state.statusFlags(false);
    }

    /// What MariaDB's extended metadata say of a table's column; empty for nothing. Does not block.
    public byte[] extendedType(String schema, String table, String column) {
        return services.cluster()
                .knownCatalogue()
                .table(new TableName(schema, table))
                .map(known -> ExtendedType.of(known.definition(), column))
                .orElse(NOTHING);
    }

    /// What is kept for this client.
    public Kept kept() {
        return kept;
    }

    public void execute(ClientStatement sent, Output output) {
        long start = System.nanoTime();
        requireShallow(sent.nesting());
        Optional<OwnLimit> limit =
                services.mariaDb() ? OwnLimit.of(sent.tokens()) : Optional.empty();
        if (limit.isPresent()) {
            execute(limit.get(), sent, output);
            return;
        }
        ClientStatement statement = filled(sent);
        Classification kind = classified(statement);
        if (kind instanceof Classification.Execute execute) {
            ClientStatement prepared = prepared(execute, sent);
            inItsDatabase(prepared, () -> run(classified(prepared), prepared, start, output));
        } else {
            inItsDatabase(statement, () -> run(kind, statement, start, output));
        }
    }

    private void execute(OwnLimit limit, ClientStatement sent, Output output) {
        ClientStatement rest =
                ClientStatement.of(
                        limit.sql(), sent.bound(), sent.binaryRows(), sent.moreResults());
        ClientStatement statement =
                sent.database() == null ? rest : rest.preparedIn(sent.database());
        settings.during(limit, () -> execute(statement, output));
    }

    /// What was prepared names tables of the database that was the current one then.
    private void inItsDatabase(ClientStatement statement, Runnable work) {
        if (!isElsewhere(statement)) {
            work.run();
            return;
        }
        String prepared = Objects.requireNonNull(statement.database());
        String before = state.database();
        state.database(prepared);
        try {
            work.run();
        } finally {
            if (state.database().equals(prepared)) { // else it was a USE
                state.database(before);
            }
        }
    }

    private boolean isElsewhere(ClientStatement statement) {
        String prepared = statement.database();
        return prepared != null && !prepared.equals(state.database());
    }

    private ClientStatement filled(ClientStatement sent) {
        return text.filled(
                isElsewhere(sent) ? sent : userAssignments.withNextValues(sent), state.changed());
    }

    private ClientStatement prepared(Classification.Execute execute, ClientStatement sent) {
        ClientStatement prepared = named.statement(execute, sent);
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

    private Classification classified(ClientStatement statement) {
        return services.classifier().classify(statement.normalized().text());
    }

    private void run(Classification kind, ClientStatement statement, long start, Output output) {
        String shown =
                StatementTimes.isUnderstood(kind)
                        ? statement.normalized().text()
                        : "(not understood)";
        last = new Last(shown, start);
        StatementKind told = StatementTimes.kind(kind, state.transaction());
        boolean done = false;
        fallback.begins();
        state.losses().begin();
        state.diagnostics().begins(namesTables(kind));
        AnswerTally tally = new AnswerTally(output);
        try {
            if (programs.any()) { // it is stopped with what it is a part of
                execute(kind, statement, tally);
            } else {
                interruption.during(limitMillis(kind), () -> execute(kind, statement, tally));
            }
            boolean asked = kind instanceof Classification.Conditions;
            state.diagnostics().answered(tally, statement.skipped(), !asked);
            done = true;
        } finally {
            temporary.settle(state.inTransaction());
            services.times().of(kind).recordSince(start);
            services.book().add(shown, told, System.nanoTime() - start, fallback.reason(), !done);
        }
    }

    private static boolean namesTables(Classification kind) {
        return switch (kind) {
            case Classification.Read _,
                    Classification.Update _,
                    Classification.Load _,
                    Classification.SchemaChange _,
                    Classification.Call _ ->
                    true;
            case Classification.Information(boolean afterEverything) -> afterEverything;
            default -> false;
        };
    }

    /// A command has failed, whatever it was: what SHOW WARNINGS shows next.
    public void failed(int number, String message) {
        state.diagnostics().failed(number, message);
    }

    /// Runs a statement on this thread, which it does not block, if it is known to be one that
    /// needs nobody, or nobody but a replica of this process: a short read, the begin of a
    /// transaction, the end of one that only such reads were made in. Anything else is left to
    /// {@link #execute}, as if it had not been asked for.
    ///
    /// @return whether it was run
    public boolean executeNow(ClientStatement statement, Output output) {
        long start = System.nanoTime();
        Classification kind = services.classifier().known(statement.normalized().text());
        if (kind == null || lockedTables.any() || temporary.any()) {
            return false;
        }
        Transaction within = state.transaction();
        AnswerTally tally = new AnswerTally(output);
        boolean done =
                switch (kind) {
                    case Classification.Read read -> readNow(read, statement, tally);
                    case Classification.Begin(Access access, boolean snapshot)
                            when !snapshot && transactions.endsAtOnce() -> {
                        transactions.end(true);
                        transactions.begin(access, false);
                        yield answerNow(() -> done(statement, tally));
                    }
                    case Classification.Ending(_, boolean chains)
                            when !chains && transactions.endsAtOnce() -> {
                        transactions.endAsked(true, false);
                        yield answerNow(() -> done(statement, tally));
                    }
                    default -> false;
                };
        if (done) {
            String text = statement.normalized().text();
            last = new Last(text, start);
            state.diagnostics().begins(namesTables(kind));
            state.diagnostics().answered(tally, statement.skipped(), true);
            services.times().of(kind).recordSince(start);
            services.book()
                    .add(
                            text,
                            StatementTimes.kind(kind, within),
                            System.nanoTime() - start,
                            "",
                            false);
        }
        return done;
    }

    private boolean readNow(Classification.Read read, ClientStatement statement, Output output) {
        Catalogue known = services.cluster().catalogueNow();
        if (known == null
                || (state.zoned() == null && !services.backend().knowsZone())
                || isElsewhere(statement)
                || statement.ofSession()
                || read.locking()
                || limitMillis(read) > 0
                || state.limitsRows()
                || !statement.nesting().isWithin(services.limits().nesting())
                || !permissions.allow(read, known)
                || !meaning.backendReason(read, statement).isEmpty()) {
            return false;
        }
        ViewedReads.Merged merged = viewed.merged(read, statement, known, false);
        List<byte[]> packets =
                merged == null
                        ? reads.now(known, state.qualified(read.tables()), statement)
                        : reads.now(
                                known, state.qualified(merged.read().tables()), merged.statement());
        return packets != null
                && answerNow(() -> packets.forEach(packet -> output.relay(packet, () -> {})));
    }

    /// The silence of its client begins anew.
    private boolean answerNow(Runnable answer) {
        idle(false);
        answer.run();
        idle(true);
        return true;
    }

    private long limitMillis(Classification kind) {
        return switch (kind) {
            case Classification.Read _, Classification.Information _ ->
                    state.statementLimitMillis(false);
            case Classification.Update _, Classification.Load _, Classification.Call _ ->
                    state.statementLimitMillis(true);
            default -> 0;
        };
    }

    private void execute(Classification kind, ClientStatement statement, Output output) {
        if (statement.tokens().is(0, "ANALYZE")) { // which might run what it is to explain
            TemporaryStatements.requireSame(statement);
        }
        if (statement.ofSession()) {
            requireNotOfTriggers(statement.tokens());
        }
        boolean ofTemporary = onTemporary.concern(kind, statement.tokens());
        if (!ofTemporary || !onTemporary.alone(kind)) {
            lockedTables.require(kind, statement, state.database(), temporary::has);
        }
        if (lockedByOthers.any()) {
            lockedByOthers.await(
                    temporary.others(
                            QueriedTables.of(
                                    kind, ofTemporary, statement.tokens(), state, this::holds)));
        }
        if (ofTemporary) {
            onTemporary.run(kind, statement, output);
            return;
        }
        if (readsViews(kind, statement, output) || functions.run(kind, statement, output)) {
            return;
        }
        switch (kind) {
            case Classification.Read read -> {
                SessionTerms.Into into = ownInto(read, statement);
                if (into == null) {
                    if (!calculatedRows.run(statement, output)) {
                        changingUnseen(
                                statement, output, to -> tableReads.run(read, statement, to));
                    }
                } else {
                    read(into, statement, output);
                }
            }
            case Classification.Information(boolean afterEverything) -> {
                boolean known =
                        afterEverything
                                ? shownColumns.show(statement, output)
                                : ownAnswers.select(statement, output)
                                        || fallback.showSettings(statement, output);
                if (!known) {
                    changingUnseen(
                            statement,
                            output,
                            to ->
                                    fallback.run(
                                            statement,
                                            afterEverything,
                                            Fallback.ABOUT_THE_SERVER,
                                            to));
                }
            }
            case Classification.Call call -> {
                QuireException refusal = call(call, statement, output);
                if (refusal != null) {
                    programs.run(call.procedure(), statement, refusal, output);
                }
            }
            case Classification.Conditions asked -> ownAnswers.show(asked, statement, output);
            case Classification.Prepare prepare -> {
                String prepared = named.text(prepare);
                requireStatement(prepared);
                Description _ = describe(prepared);
                named.keep(prepare.name(), prepared);
                done(statement, output);
            }
            case Classification.Execute _ ->
                    throw new IllegalStateException("an EXECUTE within another is not prepared");
            case Classification.Deallocate(String name) -> {
                named.deallocate(name);
                done(statement, output);
            }
            case Classification.Update update -> {
                tableChanges.run(update, statement, output);
            }
            case Classification.Load load -> {
                permissions.require(load, statement);
                loads.run(statement, output);
            }
            case Classification.SchemaChange change -> {
                permissions.require(change, statement);
                transactions.end(true);
                state.forgetNext();
                transactions.requireWritable(services.mariaDb());
                schemaChanges.run(change, statement, output);
            }
            case Classification.Begin(Access access, boolean snapshot) -> {
                transactions.end(true);
                lockedTables.begins();
                transactions.begin(access, snapshot);
                done(statement, output);
            }
            case Classification.Ending(boolean commits, boolean chains) -> {
                transactions.endAsked(commits, chains);
                if (chains) {
                    lockedTables.begins();
                }
                done(statement, output);
            }
            case Classification.Savepoint(SavepointStep step) ->
                    transactions.savepoint(step, statement, output);
            case Classification.Assignment() -> {
                List<Setting> asked = userAssignments.settings(statement);
                Map<String, UserVariable> values =
                        userAssignments.values(
                                asked,
                                state.changed()
                                        || temporary.maybeNamedBy(
                                                statement.tokens(), state.database()));
                Assignments.of(asked).forEach(settings::apply);
                userAssignments.set(values);
                done(statement, output);
            }
            case Classification.Killing(Kill.Victim victim, boolean only) -> {
                kill(id(victim, statement), only);
                done(statement, output);
            }
            case Classification.Use(String database) -> {
                use(database);
                done(statement, output);
            }
            case Classification.LockTables lock -> {
                lockTables(lock, statement);
                done(statement, output);
            }
            case Classification.UnlockTables() -> {
                try {
                    if (lockedTables.endsTransactions()) {
                        transactions.end(true);
                    }
                } finally {
                    lockedTables.unlock();
                }
                done(statement, output);
            }
            case Classification.TableService(boolean ends) -> {
                if (ends) {
                    transactions.end(true);
                }
                if (state.changed()) {
                    throw new QuireException(
                            ErrorCode.NOT_SUPPORTED_YET,
                            "Quire does not support CHECKSUM in a transaction that has changed"
                                    + " something");
                }
                fallback.serve(statement, output);
            }
            case Classification.AccountChange _ -> accountChanges.run(statement, output);
            case Classification.Temporary _ -> { // drops what is none
                TemporaryStatements.requireSame(statement);
                fallback.run(statement, false, Fallback.ABOUT_THE_SERVER, output);
            }
            case Classification.Flush(boolean byBackend) -> {
                transactions.end(true);
                fallback.flush(statement, byBackend, output);
            }
            case Classification.Empty() -> {
                if (statement.sql().chars().allMatch(c -> c == ';' || Character.isWhitespace(c))) {
                    throw new StatementFailed(1065, "42000", "Query was empty");
                }
                done(statement, output); // a comment is nothing to do
            }
            case Classification.Mistake(String near) -> {
                fallback.requireNoMistake(statement.sql());
                throw mistake(near);
            }
            case Classification.Unsupported(String what) ->
                    throw new QuireException(
                            ErrorCode.NOT_SUPPORTED_YET, "Quire does not support " + what);
        }
    }

    /// @return false where it is no read of views that memory can answer, and nothing is done
    private boolean readsViews(Classification kind, ClientStatement statement, Output output) {
        if (!(kind instanceof Classification.Read read) || temporary.any() || lockedTables.any()) {
            return false;
        }
        services.cluster().awaitReady();
        ViewedReads.Merged merged =
                viewed.merged(read, statement, services.cluster().catalogue(), true);
        if (merged == null) {
            return false;
        }
        tableReads.run(merged.read(), merged.statement(), output);
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
            functions.runUnseen(e, statement, output);
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
        if (temporary.any()) {
            return new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire does not support CALL in a session with temporary tables,"
                            + " which the procedure would not see");
        }
        transactions.beginIfNeeded();
        AtomicReference<@Nullable QuireException> refusal = new AtomicReference<>();
        tableChanges.anew(output, begun -> refusal.set(procedures.run(call, statement, begun)));
        return refusal.get();
    }

    private boolean holds(TableName table) {
        return services.cluster().catalogue().holds(Set.of(table));
    }

    /// Where a read must give its row to variables and is not for the backend, which would give it
    /// to its own: null for any other.
    private SessionTerms.@Nullable Into ownInto(
            Classification.Read read, ClientStatement statement) {
        boolean own = read.locking() || state.changed();
        return own && statement.ofSession() ? SessionTerms.of(statement.tokens()).into() : null;
    }

    private void read(SessionTerms.Into into, ClientStatement statement, Output output) {
        Tokens tokens = statement.tokens();
        Edits edits = new Edits(tokens);
        edits.replace(into.from(), into.to(), "");
        Collected result = query(edits.made(), statement.bound());
        if (result.columns().size() != into.names().size()) {
            throw new StatementFailed(
                    1222, "21000", "The used SELECT statements have a different number of columns");
        }
        if (result.rows().size() > 1) {
            throw new StatementFailed(1172, "42000", "Result consisted of more than one row");
        }
        boolean none = result.rows().isEmpty();
        if (none) {
            state.diagnostics().warned(List.of(NO_DATA));
        }
        for (int i = 0; i < into.names().size() && !none; i++) {
            state.variables().set(into.names().get(i), result.rows().getFirst().get(i));
        }
        output.ok(none ? 0 : 1, 0, state.statusFlags(statement.moreResults()), none ? 1 : 0, "");
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

    private void requireShallow(Nesting nesting) {
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
            case Kill.Victim.Oneself() -> client.id();
            case Kill.Victim.Parameter()
                    when statement.bound().getFirst()
                            instanceof SqlValue.IntegerValue(long id, boolean _) ->
                    id;
            case Kill.Victim.Parameter() -> throw mistake(statement.sql());
        };
    }

    /// A dump that is restored locks each table for speed only, and says so by doing without the
    /// checks. Who locks to keep others out must not be told that they are.
    private void lockTables(Classification.LockTables lock, ClientStatement statement) {
        boolean all = lock.tables().isEmpty();
        if (all) {
            lockedTables.requireAllLockable();
            fallback.flush(statement, false, Output.NOWHERE); // which takes the same right
        } else {
            permissions.require(lock, statement);
            lockedTables.requireLockable(lock.tables().stream().anyMatch(TableLock::write));
        }
        transactions.end(true);
        lockedTables.unlock();
        if (all) {
            lockedTables.lockAll();
            return;
        }
        List<TableLock> tables =
                lock.tables().stream()
                        .map(l -> new TableLock(state.qualified(l.table()), l.write()))
                        .filter(l -> !temporary.has(l.table())) // nobody else has it
                        .toList();
        boolean restores =
                state.modes().foreignKeysUnchecked() && tables.stream().anyMatch(TableLock::write);
        if (!restores) {
            lockedTables.lock(tables, state.tableWaitMillis());
        }
    }

    private void done(ClientStatement statement, Output output) {
        output.ok(0, 0, state.statusFlags(statement.moreResults()), 0, "");
    }

    /// @throws StatementFailed as of the backend where the tier does not know the database
    public void use(String database) {
        services.cluster().awaitReady();
        permissions.requireNotHidden(database);
        boolean known =
                services.cluster().catalogue().hasSchema(database) || Fallback.isSystem(database);
        if (!known || !permissions.reach(database)) {
            fallback.checkDatabase(database);
        }
        state.database(database);
    }

    /// What a statement would answer with, and how many parameters it has.
    public Description describe(String sql) {
        Tokens tokens = Tokens.of(sql);
        requireShallow(Nesting.of(tokens));
        Classification kind = services.classifier().classify(NormalizedSql.of(tokens).text());
        if (onTemporary.concern(kind, tokens.plain())) {
            return onTemporary.describe(kind, sql);
        }
        if (kind instanceof Classification.Mistake(String near)) {
            fallback.requireNoMistake(sql);
            throw mistake(near);
        }
        boolean backend =
                kind instanceof Classification.Read read
                        && (!state.otherMode().isEmpty() || !permissions.allow(read));
        return backend ? reads.describeOnBackend(sql) : reads.describe(sql, kind);
    }

    /// COM_CHANGE_USER: as after connecting anew.
    public void become(Login login) {
        reset();
        state.become(login);
    }

    /// COM_RESET_CONNECTION.
    public void reset() {
        transactions.end(false);
        settings.reset();
        named.clear();
        locks.close();
        temporary.close();
        lockedTables.release();
        state.reset();
    }

    /// What one part meets keeps no other from letting go of what it holds.
    @Override
    public void close() {
        clients.remove(client.id());
        try (Kept _ = kept;
                ClientLocks _ = locks;
                TemporaryTables _ = temporary;
                LockedTables _ = lockedTables) {
            transactions.abandon();
        }
    }
}
