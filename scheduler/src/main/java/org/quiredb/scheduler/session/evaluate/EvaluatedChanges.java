package org.quiredb.scheduler.session.evaluate;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.OverlayStep;
import org.quiredb.common.message.SessionModes;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.Evaluated;
import org.quiredb.scheduler.fallback.Evaluated.Row;
import org.quiredb.scheduler.fallback.Evaluating;
import org.quiredb.scheduler.fallback.Evaluation.Target;
import org.quiredb.scheduler.fallback.Snapshot;
import org.quiredb.scheduler.fallback.connection.Outcome;
import org.quiredb.scheduler.session.backend.BackendLook;
import org.quiredb.scheduler.session.backend.CalledTables;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.backend.ProgramWalk;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.StatementCalls;
import org.quiredb.scheduler.session.state.Transaction.Open;
import org.quiredb.scheduler.session.state.Transaction.Update;
import org.quiredb.scheduler.session.transaction.MasterStatements;
import org.quiredb.scheduler.session.transaction.MasterStatements.Told;
import org.quiredb.scheduler.session.transaction.Masters;
import org.quiredb.scheduler.session.transaction.OneStatement;
import org.quiredb.scheduler.session.transaction.OverlayTime;
import org.quiredb.scheduler.session.transaction.Reads;
import org.quiredb.scheduler.session.transaction.Transactions;
import org.quiredb.sql.command.SessionTerms.Known;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Changes of rows that memory does not evaluate, in an update transaction: the master locks the
/// tables that the statement names as a whole, the backend catches up with them, and the statement
/// runs there over the transaction's own rows, to be rolled back. The rows that it has changed
/// there are then changed on the master, by primary key and with the values themselves, as by any
/// other statement: with its keys, foreign keys, cascades and CHECKs.
///
/// Invariant: what the backend has read is what the master has when the rows are changed there, for
/// nobody can change the tables in between. A replay compares their versions and the transaction's
/// rows with what they were, and then changes the same rows.
///
/// In one piece: a change, a CALL and what fires triggers go the same steps in the same order.
///
/// Threads: owned by the session's thread.
public final class EvaluatedChanges {
    /// Rows that stand in another's way may go first.
    private static final Set<Integer> IN_THE_WAY = Set.of(1062, 1451, 1452, 1761);

    private final Services services;
    private final SessionState state;
    private final MasterStatements updates;
    private final Reads reads;
    private final Fallback fallback;
    private final Transactions transactions;
    private final boolean foundRows;
    private final OverlayTime time;
    private final OneStatement whole;

    public EvaluatedChanges(
            Services services,
            SessionState state,
            MasterStatements updates,
            Reads reads,
            Fallback fallback,
            Transactions transactions,
            boolean foundRows) {
        this.services = services;
        this.state = state;
        this.updates = updates;
        this.reads = reads;
        this.fallback = fallback;
        this.transactions = transactions;
        this.foundRows = foundRows;
        time = new OverlayTime(services);
        whole = new OneStatement(state, updates, transactions);
    }

