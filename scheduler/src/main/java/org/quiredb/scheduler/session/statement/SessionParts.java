package org.quiredb.scheduler.session.statement;

import org.jspecify.annotations.Nullable;
import org.quiredb.scheduler.classify.Classification;
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
import org.quiredb.scheduler.session.program.ClientStatements;
import org.quiredb.scheduler.session.program.Programs;
import org.quiredb.scheduler.session.setting.Assignments;
import org.quiredb.scheduler.session.setting.SessionSettings;
import org.quiredb.scheduler.session.state.Client;
import org.quiredb.scheduler.session.state.ClientLimits;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Kept;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.transaction.LockedByOthers;
import org.quiredb.scheduler.session.transaction.LockedTables;
import org.quiredb.scheduler.session.transaction.MasterStatements;
import org.quiredb.scheduler.session.transaction.OverlaidReads;
import org.quiredb.scheduler.session.transaction.Reads;
import org.quiredb.scheduler.session.transaction.TemporaryTables;
import org.quiredb.scheduler.session.transaction.Transactions;

/// The parts by which a session's statements are run, put together.
///
/// Threads: as of the session.
public final class SessionParts implements AutoCloseable {
    final Services services;
    final SessionState state;
    final Client client;
    final Kept kept;
    final Reads reads;
    final ProcedureCalls procedures;
    final FunctionCalls functions;
    final Programs programs;
    final FileLoads loads;
    final Transactions transactions;
    final SessionSettings settings;
    final AccountChanges accountChanges;
    final SchemaChanges schemaChanges;
    final ClientLocks locks;
    final LockedTables lockedTables;
    final LockedByOthers lockedByOthers;
    final TemporaryTables temporary;
    final TemporaryStatements onTemporary;
    final Fallback fallback;
    final Permissions permissions;
    final SessionText text;
    final OwnAnswers ownAnswers;
    final NamedStatements named;
    final OtherMeaning meaning;
    final TableReads tableReads;
    final CalculatedRows calculatedRows;
    final ShownColumns shownColumns;
    final ViewedReads viewed;
    final TableChanges tableChanges;

    /// @param statements runs a statement as if the client had sent it
    public SessionParts(
            Services services,
            SessionState state,
            Client client,
            Kept kept,
            ClientStatements statements) {
        this.services = services;
        this.state = state;
        this.client = client;
        this.kept = kept;
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
                        statements);
        accountChanges = new AccountChanges(services, state, transactions, fallback);
        schemaChanges = new SchemaChanges(services, state, reads, fallback);
        text = new SessionText(state);
        ownAnswers = new OwnAnswers(state, services.mariaDb());
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
        viewed = new ViewedReads(services, state, permissions, meaning, reads);
        calculatedRows =
                new CalculatedRows(
                        services,
                        state,
                        meaning,
                        permissions,
                        transactions,
                        reads,
                        tableReads,
                        this::ofTables);
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
        named = new NamedStatements(state, services.limits(), kept, fallback.values()::value);
    }

    /// A read of views as one of their tables; null for any other.
    ViewedReads.@Nullable Merged ofTables(Classification.Read read, ClientStatement statement) {
        if (temporary.any() || lockedTables.any()) {
            return null;
        }
        services.cluster().awaitReady();
        return viewed.merged(read, statement, services.cluster().catalogue(), true);
    }

    public SessionSettings settings() {
        return settings;
    }

    public Permissions permissions() {
        return permissions;
    }

    public Fallback fallback() {
        return fallback;
    }

    public Programs programs() {
        return programs;
    }

    public TemporaryTables temporary() {
        return temporary;
    }

    /// Lets go of what the session has, which begins anew.
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
        try (Kept _ = kept;
                ClientLocks _ = locks;
                TemporaryTables _ = temporary;
                LockedTables _ = lockedTables) {
            transactions.abandon();
        }
    }
}
