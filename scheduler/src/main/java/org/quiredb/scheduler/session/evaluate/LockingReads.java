package org.quiredb.scheduler.session.evaluate;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.OverlayStep;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.scheduler.fallback.Snapshot;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.backend.ProgramWalk;
import org.quiredb.scheduler.session.backend.ReplicaText;
import org.quiredb.scheduler.session.evaluate.LockingText.Single;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Collected;
import org.quiredb.scheduler.session.state.Isolation;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.Transaction.Open;
import org.quiredb.scheduler.session.state.UserVariable;
import org.quiredb.scheduler.session.transaction.MasterStatements;
import org.quiredb.scheduler.session.transaction.OneStatement;
import org.quiredb.scheduler.session.transaction.OverlaidReads;
import org.quiredb.scheduler.session.transaction.Reads;
import org.quiredb.scheduler.session.transaction.Transactions;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Queries that lock (FOR UPDATE, FOR SHARE) and that memory does not evaluate: the backend reads,
/// the master locks.
///
/// Nobody may change what such a query has not found so that it would find it. So the master locks
/// the tables as a whole, and then the backend reads them. Rows alone are locked where a server
/// locks no more either, at READ COMMITTED, and where a client asks not to wait for others: the
/// backend tells the keys of the rows that it finds, the master locks these, and the backend is
/// asked again until it finds none that is not locked.
///
/// Invariant: a row that is shown is locked, and is as it was when it was locked: nobody else can
/// change it, and the backend has caught up with it since. A replay locks the same rows, compares
/// all of their values with what they were, and does not read again.
///
/// Threads: owned by the session's thread.
public final class LockingReads {
    /// A condition of more is long to read for a server.
    private static final int MOST_KEYS = 1000;

    private static final int KEYS_AT_ONCE = 50;

    /// As often as others may change, in between, which rows there are to lock.
    private static final int MOST_ROUNDS = 20;

    private static final Pattern TOLD_APART =
            Pattern.compile("^((tiny|small|medium|big|)int|(var)?char|(var)?binary)\\b");

    private final Services services;
    private final SessionState state;
    private final MasterStatements updates;
    private final Reads reads;
    private final OverlaidReads overlaid;
    private final Fallback fallback;
    private final Transactions transactions;
    private final OneStatement whole;

    public LockingReads(
            Services services,
            SessionState state,
            MasterStatements updates,
            Reads reads,
            OverlaidReads overlaid,
            Fallback fallback,
            Transactions transactions) {
        this.services = services;
        this.state = state;
        this.updates = updates;
        this.reads = reads;
        this.overlaid = overlaid;
        this.fallback = fallback;
        this.transactions = transactions;
        whole = new OneStatement(state, updates, transactions);
    }

    /// @param names of the tables and views that the query names, with their databases
    /// @param refusal of memory, which stands where the backend is of no help
    public void run(
            Set<TableName> names,
            RuntimeException refusal,
            ClientStatement statement,
            Output output) {
        Tokens tokens = statement.tokens();
        LockingText text = new LockingText(tokens);
        boolean laid = state.backendSnapshot() != null && state.changed(); // by another connection
        if (names.isEmpty()
                || laid
                || !text.isClear()
                || ProgramWalk.callsStored(tokens, services.backend().functions())) {
            throw refusal;
        }
        ViewedTables viewed = ViewedTables.of(names, Set.of(), services, refusal);
        ByRow byRow = byRow(text, statement);
        String why = String.valueOf(refusal.getMessage());
        boolean waits = text.manner().isEmpty();
        if (byRow == null && !waits) {
            throw refusal;
        }
        Reading reading = new Reading(text, viewed, byRow, why, statement, refusal);
        if (state.inTransaction()) {
            run(reading, output);
        } else if (waits && state.lockWaitMillis() == ReplicaRequest.USUAL_WAIT) {
            // it locks nothing for longer than it takes
            reads.standalone(names, why, with(text.plain(), statement), output);
        } else {
            HeldResults results = new HeldResults();
            boolean _ =
                    whole.alone(() -> {
                        results.clear();
                        run(reading, new Kept(results));
                        return true;
                    });
            results.requireAll();
            Returning.answer(results.packets(), true, output);
        }
    }

    private record Reading(
            LockingText text,
            ViewedTables viewed,
            @Nullable ByRow byRow,
            String why,
            ClientStatement statement,
            RuntimeException refusal) {}

    private record Kept(HeldResults results) implements Output {
        @Override
        public void relay(byte[] packets, Runnable written) {
            results.add(packets);
            written.run();
        }

        @Override
        public void ok(
                long affectedRows, long lastInsertId, int statusFlags, int warnings, String info) {}
    }

