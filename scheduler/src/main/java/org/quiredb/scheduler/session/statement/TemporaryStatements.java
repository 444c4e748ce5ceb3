package org.quiredb.scheduler.session.statement;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.schema.SchemaNames;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.HeldTables;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.backend.SessionText;
import org.quiredb.scheduler.session.evaluate.EvaluatedChanges;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Description;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.ReadView;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.Transaction;
import org.quiredb.scheduler.session.state.Transaction.Open;
import org.quiredb.scheduler.session.state.Transaction.ReadOnly;
import org.quiredb.scheduler.session.state.Transaction.Update;
import org.quiredb.scheduler.session.transaction.MasterStatements;
import org.quiredb.scheduler.session.transaction.OneStatement;
import org.quiredb.scheduler.session.transaction.OverlaidReads;
import org.quiredb.scheduler.session.transaction.OverlayTime;
import org.quiredb.scheduler.session.transaction.TemporaryTables;
import org.quiredb.scheduler.session.transaction.Transactions;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Runs statements that name temporary tables of the session: on the backend, in the connection
/// that has them.
///
/// - What reads other tables beside them, and changes none, runs once the backend has applied
///   everything, over the transaction's own rows. It sees what is committed when it runs, at every
///   level but SERIALIZABLE, where the master locks the other tables first.
/// - What changes rows of other tables is evaluated there as any other change that memory does not
///   evaluate ({@link EvaluatedChanges}).
/// - What defines temporary tables is no schema change: nobody else sees it.
///
/// Threads: owned by the session's thread.
final class TemporaryStatements {

    private static final Set<String> AFTER_ONE_TABLE =
            Set.of("WHERE", "ORDER", "LIMIT", "RETURNING");

    private final Services services;
    private final SessionState state;
    private final TemporaryTables temporary;
    private final MasterStatements updates;
    private final Fallback fallback;
    private final Transactions transactions;
    private final OverlaidReads overlaid;
    private final EvaluatedChanges evaluated;
    private final Permissions permissions;
    private final boolean foundRows;
    private final OverlayTime time;

    TemporaryStatements(
            Services services,
            SessionState state,
            TemporaryTables temporary,
            MasterStatements updates,
            Fallback fallback,
            Transactions transactions,
            OverlaidReads overlaid,
            EvaluatedChanges evaluated,
            Permissions permissions,
            boolean foundRows) {
        this.services = services;
        this.state = state;
        this.temporary = temporary;
        this.updates = updates;
        this.fallback = fallback;
        this.transactions = transactions;
        this.overlaid = overlaid;
        this.evaluated = evaluated;
        this.permissions = permissions;
        this.foundRows = foundRows;
        time = new OverlayTime(services);
    }

    /// What a statement does beside naming temporary tables.
    ///
    /// @param tables other ones that it reads; null where nobody knows
    /// @param locking whether it asks for locks on them
    /// @param changed the temporary tables whose rows it changes
    private record Run(@Nullable Set<TableName> tables, boolean locking, Set<TableName> changed) {
        static Run of(
                @Nullable Set<TableName> tables,
                ClientStatement statement,
                Set<TableName> changed) {
            return new Run(tables, SessionText.locks(statement.tokens()), changed);
        }

        boolean readsOthers() {
            return tables == null || !tables.isEmpty();
        }
    }

    /// Whether a statement names a temporary table, or defines one.
    boolean concern(Classification kind, Tokens tokens) {
        return switch (kind) {
            case Classification.Temporary defined ->
                    !defined.drops() || temporary.hasAny(qualified(defined.tables()));
            case Classification.Read read -> named(read.tables(), tokens);
            case Classification.Update update ->
                    named(update.changed().isEmpty() ? Set.of() : update.tables(), tokens);
            case Classification.SchemaChange change ->
                    temporary.hasAny(tables(change)) || !read(change).isEmpty();
            case Classification.Load load -> temporary.hasAny(qualified(List.of(load.table())));
            case Classification.Information _, Classification.TableService _ ->
                    named(Set.of(), tokens);
            default -> false;
        };
    }

    /// @param tables that it is known to name; none where nobody knows
    private boolean named(Set<TableName> tables, Tokens tokens) {
        return tables.isEmpty()
                ? temporary.maybeNamedBy(tokens, state.database())
                : temporary.hasAny(qualified(tables));
    }