    /// @param names of the tables and views that the statement names, with their databases
    /// @param changing those whose rows it may change
    /// @param refusal of memory, which stands where the backend is of no help
    /// @param shows whether it is known to answer with rows (RETURNING)
    /// @param own where the backend is to evaluate it, in a transaction beside the client's; null
    ///   for anywhere
    /// @return false where nothing is done, as memory cannot follow foreign keys that the backend
    ///   can, or triggers fire
    public boolean run(
            Set<TableName> names,
            Set<TableName> changing,
            RuntimeException refusal,
            ClientStatement sent,
            boolean shows,
            @Nullable Supplier<? extends Evaluating> own,
            Output output) {
        ViewedTables viewed = ViewedTables.of(names, changing, services, refusal);
        Set<TableName> tables = viewed.tables();
        Set<TableName> changed = viewed.changed();
        List<CatalogueEntry> named = entries(tables, refusal);
        List<CatalogueEntry> targets = entries(changed, refusal);
        Returning returning =
                services.mariaDb() ? Returning.of(sent).orElse(null) : null; // also if not parsed
        if (shows && returning == null) {
            throw refusal;
        }
        ClientStatement statement = returning == null ? sent : returning.statement();
        Tokens tokens = statement.tokens();
        boolean open = state.inTransaction();
        boolean replaces = tokens.is(0, "REPLACE") && isReferenced(changed);
        boolean followed = !viewed.any() && returning == null && own == null;
        int ids = targets.isEmpty() ? 0 : ChangedRows.ids(tokens, targets);
        if (targets.isEmpty()
                || tokens.dependsOnVersion() // the backend may read another statement
                || ids == -1
                || !targets.stream()
                        .map(CatalogueEntry::definition)
                        .allMatch(table ->
                                table.rowKey().isPresent()
                                        || ChangedRows.byValues(
                                                tokens, table, isReferenced(changed)))
                || (replaces && !followed)
                || (viewed.any() && (returning != null || own != null))
                || (viewed.any() && ClientStatement.inserts(tokens) && targets.size() > 1)
                || ProgramWalk.callsStored(tokens, services.backend().functions())
                || (!ClientStatement.inserts(tokens) && ChangedRows.hasEffects(tokens))) {
            throw refusal;
        }
        if (FiringChanges.fires(services.cluster().catalogue(), changed, statement)) { // by now
            if (own != null) {
                throw unsupported("this change of rows, which fires triggers");
            }
            return false;
        }
        if (viewed.any()) { // who may not read a view hears of no table behind it
            List<byte[]> _ = fallback.describe(sent.sql());
        }
        Asked asked = new Asked(viewed, named, targets, ids, returning, own, null);
        boolean moves = targets.stream().anyMatch(t -> ChangedRows.moves(tokens, t.definition()));
        if (replaces || (followed && moves && isReferenced(changed))) {
            return false;
        }
        Evaluated done;
        Runnable forgetting = whole.forgetting();
        try {
            if (open && state.transaction() instanceof Open) {
                transactions.setSavepoints(tables);
            }
            done = open ? run(asked, refusal, statement) : alone(asked, refusal, statement);
        } catch (NotFollowedException e) {
            if (!followed) {
                throw refusal;
            }
            forgetting.run();
            return false;
        }
        if (returning == null) {
            answer(counted(done, changed, tokens), statement, output);
        } else {
            returning.answer(!open, output);
        }
        return true;
    }

    /// A CALL, whose tables the master locks, and which then runs as one statement.
    ///
    /// @param looking looks again where it runs, once the tables are locked
    void call(
            CalledTables tables,
            RuntimeException refusal,
            Function<CalledTables, ? extends BackendLook> looking,
            ClientStatement statement,
            Output output) {
        HeldResults results = new HeldResults();
        Evaluated done =
                together(
                        tables,
                        refusal,
                        "CALL of a procedure that changes rows",
                        new Call(
                                () -> looking.apply(tables),
                                Fallback.CALLS,
                                results,
                                entries(tables.written(), refusal).stream()
                                        .map(entry -> Target.whole(entry.definition()))
                                        .toList(),
                                null),
                        statement);
        results.passOn(output);
        if (done.failure() != null) {
            throw done.failure();
        }
        output.ok(
                done.outcome().affectedRows(),
                done.outcome().insertId(),
                state.statusFlags(statement.moreResults()),
                done.outcome().conditions().size(),
                done.outcome().info());
    }

