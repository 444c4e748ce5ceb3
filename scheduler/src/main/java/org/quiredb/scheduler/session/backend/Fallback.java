package org.quiredb.scheduler.session.backend;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.Condition;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.Freshness;
import org.quiredb.scheduler.fallback.HeldTables;
import org.quiredb.scheduler.fallback.Snapshot;
import org.quiredb.scheduler.fallback.connection.Asked;
import org.quiredb.scheduler.fallback.connection.BackendSession;
import org.quiredb.scheduler.fallback.connection.Outcome;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.sql.command.SettingTerms;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Runs a session's statements on the backend, after it has caught up and with what the session has
/// set.
///
/// Threads: owned by the session's thread.
public final class Fallback {
    public static final String TABLE_NOT_HELD = "it names a table that the tier does not hold";
    public static final String ABOUT_THE_SERVER =
            "it asks about the server, or reads no table of the tier";

    private static final String SERVES_TABLES = "it looks after tables of the backend";

    static final String NAMES_TEMPORARY = "it names a temporary table";
    public static final String CALLS = "it calls a stored procedure";
    public static final String FIRES = "it fires triggers, or shows expressions";

    /// To find one that the client may read.
    private static final int TABLES_TRIED = 16;

    /// What any FLUSH takes a right for, and nobody notices.
    private static final String HARMLESS_FLUSH = "FLUSH STATUS";

    private static final Set<String> SYSTEM =
            Set.of("information_schema", "mysql", "performance_schema", "sys");

    private final Services services;
    private final SessionState state;
    private final BackendSettings settings;
    private final ClientLocks locks;
    private final BackendWording wording;
    private final CaughtUp applied;
    private final BackendCalls calls;
    private final BackendEvaluations evaluations;
    private final BackendValues values;

    /// @param connectionId what CONNECTION_ID() is to be
    /// @param foundRows whether ROW_COUNT() in a stored program is to be of rows found
    public Fallback(
            Services services,
            SessionState state,
            ClientLocks locks,
            int connectionId,
            boolean foundRows) {
        this.locks = locks;
        this.services = services;
        this.state = state;
        settings = new BackendSettings(services, state, this);
        wording = new BackendWording(services, state, connectionId, foundRows);
        applied = new CaughtUp(services);
        calls = new BackendCalls(services, state, wording, applied);
        evaluations = new BackendEvaluations(services, wording, applied);
        values = new BackendValues(services, locks, wording, applied);
    }

    /// A statement begins that has not been left to the backend so far.
    public void begins() {
        wording.because("");
        wording.programs().forget();
    }

    /// Why the backend ran something of this statement; empty when it did not.
    public String reason() {
        return wording.reason();
    }

    public ProcessList processes() {
        return wording.processes();
    }

    public CalledPrograms programs() {
        return wording.programs();
    }

    public CaughtUp applied() {
        return applied;
    }

    public BackendCalls calls() {
        return calls;
    }

    public BackendEvaluations evaluations() {
        return evaluations;
    }

    public BackendValues values() {
        return values;
    }

    public BackendSettings settings() {
        return settings;
    }

    public static boolean isSystem(String database) {
        return SYSTEM.contains(database.toLowerCase(Locale.ROOT));
    }

    /// Whether memory has said that it does not run a statement, as the backend may.
    public static boolean isRefusal(RuntimeException error) {
        return switch (error) {
            case QuireException e -> e.code() == ErrorCode.NOT_SUPPORTED_YET;
            case StatementFailed e ->
                    e.number() == ErrorCode.NOT_SUPPORTED_YET.number()
                            || e.number() == ErrorCode.SYNTAX_ERROR.number();
            default -> false;
        };
    }

    public BackendSession session() {
        return wording.session();
    }

    BackendSession session(List<String> assignments) {
        return wording.session(assignments);
    }

    BackendSession shownSession(String text) {
        return wording.shownSession(text);
    }

    /// @throws QuireException where what it calls may change rows
    public ToldStatement told(ClientStatement statement) {
        return wording.told(statement);
    }

    /// @param moved the user variables that may be set by what it calls
    public ToldStatement told(ClientStatement statement, Set<String> moved) {
        return wording.told(statement, moved);
    }

