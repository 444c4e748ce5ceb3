package org.quiredb.scheduler.session.evaluate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.Condition;
import org.quiredb.common.message.SessionModes;
import org.quiredb.common.schema.CheckDefinition;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.schema.TriggerDefinition.Event;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.Evaluated.Row;
import org.quiredb.scheduler.fallback.LoadedRows;
import org.quiredb.scheduler.fallback.connection.BackendLogin;
import org.quiredb.scheduler.fallback.connection.BackendSession;
import org.quiredb.scheduler.fallback.connection.Outcome;
import org.quiredb.scheduler.fallback.connection.OverlaySql;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.backend.ProgramWalk;
import org.quiredb.scheduler.session.backend.SessionText;
import org.quiredb.scheduler.session.backend.ToldStatement;
import org.quiredb.scheduler.session.state.ClientFile;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.Transaction.Open;
import org.quiredb.scheduler.session.transaction.MasterStatements;
import org.quiredb.scheduler.session.transaction.OneStatement;
import org.quiredb.scheduler.session.transaction.Transactions;
import org.quiredb.sql.command.LoadStatement;
import org.quiredb.sql.command.SessionTerms;
import org.quiredb.sql.command.SessionTerms.Known;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// LOAD DATA LOCAL INFILE, as the package says.
///
/// Threads: owned by the session's thread.
public final class FileLoads {
    private static final int MOST_WARNINGS_COUNTED = 0xFFFF;

    /// Records, deleted, skipped, warnings: in the language of lc_messages.
    private static final Pattern INFO = Pattern.compile("\\D+(\\d+)\\D+\\d+\\D+(\\d+)\\D+(\\d+)");

    /// As moments that are default values are shown, and taken.
    private static final BackendSession IN_UTC =
            new BackendSession(BackendLogin.OWN, "", List.of("SET time_zone = '+00:00'"));

    private final Services services;
    private final SessionState state;
    private final MasterStatements updates;
    private final Fallback fallback;
    private final Transactions transactions;
    private final @Nullable Function<byte[], ClientFile> files;
    private final SessionText text;
    private final OneStatement whole;

    /// @param files null where the client sends none
    public FileLoads(
            Services services,
            SessionState state,
            MasterStatements updates,
            Fallback fallback,
            Transactions transactions,
            @Nullable Function<byte[], ClientFile> files) {
        this.services = services;
        this.state = state;
        this.updates = updates;
        this.fallback = fallback;
        this.transactions = transactions;
        this.files = files;
        text = new SessionText(state);
        whole = new OneStatement(state, updates, transactions);
    }

    /// What has become of the file's rows.
    private static final class Sum {
        private long records;
        private long leftOut;
        private long warnings;
        private long rows;
        private long affected;
        private long firstId;
        private final List<Condition> conditions = new ArrayList<>();

        Sum(Outcome loaded) {
            Matcher info = INFO.matcher(loaded.info());
            if (!info.find()) {
                throw new IllegalStateException("the backend tells of a file: " + loaded.info());
            }
            records = Long.parseLong(info.group(1));
            leftOut = Long.parseLong(info.group(2));
            warnings = Long.parseLong(info.group(3));
            conditions.addAll(loaded.conditions());
        }

        void add(int count, long changed, int warned, List<Condition> told) {
            rows += count;
            affected += changed;
            warnings += warned;
            conditions.addAll(
                    told.subList(0, Math.min(told.size(), Condition.MOST - conditions.size())));
        }

        /// A row of a REPLACE counts once for each row that had its keys, too.
        String info(boolean replaces) {
            long kept = replaces ? rows : affected;
            return "Records: %d  Deleted: %d  Skipped: %d  Warnings: %d"
                    .formatted(records, affected - kept, leftOut + rows - kept, warnings);
        }
    }