    /// A change of rows that fires triggers or shows expressions, likewise.
    ///
    /// @param changed those whose rows the statement itself changes
    /// @param given those that rows are added to with AUTO_INCREMENT values of others than the
    ///   server
    void fire(
            CalledTables tables,
            Set<TableName> changed,
            Set<TableName> given,
            RuntimeException refusal,
            Supplier<? extends BackendLook> looking,
            ClientStatement statement,
            Output output) {
        Evaluated done;
        HeldResults results = new HeldResults();
        boolean open = state.inTransaction();
        Runnable forgetting = whole.forgetting();
        try {
            done = fire(tables, changed, given, false, refusal, looking, results, statement);
        } catch (NotCountedException e) {
            forgetting.run();
            done = fire(tables, changed, given, true, refusal, looking, results, statement);
        }
        if (done.failure() != null) {
            throw done.failure();
        }
        if (done.outcome().hasRows()) {
            Returning.answer(results.packets(), !open, output);
        } else {
            answer(done.outcome(), statement, output);
        }
    }

    /// Memory does not know which rows a foreign key leads to: nothing was done.
    private static final class NotFollowedException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /// The rows are not all that the server has changed: nothing was done.
    private static final class NotCountedException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /// @param wholly whether all rows of the tables are to be looked at
    private Evaluated fire(
            CalledTables tables,
            Set<TableName> changed,
            Set<TableName> given,
            boolean wholly,
            RuntimeException refusal,
            Supplier<? extends BackendLook> looking,
            HeldResults results,
            ClientStatement statement) {
        FiredRows rows = new FiredRows(tables, changed, given, statement);
        List<Target> targets =
                entries(tables.written(), refusal).stream()
                        .map(CatalogueEntry::definition)
                        .map(table -> wholly ? Target.whole(table) : rows.of(table))
                        .toList();
        return together(
                tables,
                refusal,
                changed.isEmpty()
                        ? "a stored function that changes rows"
                        : "a change that fires triggers, calls functions, or shows expressions",
                new Call(looking, Fallback.FIRES, results, targets, rows),
                statement);
    }

    /// @param what it is, for errors
    private Evaluated together(
            CalledTables tables,
            RuntimeException refusal,
            String what,
            Call call,
            ClientStatement statement) {
        List<CatalogueEntry> targets = entries(tables.written(), refusal);
        for (CatalogueEntry target : targets) {
            TableDefinition table = target.definition();
            boolean adds = tables.onlyAdded(named(table));
            boolean alike = ChangedRows.areAlike(table, isReferenced(tables.written()));
            if (table.rowKey().isEmpty() && !alike && !(adds && ChangedRows.isBare(table))) {
                throw unsupported(
                        "%s, of %s, which has no key of columns without NULLs, or a generated one"
                                .formatted(what, table.name()));
            }
        }
        if (state.backendSnapshot() != null) {
            throw unsupported(what + " in a transaction that reads a state of the backend");
        }
        Asked asked =
                new Asked(
                        ViewedTables.without(tables.named(), tables.written()),
                        entries(tables.named(), refusal),
                        targets,
                        0,
                        null,
                        null,
                        call);
        if (!state.inTransaction()) {
            return alone(asked, refusal, statement);
        }
        if (state.transaction() instanceof Open) {
            transactions.setSavepoints(tables.named());
        }
        return run(asked, refusal, statement);
    }

    static QuireException unsupported(String what) {
        return new QuireException(ErrorCode.NOT_SUPPORTED_YET, "Quire does not support " + what);
    }

    /// @param why it is not run by the tier
    private record Call(
            Supplier<? extends BackendLook> looking,
            String why,
            HeldResults results,
            List<Target> targets,
            @Nullable FiredRows fired) {
        /// Of what is looked at in part the server's count tells whether that was all.
        void requireAll(Evaluated evaluated) {
            if (fired != null && !fired.areAll(targets, evaluated)) {
                throw new NotCountedException();
            }
        }
    }

    /// In a transaction of its own, which nobody has to run again for it.
    private Evaluated alone(Asked asked, RuntimeException refusal, ClientStatement statement) {
        return whole.alone(() -> run(asked, refusal, statement));
    }