    private Set<TableName> tables(Classification.SchemaChange change) {
        Set<TableName> tables = new HashSet<>();
        for (SchemaNames.Name name : change.names().tables()) {
            tables.add(new TableName(name.schema(), name.table()).in(state.database()));
        }
        return tables;
    }

    /// The temporary tables that a schema change reads.
    private List<TableName> read(Classification.SchemaChange change) {
        return change.names().sources().stream()
                .map(name -> new TableName(name.schema(), name.table()).in(state.database()))
                .filter(temporary::has)
                .toList();
    }

    private Set<TableName> qualified(Iterable<TableName> tables) {
        Set<TableName> qualified = new HashSet<>();
        tables.forEach(table -> qualified.add(table.in(state.database())));
        return qualified;
    }

    /// Whether it reads and changes nothing else.
    boolean alone(Classification kind) {
        return switch (kind) {
            case Classification.Read read ->
                    !read.tables().isEmpty()
                            && temporary.others(qualified(read.tables())).isEmpty();
            case Classification.Update update ->
                    !update.changed().isEmpty()
                            && temporary.others(qualified(update.tables())).isEmpty();
            case Classification.Temporary defined -> !defined.reads();
            default -> false;
        };
    }

    /// @param kind one that {@link #concern}s temporary tables
    void run(Classification kind, ClientStatement statement, Output output) {
        services.cluster().awaitReady();
        requireSame(statement);
        switch (kind) {
            case Classification.Temporary defined -> {
                if (defined.drops()) {
                    drop(qualified(defined.tables()), statement, output);
                } else {
                    create(defined, statement, output);
                }
            }
            case Classification.Read read -> {
                transactions.beginIfNeeded();
                if (!state.inTransaction()) {
                    var _ = state.takeReadOnly();
                }
                Set<TableName> tables = qualified(read.tables());
                run(
                        Run.of(
                                tables.isEmpty() ? null : temporary.others(tables),
                                statement,
                                Set.of()),
                        statement,
                        output);
            }
            case Classification.Update update -> update(update, statement, output);
            case Classification.SchemaChange change -> define(change, statement, output);
            case Classification.Load _ ->
                    throw new QuireException(
                            ErrorCode.NOT_SUPPORTED_YET,
                            "Quire does not support LOAD DATA into a temporary table");
            case Classification.TableService(boolean ends) -> {
                if (ends) { // as on a server, which would commit what is laid there, too
                    transactions.end(true);
                }
                run(new Run(Set.of(), false, Set.of()), statement, output);
            }
            default -> run(new Run(null, false, Set.of()), statement, output);
        }
    }

    /// What one that {@link #concern}s temporary tables would answer with.
    Description describe(Classification kind, String sql) {
        boolean shows =
                switch (kind) {
                    case Classification.Update update -> update.shows();
                    case Classification.Temporary _, Classification.SchemaChange _ -> false;
                    default -> true;
                };
        return new Description(
                NormalizedSql.of(sql).parameterCount(),
                shows ? fallback.describe(temporary.held(fallback.session()), sql) : List.of());
    }

    private static QuireException unsupported(String what) {
        return new QuireException(ErrorCode.NOT_SUPPORTED_YET, "Quire does not support " + what);
    }

    private void create(
            Classification.Temporary defined, ClientStatement statement, Output output) {
        TableName table = qualified(defined.tables()).iterator().next();
        if (table.database().isEmpty()) {
            throw new QuireException(ErrorCode.NO_DATABASE_SELECTED, "No database selected");
        }
        boolean replaces = statement.tokens().is(1, "OR");
        if (!temporary.has(table)) {
            requireFree(table);
        }
        try {
            run(
                    Run.of(
                            defined.reads() ? null : Set.of(),
                            statement,
                            defined.reads() ? Set.of(table) : Set.of()),
                    statement,
                    output);
            temporary.add(table, fallback.settings().lettersDiffer());
        } catch (QuireException | StatementFailed e) {
            if (replaces && temporary.has(table) && !isThere(table)) {
                temporary.remove(table);
            }
            throw e;
        }
    }

    /// Another's of the same name would be what a statement meets when the temporary one is gone.
    private void requireFree(TableName table) {
        boolean free = services.cluster().catalogue().table(table).isEmpty();
        if (free) {
            try {
                fallback.requireTable(table);
                free = false;
            } catch (StatementFailed e) {
                free = e.number() == ErrorCode.NO_SUCH_TABLE.number();
                if (!free) {
                    throw e;
                }
            }
        }
        if (!free) {
            throw unsupported(
                    "a temporary table with the name of another table: " + table + " exists");
        }
    }