    public void run(ClientStatement statement, Output output) {
        Tokens tokens = statement.tokens();
        LoadStatement load = LoadStatement.of(tokens).orElseThrow();
        transactions.beginIfNeeded();
        transactions.requireWritable(services.mariaDb());
        if (!state.inTransaction()) {
            var _ = state.takeReadOnly();
        }
        if (files == null) {
            throw disabled();
        }
        services.cluster().awaitReady();
        TableName name = state.qualified(load.table());
        TableDefinition table = table(name);
        requireComputed(load, table, statement);
        ClientFile file = files.apply(state.characters().encode(load.file()));
        try (LoadedRows rows = services.backend().holdFile(session(load))) {
            Outcome loaded = loaded(rows, load, table, statement, file);
            Sum sum = stored(rows, load, name, table, loaded);
            state.diagnostics().warned(sum.conditions);
            output.ok(
                    sum.affected,
                    0,
                    state.statusFlags(statement.moreResults()),
                    (int) Math.min(sum.warnings, MOST_WARNINGS_COUNTED),
                    sum.info(load.replaces()));
        }
    }

    private RuntimeException disabled() {
        return services.mariaDb()
                ? new StatementFailed(
                        4166,
                        "HY000",
                        "The used command is not allowed because the MariaDB server or client has disabled the local infile capability")
                : new StatementFailed(
                        3948,
                        "42000",
                        "Loading local data is disabled; this must be enabled on both the client and server sides");
    }

    private TableDefinition table(TableName name) {
        if (name.database().isEmpty()) {
            throw new QuireException(ErrorCode.NO_DATABASE_SELECTED, "No database selected");
        }
        Optional<TableDefinition> known =
                services.cluster().catalogue().table(name).map(entry -> entry.definition());
        if (known.isEmpty()) {
            fallback.requireTable(name);
        }
        return known.orElseThrow(
                () -> unsupported("LOAD DATA into a view, or a table that it does not hold"));
    }

    /// What it says of values hangs on nothing but the file.
    private void requireComputed(
            LoadStatement load, TableDefinition table, ClientStatement statement) {
        Tokens tokens = statement.tokens();
        boolean fires = table.fires(Event.INSERT) || (load.replaces() && table.fires(Event.DELETE));
        if (fires) {
            throw unsupported("LOAD DATA into a table with triggers");
        }
        if (tokens.dependsOnVersion()) {
            throw unsupported("comments for some versions in LOAD DATA");
        }
        if (load.computes()
                && (tokens.has("SELECT")
                        || tokens.has("WITH")
                        || ChangedRows.hasEffects(tokens)
                        || ProgramWalk.callsStored(tokens, services.backend().functions()))) {
            throw unsupported(
                    "queries, stored functions and values of sequences in SET of LOAD DATA");
        }
    }

    /// Values that the file has take no right; expressions have those of the client alone.
    private BackendSession session(LoadStatement load) {
        BackendSession own = fallback.session();
        return load.computes()
                ? own
                : new BackendSession(
                        BackendLogin.OWN, own.database(), own.assignments(), own.values());
    }

    private Outcome loaded(
            LoadedRows rows,
            LoadStatement load,
            TableDefinition table,
            ClientStatement statement,
            ClientFile file) {
        String shown =
                services.backend()
                        .values(
                                IN_UTC,
                                "SHOW CREATE TABLE %s.%s"
                                        .formatted(
                                                OverlaySql.quote(table.schema()),
                                                OverlaySql.quote(table.name())))
                        .get(1);
        ToldStatement told = fallback.told(statement);
        if (told.locked().any()) {
            throw unsupported("named locks in LOAD DATA");
        }
        SessionTerms terms = told.terms().assigning(load.variables());
        try {
            Outcome loaded =
                    rows.load(
                            table,
                            String.valueOf(shown),
                            told.asked().sql(),
                            SessionText.then(terms),
                            file);
            text.learn(terms, loaded);
            return loaded;
        } finally {
            file.skipRest();
        }
    }