    /// Quire's account sees the log, and so might an account that has a right on everything.
    public void requireNotOfLog(Tokens tokens) {
        wording.requireNotOfLog(tokens);
    }

    /// @param afterEverything the answer may depend on rows: every class must have been applied up
    ///   to the current vector, and what the backend showed beyond it joins the vector
    /// @param why it is not run by the tier
    public void run(ClientStatement statement, boolean afterEverything, String why, Output output) {
        run(statement, afterEverything, afterEverything ? CaughtUp.ANY : c -> true, why, output);
    }

    /// As {@link #run(ClientStatement, boolean, String, Output)}, of a read that shows rows of some
    /// classes only.
    public void run(
            ClientStatement statement, Predicate<ConflictClass> shows, String why, Output output) {
        run(statement, true, shows, why, output);
    }

    private void run(
            ClientStatement statement,
            boolean afterEverything,
            Predicate<ConflictClass> shows,
            String why,
            Output output) {
        wording.because(why);
        Freshness freshness = afterEverything ? applied.await(shows) : Freshness.ANY;
        boolean ask = afterEverything && !services.backend().several();
        boolean reading =
                (CaughtUp.ANY.equals(shows) || statement.tokens().is(0, "DO"))
                        && ProgramWalk.mayHide(statement.tokens(), services.mariaDb());
        run(
                (session, asked, sink) ->
                        services.backend().run(session, freshness, asked, reading, sink),
                freshness,
                statement,
                // before the client has it and can tell another what it saw
                new Relay(output, ask ? () -> applied.learn(shows) : () -> {}),
                output);
    }

    /// What looks after tables. It may wait for who reads them, and whoever comes after waits for
    /// it: no longer than for a schema change.
    public void serve(ClientStatement statement, Output output) {
        wording.because(SERVES_TABLES);
        List<String> assignments = state.settings();
        assignments.add(
                "SET lock_wait_timeout = CAST(LEAST(@@lock_wait_timeout, %d) AS UNSIGNED)"
                        .formatted(Math.max(1, services.limits().schemaWait().toSeconds())));
        BackendSession patient = wording.session(assignments);
        Freshness freshness = applied.await(CaughtUp.ANY);
        run(
                (own, asked, sink) -> services.backend().run(patient, freshness, asked, sink),
                freshness,
                statement,
                new Relay(output, () -> {}),
                output);
    }

    /// What changes something of the server's own, with the client's rights.
    public Outcome change(ClientStatement statement) {
        wording.because(ABOUT_THE_SERVER);
        ToldStatement told = wording.told(statement);
        Outcome outcome = services.backend().change(wording.session(), told.asked());
        wording.learn(told.terms(), outcome);
        return outcome;
    }

    /// @param carriedOut whether the backend is to do it; else it only says whether the client may
    public void flush(ClientStatement statement, boolean carriedOut, Output output) {
        ClientStatement sent =
                carriedOut
                        ? statement
                        : ClientStatement.of(
                                HARMLESS_FLUSH,
                                List.of(),
                                statement.binaryRows(),
                                statement.moreResults());
        run(sent, false, ABOUT_THE_SERVER, output);
    }

    /// A statement at the state of a snapshot.
    ///
    /// @param why it is not run by the tier
    public void run(Snapshot snapshot, ClientStatement statement, String why, Output output) {
        wording.because(why);
        run(snapshot::run, null, statement, new Relay(output, () -> {}), output);
    }