    private boolean isThere(TableName table) {
        return fallback.has(temporary.held(fallback.session()), table);
    }

    private void drop(Set<TableName> tables, ClientStatement statement, Output output) {
        try {
            run(new Run(Set.of(), false, Set.of()), statement, output);
            tables.forEach(temporary::remove);
        } catch (QuireException | StatementFailed e) { // of several some may be gone
            tables.stream()
                    .filter(temporary::has)
                    .filter(table -> !isThere(table))
                    .toList()
                    .forEach(temporary::remove);
            throw e;
        }
    }

    /// DDL without TEMPORARY of temporary tables, which ends the transaction before it.
    private void define(
            Classification.SchemaChange change, ClientStatement statement, Output output) {
        Tokens tokens = statement.tokens();
        Set<TableName> tables = tables(change);
        List<TableName> read = read(change);
        if (!read.isEmpty() && IntStream.range(1, tokens.size()).anyMatch(i -> isView(tokens, i))) {
            throw new StatementFailed(
                    1352,
                    "HY000",
                    "View's SELECT refers to a temporary table '%s'"
                            .formatted(read.getFirst().name()));
        }
        boolean index = tokens.is(1, "INDEX") || tokens.is(2, "INDEX");
        boolean table = tokens.is(1, "TABLE") || (tokens.is(1, "TABLES") && tokens.is(0, "DROP"));
        boolean known =
                switch (tokens.upper(0)) {
                    case "TRUNCATE" -> true;
                    case "CREATE" -> index && !tokens.is(1, "OR");
                    case "DROP" -> table || index;
                    case "ALTER" -> table && !partakes(tokens);
                    default -> false;
                };
        if (!known || !temporary.others(tables).isEmpty()) {
            throw unsupported(
                    "this of a temporary table, or of one beside other tables: "
                            + tokens.upper(0)
                            + " "
                            + tokens.upper(1));
        }
        transactions.end(true);
        if (tokens.is(0, "DROP") && table) {
            String sql = "DROP TEMPORARY " + tokens.text(1, tokens.size());
            drop(
                    tables,
                    ClientStatement.of(sql, List.of(), false, statement.moreResults()),
                    output);
        } else {
            run(new Run(Set.of(), false, Set.of()), statement, output);
        }
    }

    private static boolean isView(Tokens tokens, int at) {
        return tokens.is(at, "VIEW") && IntStream.range(1, at).noneMatch(i -> tokens.is(i, "AS"));
    }

    /// Whether it may give the table another name, or take part in others.
    private static boolean partakes(Tokens tokens) {
        for (int i = 3; i < tokens.size(); i++) {
            boolean renames =
                    tokens.is(i, "RENAME")
                            && !tokens.is(i + 1, "COLUMN")
                            && !tokens.is(i + 1, "INDEX")
                            && !tokens.is(i + 1, "KEY");
            if (renames
                    || tokens.is(i, "EXCHANGE")
                    || tokens.is(i, "UNION")
                    || tokens.is(i, "ENGINE")) {
                return true;
            }
        }
        return false;
    }

    private void update(Classification.Update update, ClientStatement statement, Output output) {
        transactions.beginIfNeeded();
        if (!state.inTransaction()) {
            var _ = state.takeReadOnly();
        }
        Set<TableName> changed = qualified(update.changed());
        if (changed.isEmpty()) {
            changed = onlyTarget(statement.tokens());
        }
        Set<TableName> others = temporary.others(changed);
        boolean known = !update.changed().isEmpty();
        if (changed.isEmpty() || (!others.isEmpty() && others.size() < changed.size())) {
            throw unsupported("changes of temporary tables and others in one statement");
        }
        if (others.isEmpty()) {
            Set<TableName> read = known ? temporary.others(qualified(update.tables())) : null;
            run(Run.of(read, statement, changed), statement, output);
            return;
        }
        if (isReadOnly()) {
            throw Transaction.readOnly(services.mariaDb());
        }
        QuireException refusal = unsupported("this change of rows that names a temporary table");
        if (!known) {
            throw refusal;
        }
        permissions.require(update, statement);
        boolean _ =
                evaluated.run(
                        temporary.others(qualified(update.tables())),
                        changed,
                        refusal,
                        statement,
                        update.shows(),
                        this::within,
                        output);
    }