    private record Asked(
            ViewedTables viewed,
            List<CatalogueEntry> named,
            List<CatalogueEntry> targets,
            int ids,
            @Nullable Returning returning,
            @Nullable Supplier<? extends Evaluating> own,
            @Nullable Call call) {
        OverlayStep step(int ofIds, int mostRows) {
            List<Integer> changed = targets.stream().map(CatalogueEntry::tableId).toList();
            List<Integer> read =
                    named.stream()
                            .map(CatalogueEntry::tableId)
                            .filter(id -> !changed.contains(id))
                            .toList();
            return new OverlayStep(read, changed, ofIds, mostRows);
        }
    }

    private List<CatalogueEntry> entries(Set<TableName> tables, RuntimeException refusal) {
        List<CatalogueEntry> entries = new ArrayList<>();
        for (TableName table : tables) {
            Optional<CatalogueEntry> entry = services.cluster().catalogue().table(table);
            if (entry.isEmpty()) { // a view, or one that the tier does not hold
                throw refusal;
            }
            entries.add(entry.get());
        }
        return entries;
    }

    private static Set<TableName> names(List<CatalogueEntry> tables) {
        return tables.stream().map(one -> named(one.definition())).collect(Collectors.toSet());
    }

    private boolean hasKeys(List<CatalogueEntry> tables) {
        return isReferenced(names(tables))
                || tables.stream().anyMatch(one -> !one.definition().foreignKeys().isEmpty());
    }

    /// Rows that go and come as they were take others with them, which no comparison shows.
    private boolean isReferenced(Set<TableName> tables) {
        return tables.stream().anyMatch(services.cluster().catalogue()::isReferenced);
    }

    private Evaluated run(Asked asked, RuntimeException refusal, ClientStatement statement) {
        long insertId = state.value(Known.LAST_INSERT_ID);
        try {
            Evaluated evaluated = evaluated(asked, refusal, statement, insertId);
            change(evaluated, asked, refusal);
            return evaluated;
        } catch (RuntimeException e) {
            state.diagnostics().lastInsertId(insertId);
            throw e;
        }
    }

    private Evaluated evaluated(
            Asked asked, RuntimeException refusal, ClientStatement statement, long insertId) {
        for (int attempt = 1; ; attempt++) {
            StopSignal.current().check();
            try {
                Told told = told(asked, Math.max(0, asked.ids()), insertId);
                return time.limited(() -> evaluated(asked, told, refusal, statement));
            } catch (QuireException | StatementFailed e) {
                boolean again = OneStatement.isPassing(e) && state.transaction() instanceof Update;
                if (!again) {
                    throw e;
                }
                if (attempt == OneStatement.MOST_ATTEMPTS
                        || state.backendSnapshot() != null
                        || asked.own() != null) {
                    throw whole.over(e);
                }
                StatementCalls.pause(Masters.FIRST_PAUSE_MILLIS << attempt);
            }
        }
    }

    private Told told(Asked asked, int ids, long insertId) {
        Told told =
                updates.overlay(
                        asked.viewed().tables(), asked.step(ids, services.limits().overlayRows()));
        state.diagnostics().lastInsertId(insertId);
        services.cluster().learn(told.stable(), 0);
        return told;
    }

    private Evaluated evaluated(
            Asked asked, Told told, RuntimeException refusal, ClientStatement statement) {
        Call call = asked.call();
        if (call != null) {
            try (Snapshot now = reads.snapshotFor(Snapshot.Use.CALL)) {
                call.results.clear();
                Evaluated evaluated =
                        fallback.evaluations()
                                .evaluate(
                                        now,
                                        told.overlay().rows(),
                                        call.targets,
                                        call.looking.get(),
                                        call.why,
                                        call.results::add);
                call.results.requireAll();
                call.requireAll(evaluated);
                return evaluated;
            }
        }
        Supplier<? extends Evaluating> own = asked.own();
        if (own != null) {
            return evaluated(own.get(), asked, told, refusal, statement);
        }
        Snapshot kept = state.backendSnapshot();
        if (kept != null) {
            return evaluated(kept, asked, told, refusal, statement);
        }
        try (Snapshot now = reads.snapshotFor(Snapshot.Use.ROWS)) {
            return evaluated(now, asked, told, refusal, statement);
        }
    }