    private void run(Reading reading, Output output) {
        if (state.transaction() instanceof Open) {
            transactions.setSavepoints(reading.viewed().tables());
        }
        ByRow byRow = reading.byRow();
        boolean done = byRow != null && byRow(byRow, reading, output);
        if (!done && !reading.text().manner().isEmpty()) {
            throw reading.refusal();
        }
        if (!done) {
            wholly(reading, output);
        }
    }

    /// Of tables that the master has locked.
    private void wholly(Reading reading, Output output) {
        ViewedTables viewed = reading.viewed();
        List<Integer> ids =
                viewed.tables().stream()
                        .map(services.cluster().catalogue()::table)
                        .map(entry -> entry.orElseThrow(reading::refusal).tableId())
                        .sorted()
                        .toList();
        boolean exclusive = reading.text().exclusive();
        ClientStatement plain = with(reading.text().plain(), reading.statement());
        overlaid.newest(
                viewed.tables(),
                locking(exclusive ? List.of() : ids, exclusive ? ids : List.of()),
                (rows, now) -> {
                    viewed.requireSame(services.backend().routines());
                    fallback.runOver(now, rows, plain, reading.why(), output);
                });
    }

    private OverlayStep locking(List<Integer> read, List<Integer> changed) {
        return new OverlayStep(read, changed, 0, services.limits().overlayRows());
    }

    /// @param literal the query with its parameters' values
    /// @param wanted how many rows its LIMIT lets through; -1 for all
    private record ByRow(
            LockingText literal,
            Single single,
            Single sent,
            TableDefinition table,
            List<ColumnDefinition> key,
            long wanted) {
        TableName name() {
            return new TableName(table.schema(), table.name());
        }

        String keys() {
            StringJoiner keys = new StringJoiner(", ");
            key.forEach(c -> keys.add(single.called() + "." + LockingText.quoted(c.name())));
            return keys.toString();
        }
    }

    /// Null where its tables are to be locked as a whole.
    private @Nullable ByRow byRow(LockingText text, ClientStatement statement) {
        Edits edits = new Edits(statement.tokens());
        ReplicaText.withLiterals(statement.bound(), statement.tokens(), edits);
        Tokens tokens = Tokens.of(edits.made());
        LockingText literal = new LockingText(tokens);
        Optional<Single> single = literal.single();
        Optional<Single> sent = text.single();
        Optional<Long> wanted = literal.wanted();
        boolean rows = !text.manner().isEmpty() || state.isolation() == Isolation.READ_COMMITTED;
        if (!rows
                || single.isEmpty()
                || sent.isEmpty()
                || wanted.isEmpty()
                || wanted.get() > MOST_KEYS
                || state.limitsRows()
                || ChangedRows.hasEffects(tokens)) {
            return null;
        }
        String database =
                single.get().database().isEmpty() ? state.database() : single.get().database();
        TableDefinition table =
                services.cluster()
                        .catalogue()
                        .table(new TableName(database, single.get().table()))
                        .map(CatalogueEntry::definition)
                        .orElse(null);
        List<ColumnDefinition> key = table == null ? List.of() : key(table);
        return table == null || key.isEmpty()
                ? null
                : new ByRow(literal, single.get(), sent.get(), table, key, wanted.get());
    }

    /// Empty where its values do not say it in any text.
    private List<ColumnDefinition> key(TableDefinition table) {
        List<ColumnDefinition> key =
                table.indexes().stream()
                        .filter(IndexDefinition::primary)
                        .flatMap(index -> index.columns().stream())
                        .map(name ->
                                table.columns().stream()
                                        .filter(c -> c.name().equalsIgnoreCase(name))
                                        .findFirst()
                                        .orElseThrow())
                        .toList();
        boolean told =
                key.stream()
                        .allMatch(column ->
                                TOLD_APART.matcher(column.type()).find()
                                        && (column.characterSet() == null || !state.textsDiffer()));
        return told ? key : List.of();
    }

    /// @return false where there are too many rows, or others come again and again
    private boolean byRow(ByRow byRow, Reading reading, Output output) {
        Set<List<SqlValue>> locked = new HashSet<>();
        Set<List<SqlValue>> left = new HashSet<>();
        boolean[] done = new boolean[1];
        for (int round = 0; round < MOST_ROUNDS && !done[0]; round++) {
            List<List<SqlValue>> found = new ArrayList<>();
            int more = reading.text().skips() ? left.size() + KEYS_AT_ONCE : 0;
            long most = byRow.wanted() < 0 ? MOST_KEYS + 1L : byRow.wanted() + more;
            overlaid.newest(
                    Set.of(),
                    locking(List.of(), List.of()),
                    (rows, now) -> {
                        found.clear();
                        found.addAll(keys(byRow, most, rows, now, reading.why()));
                        List<List<SqlValue>> first = wanted(found, left, byRow.wanted());
                        if (found.size() <= MOST_KEYS && locked.containsAll(first)) {
                            ClientStatement those =
                                    with(
                                            reading.text()
                                                    .withCondition(
                                                            byRow.sent(), among(byRow, first)),
                                            reading.statement());
                            fallback.runOver(now, rows, those, reading.why(), output);
                            done[0] = true;
                        }
                    });
            if (found.size() > MOST_KEYS) {
                return false;
            }
            List<List<SqlValue>> next = done[0] ? List.of() : next(found, locked, left, byRow);
            while (!next.isEmpty()) {
                Set<List<SqlValue>> had = lock(byRow, next, reading.text());
                next.stream().filter(key -> !had.contains(key)).forEach(left::add);
                locked.addAll(had);
                next = next(found, locked, left, byRow);
            }
        }
        return done[0];
    }