    /// Where what only the backend evaluates is evaluated from now on in the transaction; null for
    /// anywhere.
    @Nullable Supplier<HeldTables> begun() {
        return temporary.begun() ? this::within : null;
    }

    /// Of rows that the transaction has locked on the backend in another connection it lets go.
    private HeldTables within() {
        ReadView view = state.snapshot();
        if (view != null) {
            view.leaveBackend();
        }
        return temporary.within(fallback.session());
    }

    /// A read that only the backend runs, in a transaction that has changed something and named
    /// temporary tables before.
    ///
    /// @param tables as far as they are known
    void read(Set<TableName> tables, ClientStatement statement, Output output) {
        requireSame(statement);
        run(new Run(tables.isEmpty() ? null : tables, false, Set.of()), statement, output);
    }

    /// A server that passes over a comment might drop, or change, another table.
    static void requireSame(ClientStatement statement) {
        if (statement.tokens().dependsOnVersion()) { // the backend may read another statement
            throw unsupported(
                    "comments for some versions in what names a temporary table, or comes after it, or in ANALYZE");
        }
    }

    /// Of a statement that nobody here understands the one table whose rows it may change; none
    /// where there may be more.
    private Set<TableName> onlyTarget(Tokens tokens) {
        boolean inserts = ClientStatement.inserts(tokens);
        boolean deletes = tokens.is(0, "DELETE");
        int at = 1;
        while (Set.of("LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "QUICK", "IGNORE")
                .contains(tokens.upper(at))) {
            at++;
        }
        if (tokens.is(at, inserts ? "INTO" : "FROM") && (inserts || deletes)) {
            at++;
        } else if (deletes) {
            return Set.of();
        }
        boolean qualified = tokens.is(at + 1, '.');
        TableName table =
                qualified
                        ? new TableName(tokens.name(at), tokens.name(at + 2))
                        : new TableName("", tokens.name(at));
        int next = qualified ? at + 3 : at + 1;
        boolean ends = next == tokens.size() || AFTER_ONE_TABLE.contains(tokens.upper(next));
        boolean one =
                inserts || (deletes ? ends : tokens.is(0, "UPDATE") && tokens.is(next, "SET"));
        return one ? qualified(Set.of(table)) : Set.of();
    }

    private boolean isReadOnly() {
        return state.transaction() instanceof ReadOnly
                || (state.transaction() instanceof Open(boolean only) && only);
    }

    private void run(Run run, ClientStatement statement, Output output) {
        RowChanges rows = RowChanges.NONE;
        if (state.inTransaction() && run.readsOthers()) {
            if (isReadOnly()) {
                throw unsupported(
                        "reading other tables beside temporary ones in a READ ONLY transaction");
            }
            rows = ownRows(run);
        }
        HeldTables held = state.inTransaction() ? within() : temporary.held(fallback.session());
        RowChanges laid = rows;
        try {
            if (laid.isEmpty()) {
                run(held, laid, run, statement, output);
            } else {
                boolean _ =
                        time.limited(() -> {
                            run(held, laid, run, statement, output);
                            return true;
                        });
            }
        } catch (QuireException | StatementFailed e) {
            if (held.isUndone() || OneStatement.isPassing(e)) {
                over(); // a client that is told 1213 takes it for rolled back
            }
            throw e;
        }
    }

    private void run(
            HeldTables held, RowChanges laid, Run run, ClientStatement statement, Output output) {
        fallback.run(held, laid, run.changed, run.readsOthers(), foundRows, statement, output);
    }

    /// It is rolled back on the backend, and so here.
    private void over() {
        if (state.transaction() instanceof Update update) {
            updates.over(update);
        } else {
            transactions.end(false);
        }
    }

    /// What the transaction has changed of other tables, locked or not as its level has it.
    private RowChanges ownRows(Run run) {
        boolean locks = run.locking || !state.isolation().snapshots();
        boolean changed = state.transaction() instanceof Update update && update.changed();
        if (!locks && !changed) {
            return RowChanges.NONE;
        }
        Set<TableName> tables = run.tables == null ? Set.of() : run.tables;
        if (run.locking && (tables.isEmpty() || !overlaid.areHeld(tables))) {
            throw unsupported("locking what only the backend has beside a temporary table");
        }
        if (state.transaction() instanceof Open) {
            transactions.setSavepoints(overlaid.areHeld(tables) ? tables : Set.of());
        }
        return overlaid.own(tables, locks).overlay().rows();
    }
}