    /// A SELECT of settings alone, which need not be asked for again and again, and waits for no
    /// commit.
    ///
    /// @return false for any other
    public boolean showSettings(ClientStatement statement, Output output) {
        if (!SettingTerms.shown(statement.tokens())) {
            return false;
        }
        String sql = statement.sql();
        int flags = state.statusFlags(statement.moreResults());
        Edits edits = new Edits(statement.tokens());
        ReplicaText.withPackets(services.limits().packetBytes(), statement.tokens(), edits);
        Asked asked = new Asked(edits.made(), sql, statement.binaryRows(), flags, "");
        BackendSession session = wording.shownSession(sql);
        Shown shown =
                settings.of(
                        session,
                        asked,
                        true,
                        sql,
                        Shown.class,
                        () -> {
                            wording.because(ABOUT_THE_SERVER);
                            services.counters().fallback().increment();
                            ByteArrayOutputStream row = new ByteArrayOutputStream();
                            Outcome outcome =
                                    services.backend()
                                            .run(session, Freshness.ANY, asked, row::writeBytes);
                            return new Shown(row.toByteArray(), outcome.conditions());
                        });
        state.diagnostics().warned(shown.conditions());
        output.relay(shown.packets().clone(), () -> {}); // which numbers them in place
        return true;
    }

    @SuppressWarnings("ArrayRecordComponent") // never changed, never compared
    private record Shown(byte[] packets, List<Condition> conditions) {}

    private record Described(List<byte[]> columns) {}

    /// A read at the state of a snapshot with a transaction's own rows over it, once the backend
    /// has applied what these stand on.
    ///
    /// @param why it is not run by the tier
    public void runOver(
            Snapshot snapshot,
            RowChanges rows,
            ClientStatement statement,
            String why,
            Output output) {
        wording.because(why);
        applied.requireReached(snapshot);
        run(
                (session, asked, sink) -> snapshot.runOver(rows, session, asked, sink),
                null,
                statement,
                new Relay(output, () -> {}),
                output);
    }

    /// The backend as it is, which is not before the current vector.
    public Snapshot snapshot(Snapshot.Use use) {
        Freshness freshness = applied.await(CaughtUp.ANY);
        Catalogue known = services.cluster().catalogue();
        String database = state.database();
        List<TableName> tables =
                (database.isEmpty() ? known.tables() : known.tables(database))
                        .stream()
                                .map(CatalogueEntry::definition)
                                .map(table -> new TableName(table.schema(), table.name()))
                                .limit(TABLES_TRIED)
                                .toList();
        BackendSession session =
                use == Snapshot.Use.CALL ? wording.sessionOfCall() : wording.session();
        return services.backend().snapshot(session, freshness, use, tables);
    }

    /// A statement that names temporary tables of the session.
    ///
    /// @param rows of the transaction's own, laid over other tables
    /// @param changed the temporary tables that it changes
    /// @param readsOthers whether it reads other tables, too
    /// @param foundRows whether affected rows are those found
    public void run(
            HeldTables held,
            RowChanges rows,
            Set<TableName> changed,
            boolean readsOthers,
            boolean foundRows,
            ClientStatement statement,
            Output output) {
        wording.because(NAMES_TEMPORARY);
        if (readsOthers) {
            var _ = wording.programs().requireReading(statement.tokens(), true);
        }
        Freshness freshness = readsOthers ? applied.await(CaughtUp.ANY) : Freshness.ANY;
        boolean ask = readsOthers && !services.backend().several();
        run(
                (session, asked, sink) -> held.run(session, freshness, rows, changed, asked, sink),
                null,
                statement,
                new Relay(output, ask ? () -> applied.learn(c -> true) : () -> {}),
                foundRows,
                output);
    }

    /// Whether a temporary table of the session is there.
    public boolean has(HeldTables held, TableName table) {
        try {
            List<ColumnMetadata> _ =
                    held.describe(
                            wording.session(), "SELECT 1 FROM " + BackendWording.quoted(table));
            return true;
        } catch (StatementFailed e) {
            return e.number() != ErrorCode.NO_SUCH_TABLE.number();
        }
    }

    public List<byte[]> describe(HeldTables held, String sql) {
        wording.requireNotOfLog(Tokens.of(sql).plain());
        return held.describe(wording.session(), sql).stream().map(ColumnMetadata::payload).toList();
    }

    private interface Runner {
        Outcome run(BackendSession session, Asked asked, Consumer<byte[]> sink);
    }

    private void run(
            Runner runner,
            @Nullable Freshness freshness,
            ClientStatement statement,
            Relay relay,
            Output output) {
        run(runner, freshness, statement, relay, true, output);
    }