    /// Some that are to be locked yet.
    private static List<List<SqlValue>> next(
            List<List<SqlValue>> found,
            Set<List<SqlValue>> locked,
            Set<List<SqlValue>> left,
            ByRow byRow) {
        return wanted(found, left, byRow.wanted()).stream()
                .filter(key -> !locked.contains(key))
                .limit(KEYS_AT_ONCE)
                .toList();
    }

    /// The first of them that others have not locked, and that are there.
    private static List<List<SqlValue>> wanted(
            List<List<SqlValue>> found, Set<List<SqlValue>> left, long wanted) {
        return found.stream()
                .filter(key -> !left.contains(key))
                .limit(wanted < 0 ? Long.MAX_VALUE : wanted)
                .toList();
    }

    private List<List<SqlValue>> keys(
            ByRow byRow, long most, RowChanges rows, Snapshot now, String why) {
        String query = byRow.literal().withColumns(byRow.single(), byRow.keys(), most);
        Collected found = new Collected((int) most);
        fallback.runOver(now, rows, ClientStatement.of(query, List.of(), false, true), why, found);
        int size = byRow.key().size();
        return found.rows().stream()
                .map(row ->
                        row.subList(row.size() - size, row.size()).stream()
                                .map(UserVariable::value)
                                .toList())
                .toList();
    }

    /// With all that they hold, which a replay compares.
    ///
    /// @return those that are locked now
    private Set<List<SqlValue>> lock(ByRow byRow, List<List<SqlValue>> keys, LockingText text) {
        TableDefinition table = byRow.table();
        StringJoiner columns = new StringJoiner(", ", "SELECT ", " FROM ");
        byRow.key().forEach(column -> columns.add(LockingText.quoted(column.name())));
        table.columns().stream()
                .filter(column -> column.generation() == null)
                .forEach(column -> columns.add(LockingText.quoted(column.name())));
        StringJoiner any = new StringJoiner(" OR ");
        List<SqlValue> values = new ArrayList<>();
        for (List<SqlValue> key : keys) {
            StringJoiner all = new StringJoiner(" AND ", "(", ")");
            byRow.key().forEach(column -> all.add(LockingText.quoted(column.name()) + " = ?"));
            any.add(all.toString());
            values.addAll(key);
        }
        String sql =
                columns
                        + LockingText.quoted(table.schema())
                        + "."
                        + LockingText.quoted(table.name())
                        + " WHERE "
                        + any
                        + (text.exclusive() ? " FOR UPDATE " : " LOCK IN SHARE MODE ")
                        + text.manner();
        Collected locked = new Collected(keys.size());
        updates.run(Set.of(byRow.name()), ClientStatement.of(sql, values, false, true), locked);
        Set<List<SqlValue>> had = new LinkedHashSet<>();
        for (List<UserVariable> row : locked.rows()) {
            had.add(row.subList(0, byRow.key().size()).stream().map(UserVariable::value).toList());
        }
        return had;
    }

    private static String among(ByRow byRow, List<List<SqlValue>> keys) {
        StringJoiner any = new StringJoiner(" OR ", "(", ")");
        any.setEmptyValue("(0)");
        for (List<SqlValue> key : keys) {
            StringJoiner all = new StringJoiner(" AND ", "(", ")");
            for (int i = 0; i < key.size(); i++) {
                String name = LockingText.quoted(byRow.key().get(i).name());
                all.add(byRow.single().called() + "." + name + " = " + literal(key.get(i)));
            }
            any.add(all.toString());
        }
        return any.toString();
    }

    /// Whatever the session's modes and characters are.
    private static String literal(SqlValue value) {
        return value instanceof SqlValue.StringValue(String text)
                ? "_utf8mb4 x'"
                        + HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8))
                        + "'"
                : value.literal();
    }

    private static ClientStatement with(String sql, ClientStatement sent) {
        return ClientStatement.of(sql, sent.bound(), sent.binaryRows(), sent.moreResults());
    }
}