    /// All of its rows, or none.
    private Sum stored(
            LoadedRows rows,
            LoadStatement load,
            TableName name,
            TableDefinition table,
            Outcome loaded) {
        long insertId = state.value(Known.LAST_INSERT_ID);
        SessionModes modes = state.modes();
        boolean done = false;
        try {
            Sum sum =
                    state.inTransaction()
                            ? wholly(rows, load, name, table, loaded, modes)
                            : whole.alone(() -> wholly(rows, load, name, table, loaded, modes));
            done = true;
            state.diagnostics().lastInsertId(sum.firstId == 0 ? insertId : sum.firstId);
            return sum;
        } finally {
            if (!done) {
                state.diagnostics().lastInsertId(insertId);
            }
        }
    }

    private Sum wholly(
            LoadedRows rows,
            LoadStatement load,
            TableName name,
            TableDefinition table,
            Outcome loaded,
            SessionModes modes) {
        Sum sum = new Sum(loaded);
        if (state.transaction() instanceof Open) {
            transactions.setSavepoints(Set.of(name));
        }
        whole.wholly(
                Set.of(name),
                () -> {
                    state.modes(isChecked(table) ? modes.ofChecked() : modes);
                    try {
                        store(rows, load, name, table, sum, modes.zeroIsAValue());
                    } finally {
                        state.modes(modes);
                    }
                });
        return sum;
    }

    /// A temporary table has no partitions: it takes rows that belong to none of the table's.
    private static boolean isChecked(TableDefinition table) {
        return table.checks().stream().noneMatch(CheckDefinition::ofPartitions);
    }

    private void store(
            LoadedRows rows,
            LoadStatement load,
            TableName name,
            TableDefinition table,
            Sum sum,
            boolean zeroIsAValue) {
        String verb = load.replaces() ? "REPLACE INTO " : "INSERT IGNORE INTO ";
        int counter = counter(table);
        LoadedRows.Part part = rows.after(new LoadedRows.Part(List.of(), 0), table);
        while (!part.rows().isEmpty()) {
            StopSignal.current().check();
            List<Row> added =
                    part.rows().stream()
                            .map(row -> counter < 0 ? row : withoutId(row, counter, zeroIsAValue))
                            .toList();
            RowStatements.One one = RowStatements.adding(verb, added);
            state.diagnostics().lastInsertId(0);
            Counted counted = new Counted();
            updates.change(
                    Set.of(name),
                    Set.of(name),
                    ClientStatement.of(one.sql(), one.values(), false, true),
                    counted);
            long id = state.value(Known.LAST_INSERT_ID);
            sum.firstId = sum.firstId == 0 ? id : sum.firstId;
            sum.add(
                    added.size(),
                    counted.affected,
                    counted.warnings,
                    counted.warnings == 0 ? List.of() : state.diagnostics().conditions());
            part = rows.after(part, table);
        }
    }

    /// The place of the column that gives ids among those of a row; -1 for none.
    private static int counter(TableDefinition table) {
        List<ColumnDefinition> stored =
                table.columns().stream().filter(column -> column.generation() == null).toList();
        return Collections.max(
                stored.stream()
                        .map(column -> column.autoIncrement() ? stored.indexOf(column) : -1)
                        .toList());
    }

    /// The master gives it one.
    private static Row withoutId(Row row, int counter, boolean zeroIsAValue) {
        List<SqlValue> after = row.after();
        if (after == null || zeroIsAValue || !isZero(after.get(counter))) {
            return row;
        }
        List<SqlValue> values = new ArrayList<>(after);
        values.set(counter, SqlValue.NULL);
        return new Row(row.table(), row.columns(), row.key(), null, List.copyOf(values));
    }

    private static boolean isZero(SqlValue value) {
        return switch (value) {
            case SqlValue.IntegerValue(long number, boolean _) -> number == 0;
            case SqlValue.DoubleValue(double number) -> number == 0;
            default -> false;
        };
    }

    private static final class Counted implements Output {
        private long affected;
        private int warnings;

        @Override
        public void relay(byte[] packets, Runnable written) {
            written.run();
        }

        @Override
        public void ok(
                long affectedRows, long lastInsertId, int statusFlags, int warned, String info) {
            affected = affectedRows;
            warnings = warned;
        }
    }

    private static QuireException unsupported(String what) {
        return new QuireException(ErrorCode.NOT_SUPPORTED_YET, "Quire does not support " + what);
    }
}