    /// @param foundRows whether affected rows are those found, be they changed or not
    private void run(
            Runner runner,
            @Nullable Freshness freshness,
            ClientStatement statement,
            Relay relay,
            boolean foundRows,
            Output output) {
        ToldStatement told = wording.told(statement);
        Outcome outcome;
        try {
            BackendSession session =
                    showsVariables(statement.tokens()) || wording.asksForMode(statement.sql())
                            ? wording.shownSession(statement.sql())
                            : wording.session();
            boolean hides = ProgramWalk.mayHide(statement.tokens(), services.mariaDb());
            outcome =
                    ProgramWalk.reading(() ->
                            told.locked().any()
                                    ? locks.run(
                                            told.locked(),
                                            session,
                                            required(freshness),
                                            told.asked(),
                                            hides,
                                            relay)
                                    : runner.run(session, told.asked(), relay));
        } catch (StatementFailed e) {
            relay.begin(); // an error may tell something of the rows, too
            throw e;
        }
        relay.begin();
        wording.learn(told.terms(), outcome);
        if (!outcome.hasRows()) {
            long affected = outcome.affectedRows();
            output.ok(
                    foundRows ? affected : outcome.changedRows().orElse(affected),
                    outcome.insertId(),
                    state.statusFlags(statement.moreResults()),
                    outcome.conditions().size(),
                    outcome.info());
        }
    }

    private static boolean showsVariables(Tokens tokens) {
        boolean scoped = tokens.is(1, "SESSION") || tokens.is(1, "LOCAL");
        return tokens.is(0, "SHOW") && tokens.is(scoped ? 2 : 1, "VARIABLES");
    }

    /// A session's own connection for its locks is in no state but the newest.
    private Freshness required(@Nullable Freshness freshness) {
        if (freshness == null || (freshness.asked() && services.backend().several())) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire does not support named locks in a query of tables, in a read-only"
                            + " transaction or over several backends");
        }
        return freshness;
    }

    /// For what may show any commit.
    ///
    /// @param why the backend is asked
    Freshness awaitEverything(String why) {
        wording.because(why);
        return applied.await(CaughtUp.ANY);
    }

    /// @throws StatementFailed where the backend has no such table or view, or the client may not
    ///   read it there
    public void requireTable(TableName table) {
        List<byte[]> _ =
                describe(
                        "SELECT 1 FROM "
                                + BackendWording.quoted(table)); // nothing of a view is run
    }

    /// @throws StatementFailed as the backend says it, which may also be that the client has no
    ///   rights there
    /// @throws QuireException when the backend does not tell
    public void checkDatabase(String database) {
        Outcome _ =
                services.backend()
                        .run(
                                new BackendSession(state.login(), database, List.of()),
                                Freshness.ANY,
                                new Asked("DO 1", "DO 1", false, 0, ""),
                                packets -> {});
    }

    /// A change of rows that only the backend understands, which is not run there: its error, if it
    /// has one for this client.
    public void refuse(String sql) {
        List<byte[]> _ = describe(sql);
        throw new QuireException(
                ErrorCode.NOT_SUPPORTED_YET,
                "Quire does not support this in an update transaction: only the backend understands it");
    }

    /// Where the backend takes it for the same mistake, its words say best where that is.
    public void requireNoMistake(String sql, ErrorCode... mistakes) {
        try {
            wording.requireNotOfLog(Tokens.of(sql).plain());
            services.backend().read(wording.session(), sql);
        } catch (QuireException e) {
            return; // nobody is told what
        } catch (StatementFailed e) {
            if (Arrays.stream(mistakes).anyMatch(m -> m.number() == e.number())) {
                throw e;
            }
        }
    }

    public List<byte[]> describe(String sql) {
        Tokens tokens = Tokens.of(sql).plain();
        wording.requireNotOfLog(tokens);
        BackendSession session = wording.session();
        Supplier<Described> ask =
                () ->
                        new Described(
                                services.backend().describe(session, sql).stream()
                                        .map(ColumnMetadata::payload)
                                        .toList());
        Described described =
                settings.of(session, sql, SettingTerms.shown(tokens), sql, Described.class, ask);
        return described.columns();
    }
}
