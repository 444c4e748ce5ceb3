package org.quiredb.scheduler.session.backend;

import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.Condition;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.scheduler.classify.LogDatabase;
import org.quiredb.scheduler.classify.StoredCalls;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.cluster.Cluster;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.Evaluated;
import org.quiredb.scheduler.fallback.Evaluating;
import org.quiredb.scheduler.fallback.Evaluation;
import org.quiredb.scheduler.fallback.FallbackBackend;
import org.quiredb.scheduler.fallback.Freshness;
import org.quiredb.scheduler.fallback.HeldTables;
import org.quiredb.scheduler.fallback.Snapshot;
import org.quiredb.scheduler.fallback.connection.Asked;
import org.quiredb.scheduler.fallback.connection.BackendLogin;
import org.quiredb.scheduler.fallback.connection.BackendSession;
import org.quiredb.scheduler.fallback.connection.KnownRoutines;
import org.quiredb.scheduler.fallback.connection.Outcome;
import org.quiredb.scheduler.fallback.connection.ProcedureCall;
import org.quiredb.scheduler.fallback.connection.Routines;
import org.quiredb.scheduler.route.Tags;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.UserVariable;
import org.quiredb.scheduler.session.state.UserVariables;
import org.quiredb.sql.command.SessionTerms;
import org.quiredb.sql.command.SettingTerms;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Token;
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

    /// What is below is ASCII.
    private static final int FIRST_OTHER = 0x80;

    private static final String EVALUATED = "quire_evaluates";

    private static final String COMPUTES = "it is an expression of a stored procedure";

    /// Than a procedure has: it is refused before it runs, but after its rights were looked at.
    private static final int MORE_ARGUMENTS = 100;

    private static final int WRONG_NUMBER_OF_ARGUMENTS = 1318;

    private static final Set<String> SYSTEM =
            Set.of("information_schema", "mysql", "performance_schema", "sys");

    /// Where nobody knows what a read shows.
    public static final Predicate<ConflictClass> ANY = c -> true;

    private static final SessionTerms NO_TERMS =
            new SessionTerms(List.of(), Set.of(), null, false, false);

    private final Services services;
    private final SessionState state;
    private final SessionText text;
    private final BackendSettings settings;
    private final ClientLocks locks;
    private final int connectionId;
    private final boolean foundRows;
    private long life;
    private String reason = "";
    private @Nullable Called called;
    private @Nullable Routines routines;

    /// @param connectionId what CONNECTION_ID() is to be
    /// @param foundRows whether ROW_COUNT() in a stored program is to be of rows found
    public Fallback(
            Services services,
            SessionState state,
            ClientLocks locks,
            int connectionId,
            boolean foundRows) {
        this.locks = locks;
        this.foundRows = foundRows;
        this.connectionId = connectionId;
        this.services = services;
        this.state = state;
        this.text = new SessionText(state);
        this.settings = new BackendSettings(services, state, this);
    }

    /// A statement begins that has not been left to the backend so far.
    public void begins() {
        reason = "";
        called = null;
        routines = null;
    }

    /// A statement is run again as something was not what it had been looked at as: nothing counts
    /// of what its programs were then.
    public void beginsAnew() {
        called = null;
        routines = null;
    }

    /// The stored programs as Quire's own account is shown them, each as it was when the statement
    /// first came to it.
    public Routines routines() {
        Routines known = routines;
        if (known == null) {
            known = new KnownRoutines(services.backend().routines());
            routines = known;
        }
        return known;
    }

    private record ShownTo(BackendLogin login, TableName procedure) {}

    /// Whether the client is shown that there is such a procedure. Whether it may call one the
    /// server tells when it does.
    public boolean isShown(TableName procedure) {
        BackendSession session = session();
        return services.backend()
                .definitions()
                .of(
                        services.cluster().schemaChanges(),
                        new ShownTo(session.login(), procedure),
                        Boolean.class,
                        () -> services.backend().isShown(session, procedure));
    }

    /// Why the backend ran something of this statement; empty when it did not.
    public String reason() {
        return reason;
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
        return session(state.settings());
    }

    /// In which a program counts rows as the client does.
    private BackendSession sessionOfCall() {
        return foundRows ? session() : session().countingChanged();
    }

    BackendSession session(List<String> assignments) {
        return new BackendSession(state.login(), state.database(), assignments, state.values());
    }

    /// @param afterEverything the answer may depend on rows: every class must have been applied up
    ///   to the current vector, and what the backend showed beyond it joins the vector
    /// @param why it is not run by the tier
    public void run(ClientStatement statement, boolean afterEverything, String why, Output output) {
        run(statement, afterEverything, afterEverything ? ANY : c -> true, why, output);
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
        reason = why;
        Freshness freshness = afterEverything ? awaitApplied(shows) : Freshness.ANY;
        boolean ask = afterEverything && !services.backend().several();
        boolean reading =
                (ANY.equals(shows) || statement.tokens().is(0, "DO"))
                        && ProgramWalk.mayHide(statement.tokens(), services.mariaDb());
        run(
                (session, asked, sink) ->
                        services.backend().run(session, freshness, asked, reading, sink),
                freshness,
                statement,
                // before the client has it and can tell another what it saw
                new Relay(output, ask ? () -> learnApplied(shows) : () -> {}),
                output);
    }

    /// What looks after tables. It may wait for who reads them, and whoever comes after waits for
    /// it: no longer than for a schema change.
    public void serve(ClientStatement statement, Output output) {
        reason = SERVES_TABLES;
        List<String> assignments = state.settings();
        assignments.add(
                "SET lock_wait_timeout = CAST(LEAST(@@lock_wait_timeout, %d) AS UNSIGNED)"
                        .formatted(Math.max(1, services.limits().schemaWait().toSeconds())));
        BackendSession patient = session(assignments);
        Freshness freshness = awaitApplied(ANY);
        run(
                (own, asked, sink) -> services.backend().run(patient, freshness, asked, sink),
                freshness,
                statement,
                new Relay(output, () -> {}),
                output);
    }

    /// What changes something of the server's own, with the client's rights.
    public Outcome change(ClientStatement statement) {
        reason = ABOUT_THE_SERVER;
        Told told = told(statement);
        Outcome outcome = services.backend().change(session(), told.asked);
        text.learn(told.terms, outcome);
        state.diagnostics().warned(outcome.conditions());
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
        reason = why;
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
        BackendSession session = shownSession(sql);
        Shown shown =
                settings.of(
                        session,
                        asked,
                        true,
                        sql,
                        Shown.class,
                        () -> {
                            reason = ABOUT_THE_SERVER;
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
        reason = why;
        Freshness freshness = awaitApplied(ANY);
        if (services.backend().several() && !snapshot.reaches(freshness)) {
            throw new QuireException(
                    ErrorCode.DEADLOCK,
                    "the backend that the transaction reads is behind others; try restarting transaction");
        }
        run(
                (session, asked, sink) -> snapshot.runOver(rows, session, asked, sink),
                null,
                statement,
                new Relay(output, () -> {}),
                output);
    }

    /// The backend as it is, which is not before the current vector.
    public Snapshot snapshot(Snapshot.Use use) {
        Freshness freshness = awaitApplied(ANY);
        Catalogue known = services.cluster().catalogue();
        String database = state.database();
        List<TableName> tables =
                (database.isEmpty() ? known.tables() : known.tables(database))
                        .stream()
                                .map(CatalogueEntry::definition)
                                .map(table -> new TableName(table.schema(), table.name()))
                                .limit(TABLES_TRIED)
                                .toList();
        BackendSession session = use == Snapshot.Use.CALL ? sessionOfCall() : session();
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
        reason = NAMES_TEMPORARY;
        if (readsOthers) {
            var _ = requireReading(statement.tokens(), true);
        }
        Freshness freshness = readsOthers ? awaitApplied(ANY) : Freshness.ANY;
        boolean ask = readsOthers && !services.backend().several();
        run(
                (session, asked, sink) -> held.run(session, freshness, rows, changed, asked, sink),
                null,
                statement,
                new Relay(output, ask ? () -> learnApplied(c -> true) : () -> {}),
                foundRows,
                output);
    }

    /// Whether a temporary table of the session is there.
    public boolean has(HeldTables held, TableName table) {
        try {
            List<ColumnMetadata> _ = held.describe(session(), "SELECT 1 FROM " + quoted(table));
            return true;
        } catch (StatementFailed e) {
            return e.number() != ErrorCode.NO_SUCH_TABLE.number();
        }
    }

    public List<byte[]> describe(HeldTables held, String sql) {
        requireNotOfLog(Tokens.of(sql).plain());
        return held.describe(session(), sql).stream().map(ColumnMetadata::payload).toList();
    }

    private static String quoted(TableName table) {
        return "`%s`.`%s`"
                .formatted(table.database().replace("`", "``"), table.name().replace("`", "``"));
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
        Told told = told(statement);
        Outcome outcome;
        try {
            BackendSession session =
                    showsVariables(statement.tokens()) || asksForMode(statement.sql())
                            ? shownSession(statement.sql())
                            : session();
            boolean hides = ProgramWalk.mayHide(statement.tokens(), services.mariaDb());
            outcome =
                    ProgramWalk.reading(() ->
                            told.locked.any()
                                    ? locks.run(
                                            told.locked,
                                            session,
                                            required(freshness),
                                            told.asked,
                                            hides,
                                            relay)
                                    : runner.run(session, told.asked, relay));
        } catch (StatementFailed e) {
            relay.begin(); // an error may tell something of the rows, too
            throw e;
        }
        relay.begin();
        text.learn(told.terms, outcome);
        state.diagnostics().warned(outcome.conditions());
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

    /// Shows the client its own character sets and modes. What is sent is UTF-8 though, in which a
    /// server of another set may see a string end elsewhere, and has escapes: only texts of ASCII
    /// are sent so that have none.
    BackendSession shownSession(String text) {
        List<String> shown = state.shownSettings();
        boolean alike = state.escapes() || text.indexOf('\\') < 0;
        return alike && isAscii(text) && shown.stream().allMatch(Fallback::isAscii)
                ? session(shown)
                : session();
    }

    static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < FIRST_OTHER);
    }

    /// Whether it may show a mode that the backend is told nothing of.
    private boolean asksForMode(String text) {
        return !state.escapes() && Tokens.mentions(text, "SQL_MODE");
    }

    private static boolean showsVariables(Tokens tokens) {
        boolean scoped = tokens.is(1, "SESSION") || tokens.is(1, "LOCAL");
        return tokens.is(0, "SHOW") && tokens.is(scoped ? 2 : 1, "VARIABLES");
    }

    /// A CALL, which changes nothing.
    ///
    /// @param snapshot at whose state; null for what is committed when it runs
    public void call(
            @Nullable Snapshot snapshot,
            BackendLook look,
            ClientStatement statement,
            Output output) {
        reason = CALLS;
        FallbackBackend backend = services.backend();
        Freshness freshness = snapshot == null ? awaitApplied(ANY) : Freshness.ANY;
        boolean ask = snapshot == null && !backend.several();
        Runnable shown = ask ? () -> learnApplied(c -> true) : () -> {};
        Relay relay = new Relay(output, () -> {});
        Consumer<byte[]> sink =
                packets -> {
                    shown.run(); // it may have read more since the last ones
                    relay.accept(packets);
                };
        Evaluated ended;
        try {
            ended =
                    snapshot == null
                            ? backend.call(session(), freshness, look, sink)
                            : snapshot.call(session(), look, sink);
        } catch (StatementFailed e) {
            shown.run();
            throw e;
        }
        shown.run();
        Outcome outcome = ended.outcome();
        text.learn(look.terms(), outcome);
        state.diagnostics().warned(outcome.conditions());
        if (ended.failure() != null) {
            throw ended.failure();
        }
        output.ok(
                outcome.affectedRows(),
                outcome.insertId(),
                state.statusFlags(statement.moreResults()),
                outcome.conditions().size(),
                outcome.info());
    }

    /// A block of a program that reads no table, calls nothing but functions of the server, and
    /// shows one result at most.
    public void compute(ClientStatement block, Output output) {
        reason = COMPUTES;
        services.counters().fallback().increment();
        Tokens tokens = block.tokens();
        SessionTerms terms = block.ofSession() ? SessionTerms.of(tokens) : NO_TERMS;
        Asked asked =
                asked(tokens, terms, block.binaryRows(), state.statusFlags(block.moreResults()));
        Outcome outcome = services.backend().compute(session(), asked, new Relay(output, () -> {}));
        text.learn(terms, outcome);
        state.diagnostics().warned(outcome.conditions());
    }

    private Asked asked(Tokens tokens, SessionTerms terms, boolean binaryRows, int flags) {
        requireNotOfLog(tokens);
        Edits edits = new Edits(tokens);
        text.forBackend(terms, edits);
        ReplicaText.withPackets(services.limits().packetBytes(), tokens, edits);
        withConnectionId(tokens, edits);
        String sql = edits.made();
        return new Asked(sql, sql, binaryRows, flags, SessionText.then(terms));
    }

    /// Shows the client what a procedure leaves in its parameters.
    ///
    /// @param block shows them
    /// @param parameters their names
    public void showOutputs(
            String block,
            TableName procedure,
            List<String> parameters,
            boolean binaryRows,
            Output output) {
        reason = COMPUTES;
        Asked asked = asked(Tokens.of(block), NO_TERMS, binaryRows, state.statusFlags(true));
        ProcedureCall shown = new ProcedureCall(asked, procedure, parameters, true);
        Evaluated _ =
                services.backend()
                        .call(
                                session(),
                                Freshness.ANY,
                                routines -> shown,
                                new Relay(output, () -> {}));
    }

    /// @throws StatementFailed the server's own error where the client may not call a procedure
    public void requireExecutable(TableName procedure, int parameters) {
        String most = ", NULL".repeat(parameters + MORE_ARGUMENTS).substring(1);
        String sql = "CALL " + quoted(procedure) + "(" + most + ")";
        try {
            Outcome _ =
                    services.backend()
                            .run(
                                    session(),
                                    Freshness.ANY,
                                    new Asked(sql, sql, false, 0, ""),
                                    packets -> {});
        } catch (StatementFailed e) {
            if (e.number() != WRONG_NUMBER_OF_ARGUMENTS) {
                throw e;
            }
        }
    }

    /// A statement as the backend is to be told it.
    public record Told(Asked asked, SessionTerms terms, NamedLocks.Named locked) {}

    /// @throws QuireException where what it calls may change rows
    public Told told(ClientStatement statement) {
        Tokens tokens = statement.tokens();
        boolean unguarded = ProgramWalk.callsStored(tokens, Set.of()); // which takes values
        return told(statement, requireReading(tokens, unguarded));
    }

    /// @param moved the user variables that may be set by what it calls
    public Told told(ClientStatement statement, Set<String> moved) {
        Tokens tokens = statement.tokens();
        requireNotOfLog(tokens);
        requireSameBeginning(statement);
        services.counters().fallback().increment();
        Edits edits = new Edits(tokens);
        ReplicaText.withLiterals(statement.bound(), tokens, edits);
        ReplicaText.withoutLog(tokens, edits);
        ReplicaText.atOnce(tokens, edits);
        String told = edits.made();
        SessionTerms own = statement.ofSession() ? SessionTerms.of(tokens) : NO_TERMS;
        if (tokens.is(0, "DO") && StoredCalls.in(tokens, services.mariaDb())) {
            own = own.moving(SessionText.assigning(Set.of(), tokens, true).assigned());
        }
        boolean inserts = ClientStatement.inserts(tokens);
        SessionTerms terms = (inserts ? own.settingInsertId() : own).moving(moved);
        text.forBackend(terms, edits);
        ReplicaText.withPackets(services.limits().packetBytes(), tokens, edits);
        NamedLocks.Named locked = NamedLocks.in(told);
        NamedLocks.apart(tokens, edits);
        if (!locked.asksWho()) { // which tells connections of the backend
            withConnectionId(tokens, edits);
        }
        Asked asked =
                new Asked(
                        edits.made(),
                        // columns with parameters are named after the text with its `?`
                        ReplicaText.selectsParameter(tokens) ? statement.sql() : told,
                        statement.binaryRows(),
                        state.statusFlags(statement.moreResults()),
                        SessionText.then(terms));
        return new Told(asked, terms, locked);
    }

    /// What begins in a comment for some versions may be a DELETE to a server that passes over it.
    private static void requireSameBeginning(ClientStatement statement) {
        if (statement.tokens().dependsOnVersion()
                && Tokens.of(statement.sql()).get(0) instanceof Token.VersionComment) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire does not support a statement that begins in a comment for some versions");
        }
    }

    public interface Looking {
        List<Evaluation.Target> at(String sql);
    }

    /// Has the backend evaluate a change of rows over a transaction's own, once it has applied what
    /// everything that is locked stands on.
    ///
    /// @param looking which rows the statement that the backend gets may change
    /// @param moves whether rows may get other primary keys
    public Evaluated evaluate(
            Evaluating where,
            RowChanges rows,
            ClientStatement statement,
            String why,
            Looking looking,
            boolean moves,
            long firstId) {
        Told told = toldWhere(where, statement, why);
        Tokens tokens = statement.tokens();
        boolean ignores = IntStream.range(1, 4).anyMatch(i -> tokens.is(i, "IGNORE"));
        Evaluated evaluated =
                where.evaluate(
                        rows,
                        session(),
                        new Evaluation(
                                told.asked,
                                looking.at(told.asked.sql()),
                                firstId,
                                services.limits().overlayRows(),
                                moves || tokens.is(0, "REPLACE") || tokens.is(0, "INSERT"),
                                moves || tokens.is(0, "REPLACE") || tokens.is(0, "DELETE"),
                                ignores));
        text.learn(told.terms, evaluated.outcome());
        state.diagnostics().warned(evaluated.outcome().conditions());
        return evaluated;
    }

    /// As {@link #evaluate}, of a CALL, or of what fires triggers.
    ///
    /// @param why it is not run by the tier
    /// @param results gets the packets of its results
    public Evaluated evaluate(
            Snapshot where,
            RowChanges rows,
            List<Evaluation.Target> targets,
            BackendLook look,
            String why,
            Consumer<byte[]> results) {
        reason = why;
        requireFresh(where);
        Evaluated evaluated =
                where.evaluate(
                        rows,
                        sessionOfCall(),
                        new Evaluation(
                                null,
                                targets,
                                0,
                                services.limits().overlayRows(),
                                true,
                                true,
                                true),
                        look,
                        results);
        text.learn(look.terms(), evaluated.outcome());
        state.diagnostics().warned(evaluated.outcome().conditions());
        return evaluated;
    }

    /// How many rows a query has over a transaction's own, as of {@link #evaluate}.
    public long count(Evaluating where, RowChanges rows, ClientStatement query, String why) {
        Told told = toldWhere(where, query, why);
        return where.count(rows, session(), told.asked.sql(), services.limits().overlayRows());
    }

    private void requireFresh(Evaluating where) {
        Freshness freshness = awaitApplied(ANY);
        if (services.backend().several() && !where.reaches(freshness)) {
            throw new QuireException(
                    ErrorCode.DEADLOCK,
                    "the backend that the transaction reads is behind others; try restarting transaction");
        }
    }

    private Told toldWhere(Evaluating where, ClientStatement statement, String why) {
        reason = why;
        requireFresh(where);
        Told told = told(statement);
        if (told.locked.any()) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire does not support named locks in a change of rows");
        }
        return told;
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

    /// Quire's account sees the log, and so might an account that has a right on everything.
    public void requireNotOfLog(Tokens tokens) {
        LogDatabase.namedBy(tokens)
                .ifPresent(table -> {
                    String user = state.login().name();
                    throw table.isEmpty()
                            ? new QuireException(
                                    ErrorCode.DATABASE_ACCESS_DENIED,
                                    "Access denied for user %s to database 'quire'".formatted(user))
                            : new QuireException(
                                    ErrorCode.TABLE_ACCESS_DENIED,
                                    "SELECT command denied to user %s for table `quire`.`%s`"
                                            .formatted(user, table));
                });
    }

    /// For what may show any commit.
    ///
    /// @param why the backend is asked
    Freshness awaitEverything(String why) {
        reason = why;
        return awaitApplied(ANY);
    }

    /// What it may have shown is what every scheduler shows from now on.
    void showsEverything() {
        if (!services.backend().several()) {
            learnApplied(ANY);
        }
    }

    private Freshness awaitApplied(Predicate<ConflictClass> shows) {
        try {
            return StopSignal.current().whileWaiting(() -> applied(shows));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("only what is unchecked is thrown", e);
        }
    }

    private Freshness applied(Predicate<ConflictClass> shows) {
        Cluster cluster = services.cluster();
        cluster.awaitReady();
        Catalogue catalogue = cluster.catalogue();
        VersionVector tag;
        try (Tags.Use use = cluster.companions().tag()) {
            tag = use.tag();
            life = use.life();
        }
        Map<ConflictClass, Long> least = new HashMap<>();
        for (ConflictClass conflictClass : catalogue.classes()) {
            long position = catalogue.position(conflictClass, tag);
            cluster.logger().awaitApplied(conflictClass, position);
            least.put(conflictClass, position);
        }
        return new Freshness(least, positions -> learn(positions, shows));
    }

    /// Of several databases the logger tells what all have, and the one that was read may have
    /// more.
    private void learn(Map<ConflictClass, Long> positions, Predicate<ConflictClass> shows) {
        Cluster cluster = services.cluster();
        VersionVector _ = cluster.learnShown(positions, shows);
        cluster.requireLife(life);
    }

    /// Asked of the only database itself, since that is nearer than the log; of the log where it is
    /// lost just now.
    private void learnApplied(Predicate<ConflictClass> shows) {
        learn(services.backend().applied().orElseGet(services.cluster().logger()::applied), shows);
    }

    /// Of the scheduler, when the backend was last waited for.
    public long life() {
        return life;
    }

    /// @return the user variables that what it calls may set
    /// @throws QuireException where what it calls may change rows
    public Set<String> requireReading(Tokens tokens) {
        return requireReading(tokens, false);
    }

    /// @param byViews as of {@link ProgramWalk}: where it does not run in what only reads
    private Set<String> requireReading(Tokens tokens, boolean byViews) {
        return called(tokens, byViews).map(ProgramWalk::requireReading).orElse(Set.of());
    }

    /// @param database the current one then
    private record Called(
            String text, boolean byViews, String database, Optional<ProgramWalk> walk) {
        boolean isOf(String other, boolean alsoByViews, String in) {
            return text.equals(other) && (byViews || !alsoByViews) && database.equals(in);
        }
    }

    /// What a statement's stored functions do, as they are when it begins: the backend is asked
    /// once.
    ///
    /// @param byViews as of {@link ProgramWalk}
    public Optional<ProgramWalk> called(Tokens tokens, boolean byViews) {
        Called known = called;
        String database = state.database();
        if (known == null || !known.isOf(tokens.text(), byViews, database)) {
            known =
                    new Called(
                            tokens.text(),
                            byViews,
                            database,
                            ProgramWalk.called(
                                    tokens,
                                    byViews,
                                    database,
                                    services.mariaDb(),
                                    services.cluster()::catalogue,
                                    this::routines));
            called = known;
        }
        return known.walk;
    }

    /// @throws StatementFailed where the backend has no such table or view, or the client may not
    ///   read it there
    public void requireTable(TableName table) {
        List<byte[]> _ = describe("SELECT 1 FROM " + quoted(table)); // nothing of a view is run
    }

    /// What expressions come to, as their user variables will have it, and those that they name.
    ///
    /// @param expressions by the variables' names
    public Map<String, UserVariable> evaluate(Map<String, String> expressions) {
        String sent = assigning(expressions);
        Tokens tokens = Tokens.of(sent).plain();
        requireNotOfLog(tokens);
        Set<String> moved = requireReading(tokens);
        Edits edits = new Edits(tokens);
        boolean calls = StoredCalls.in(tokens, services.mariaDb());
        SessionTerms sets =
                SessionText.assigning(expressions.keySet(), tokens, calls).moving(moved);
        text.forBackend(sets, edits);
        ReplicaText.withPackets(services.limits().packetBytes(), tokens, edits);
        NamedLocks.Named locked = NamedLocks.in(sent);
        NamedLocks.apart(tokens, edits);
        if (!locked.asksWho()) {
            withConnectionId(tokens, edits);
        }
        boolean ofSettings =
                expressions.values().stream().allMatch(BackendSettings::isConstant)
                        || asksForMode(sent);
        BackendSession session = ofSettings ? shownSession(sent) : session();
        boolean reads = Tokens.mentions(sent, "SELECT") || calls;
        Freshness freshness = reads ? awaitApplied(ANY) : Freshness.ANY;
        Asked asked = new Asked(edits.made(), edits.made(), false, 0, SessionText.then(sets));
        boolean hides = ProgramWalk.mayHide(tokens, services.mariaDb());
        Outcome outcome =
                ProgramWalk.reading(() ->
                        locked.any()
                                ? locks.run(locked, session, freshness, asked, hides, p -> {})
                                : services.backend()
                                        .run(session, freshness, asked, hides, p -> {}));
        state.diagnostics().warned(outcome.conditions());
        return text.taken(sets, outcome.then().iterator());
    }

    /// A SET of them.
    public static String assigning(Map<String, String> expressions) {
        return expressions.entrySet().stream()
                .map(e -> UserVariables.quoted(e.getKey()) + " = " + e.getValue())
                .collect(Collectors.joining(", ", "SET ", ""));
    }

    /// What an expression comes to, of whatever type.
    public SqlValue value(String expression) {
        return Objects.requireNonNull(evaluate(Map.of(EVALUATED, expression)).get(EVALUATED))
                .value();
    }

    private void withConnectionId(Tokens tokens, Edits edits) {
        ReplicaText.withValue(
                "CONNECTION_ID", "CAST(%d AS UNSIGNED)".formatted(connectionId), tokens, edits);
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

    /// Where the backend takes it for a mistake of the text too, its words say best where that is.
    public void requireNoMistake(String sql) {
        try {
            List<byte[]> _ = describe(sql);
        } catch (QuireException e) {
            return; // nobody is told what
        } catch (StatementFailed e) {
            if (e.number() == ErrorCode.SYNTAX_ERROR.number()) {
                throw e;
            }
        }
    }

    public List<byte[]> describe(String sql) {
        Tokens tokens = Tokens.of(sql).plain();
        requireNotOfLog(tokens);
        BackendSession session = session();
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