    private Evaluated evaluated(
            Evaluating where,
            Asked asked,
            Told told,
            RuntimeException refusal,
            ClientStatement statement) {
        List<TableDefinition> tables =
                asked.targets().stream().map(CatalogueEntry::definition).toList();
        String why = String.valueOf(refusal.getMessage());
        ViewedTables viewed = asked.viewed();
        boolean counts = asked.ids() == ChangedRows.COUNTED;
        int ids = asked.ids();
        Told with = told;
        if (counts) {
            ids =
                    (int)
                            fallback.evaluations()
                                    .count(
                                            where,
                                            told.overlay().rows(),
                                            ChangedRows.query(statement),
                                            why);
            ids = Math.max(1, ids);
            with = told(asked, ids, state.value(Known.LAST_INSERT_ID));
        }
        boolean byPrefix = tables.getFirst().countsByPrefix(); // by the rows that are there
        long first = byPrefix ? state.nextInsertId() : with.firstId();
        long from =
                byPrefix || (counts && ChangedRows.givesIds(statement.tokens(), tables.getFirst()))
                        ? 0
                        : first;
        Evaluated evaluated =
                fallback.evaluations()
                        .evaluate(
                                where,
                                with.overlay().rows(),
                                statement,
                                why,
                                sql ->
                                        viewed.changesViews()
                                                ? tables.stream().map(Target::whole).toList()
                                                : new ChangedRows(Tokens.of(sql).plain())
                                                        .of(tables, from),
                                !isReferenced(names(asked.targets())),
                                first);
        viewed.requireSame(services.backend().routines());
        long added = evaluated.rows().stream().filter(row -> row.before() == null).count();
        if (counts && added > ids) {
            throw refusal;
        }
        long shown = evaluated.outcome().insertId();
        if ((byPrefix && shown > 0 && ChangedRows.generates(statement.tokens(), tables.getFirst()))
                || (first > 0 && shown >= first && shown < first + ids)) {
            state.diagnostics().lastInsertId(shown);
        }
        return evaluated;
    }

    /// All of it or nothing, as of one statement.
    private void change(Evaluated evaluated, Asked asked, RuntimeException refusal) {
        Returning returning = asked.returning();
        List<RowStatements.One> statements = RowStatements.of(evaluated.rows());
        boolean adds = evaluated.rows().stream().allMatch(row -> row.before() == null);
        if (returning != null && !(adds && statements.size() == 1)) {
            throw refusal;
        }
        if (statements.isEmpty()) {
            return;
        }
        SessionModes modes = state.modes();
        boolean ofCall = asked.call() != null;
        whole.wholly(
                Set.of(),
                () -> {
                    state.modes(
                            ofCall ? modes.ofChecked().withoutForeignKeys() : modes.ofChecked());
                    try {
                        if (ofCall) {
                            changeOfCall(evaluated.rows());
                        } else if (returning == null) {
                            change(statements);
                        } else {
                            add(statements.getFirst(), returning);
                        }
                    } catch (RuntimeException e) {
                        throw !Fallback.isRefusal(e)
                                ? e
                                : !ofCall && hasKeys(asked.targets())
                                        ? new NotFollowedException()
                                        : refusal;
                    } finally {
                        state.modes(modes);
                    }
                });
    }

    /// What stands in the way of a row may be one that goes, or gets another key, after it: it is
    /// tried again, from the other end, as long as that gets on.
    private void change(List<RowStatements.One> statements) {
        List<RowStatements.One> left = statements;
        while (!left.isEmpty()) {
            List<RowStatements.One> again = new ArrayList<>();
            boolean parted = false;
            StatementFailed last = null;
            for (RowStatements.One one : left) {
                try {
                    run(one, one.follows());
                } catch (StatementFailed e) {
                    boolean tried =
                            IN_THE_WAY.contains(e.number())
                                    && state.transaction() instanceof Update;
                    if (!tried) {
                        throw e;
                    }
                    last = e;
                    parted |= !one.rows().isEmpty();
                    again.addAll(one.rows().isEmpty() ? List.of(one) : one.rows());
                }
            }
            boolean stuck = again.size() >= left.size() && !parted;
            left = last != null && stuck ? replaced(again, last) : again.reversed();
        }
    }

    /// Rows that take each other's unique values go, and come as they are to be; where others refer
    /// to them these would go, too.
    private List<RowStatements.One> replaced(
            List<RowStatements.One> stuck, StatementFailed failure) {
        List<Row> changed =
                stuck.stream().map(RowStatements.One::changed).filter(Objects::nonNull).toList();
        Set<TableName> tables =
                stuck.stream().map(one -> named(one.table())).collect(Collectors.toSet());
        if (changed.isEmpty() || isReferenced(tables)) {
            throw failure;
        }
        List<RowStatements.One> instead = new ArrayList<>(RowStatements.replacing(changed));
        stuck.stream().filter(one -> one.changed() == null).forEach(instead::add);
        return instead;
    }

    /// Of several statements: their rows may have swapped unique values, and may refer to each
    /// other. The backend has checked the foreign keys and has followed them, over tables that the
    /// master has locked.
    private void changeOfCall(List<Row> rows) {
        List<Row> added = rows.stream().filter(row -> row.before() == null).toList();
        List<Row> others = rows.stream().filter(row -> row.before() != null).toList();
        List<Row> inTheWay = new ArrayList<>();
        for (RowStatements.One one : RowStatements.of(others)) {
            Row changed = one.changed();
            try {
                run(one, false);
            } catch (StatementFailed e) {
                if (changed == null || e.number() != ErrorCode.DUPLICATE_KEY.number()) {
                    throw e;
                }
                inTheWay.add(changed);
            }
        }
        RowStatements.replacing(inTheWay).forEach(one -> run(one, false));
        RowStatements.of(added).forEach(one -> run(one, false));
    }

    private void add(RowStatements.One one, Returning returning) {
        Set<TableName> table = Set.of(new TableName(one.table().schema(), one.table().name()));
        updates.change(table, table, returning.adding(one), returning);
    }

    /// @param mayFollow whether some of the rows may have been changed, or be gone, with others
    private void run(RowStatements.One one, boolean mayFollow) {
        ClientStatement statement = ClientStatement.of(one.sql(), one.values(), false, true);
        Set<TableName> table = Set.of(new TableName(one.table().schema(), one.table().name()));
        Counted counted = new Counted();
        updates.change(table, table, statement, counted);
        if (counted.rows != one.count() && !mayFollow) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "%d rows of %s are found by their keys in memory, where the backend has changed %d"
                            .formatted(counted.rows, one.table().name(), one.count()));
        }
    }

    private static final class Counted implements Output {
        private long rows;

        @Override
        public void relay(byte[] packets, Runnable written) {
            written.run();
        }

        @Override
        public void ok(
                long affectedRows, long lastInsertId, int statusFlags, int warnings, String info) {
            rows = affectedRows;
        }
    }

    /// As a client counts who does not count rows that stay as they are.
    ///
    /// @param changed those whose rows the statement itself changes
    private Outcome counted(Evaluated done, Set<TableName> changed, Tokens tokens) {
        return !foundRows && tokens.is(0, "INSERT") && tokens.has("DUPLICATE")
                ? done.overwriting(
                        table -> FiredRows.is(changed, named(table)),
                        tokens.is(1, "IGNORE") || tokens.is(2, "IGNORE"))
                : done.outcome();
    }

    private void answer(Outcome outcome, ClientStatement statement, Output output) {
        long counted = outcome.affectedRows();
        output.ok(
                foundRows ? counted : outcome.changedRows().orElse(counted),
                outcome.insertId(),
                state.statusFlags(statement.moreResults()),
                outcome.conditions().size(),
                outcome.info());
    }

    private static TableName named(TableDefinition table) {
        return new TableName(table.schema(), table.name());
    }
}
