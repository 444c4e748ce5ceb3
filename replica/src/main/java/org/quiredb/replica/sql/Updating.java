package org.quiredb.replica.sql;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.h2.api.ErrorCode;
import org.h2.command.Prepared;
import org.h2.command.dml.DataChangeStatement;
import org.h2.message.DbException;
import org.h2.result.ResultInterface;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.sql.NormalizedSql;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.LoggedStatement;
import org.quiredb.replica.service.Engine.Executed;

/// A statement of an update transaction: a query, or a change with what the log is to hold of it.
///
/// The log gets the statement's text where a backend that stands at the same commit can only do the
/// same with it, else the rows.
final class Updating implements Execution {
    /// What columns take is for {@link Assignment} to say: these are of expressions, which MySQL
    /// computes with other types.
    private static final Set<Integer> OTHER_ARITHMETIC =
            Set.of(
                    ErrorCode.UNKNOWN_DATA_TYPE_1,
                    ErrorCode.CHECK_CONSTRAINT_INVALID,
                    ErrorCode.FEATURE_NOT_SUPPORTED_1,
                    ErrorCode.DATA_CONVERSION_ERROR_1,
                    ErrorCode.NUMERIC_VALUE_OUT_OF_RANGE_1,
                    ErrorCode.NUMERIC_VALUE_OUT_OF_RANGE_2,
                    ErrorCode.INVALID_DATETIME_CONSTANT_2);

    @Override
    public Executed run(
            PooledSession session,
            Statement statement,
            StatementCall call,
            Instant now,
            Consumer<byte[]> parts,
            Catalogue catalogue) {
        boolean folds = catalogue.folds(call.sql(), call.database());
        if (Dialect.of(call.sql()).query()) {
            String sql =
                    NormalizedSql.text(
                            FunctionText.of(NormalizedSql.tokens(call.sql()), folds).tokens());
            return Reading.query(sql, session, statement, call, parts, catalogue);
        }
        List<Change> changes =
                ChangeText.read(
                        call.sql(),
                        folds,
                        table ->
                                catalogue
                                        .byName()
                                        .get(
                                                TableName.of(
                                                        table.schema().isEmpty()
                                                                ? call.database()
                                                                : table.schema(),
                                                        table.table())));
        return change(changes, session, statement, call, catalogue);
    }

    /// A change that is ready to be made.
    private record Ready(Change change, Plan plan, TableLayout layout, Map<Long, Value[]> rows) {}

    private static Executed change(
            List<Change> changes,
            PooledSession session,
            Statement statement,
            StatementCall call,
            Catalogue catalogue) {
        List<Ready> ready = new ArrayList<>();
        for (Change change : changes) {
            Ready one = ready(change, session, statement, call, catalogue);
            Optional<Ready> same =
                    ready.stream()
                            .filter(r -> r.layout().tableId() == one.layout().tableId())
                            .findFirst();
            same.ifPresentOrElse(r -> r.rows().putAll(one.rows()), () -> ready.add(one));
        }
        List<LoggedStatement> logged = new ArrayList<>();
        long count = 0;
        for (Ready one : ready) {
            Change change = one.change();
            statement.target(one.layout().tableId(), change, mayLogRows(change, one.layout()));
            long done = run(one, statement, call);
            logged.addAll(logged(one, done, statement, call));
            count += done;
        }
        for (Ready one : ready) {
            one.plan().end();
        }
        return new Executed(reply(changes.getFirst().kind(), count, statement, call), logged);
    }

    private static Ready ready(
            Change change,
            PooledSession session,
            Statement statement,
            StatementCall call,
            Catalogue catalogue) {
        Plan plan =
                change.computed() > 0
                        ? session.plan(call.database(), change.action().sql(), catalogue.version())
                        : plan(change.action(), session, call, catalogue);
        if (!(plan.prepared instanceof DataChangeStatement dml)
                || !(dml.getTable() instanceof QuireTable table)) {
            throw Errors.unsupported("this statement");
        }
        TableLayout layout = table.layout();
        H2Tables.Limit limit = catalogue.limit(layout.tableId());
        if (limit != null) {
            throw Errors.unsupported(limit.reason());
        }
        Change.Part choice = change.choice();
        statement.choose(null);
        statement.target(layout.tableId(), change, mayLogRows(change, layout));
        Map<Long, Value[]> rows =
                choice == null ? new LinkedHashMap<>() : chosen(choice, session, call, catalogue);
        return new Ready(change, plan, layout, rows);
    }

    private static long run(Ready ready, Statement statement, StatementCall call) {
        Change change = ready.change();
        Prepared prepared = ready.plan().prepared;
        if (change.computed() == 0) {
            if (change.choice() != null) {
                statement.choose(
                        ready.rows().keySet().stream().mapToLong(Long::longValue).toArray());
            }
            bind(prepared, change.action(), call);
            return prepared.update();
        }
        long count = 0;
        for (Map.Entry<Long, Value[]> row : ready.rows().entrySet()) {
            statement.choose(new long[] {row.getKey()});
            for (int i = 0; i < change.computed(); i++) {
                prepared.getParameters().get(i).setValue(row.getValue()[i + 1]);
            }
            count += prepared.update();
        }
        return count;
    }

    private static boolean mayLogRows(Change change, TableLayout table) {
        return change.undetermined()
                || (change.inserts() && (table.autoIncrement() >= 0 && change.rows() != 1))
                || (change.kind() == Change.Kind.UPSERT && table.uniqueIndexes() > 1);
    }

    private static boolean logsRows(Change change, TableLayout table, Statement done) {
        boolean skips = change.kind() != Change.Kind.INSERT || change.ignore();
        return change.undetermined()
                || done.autoIncrement().generatedWithGaps()
                || (skips && change.rows() != 1 && done.autoIncrement().firstGenerated() != 0)
                || (change.kind() == Change.Kind.UPSERT && table.uniqueIndexes() > 1);
    }

    /// @return by locator; a row that is found twice is changed once
    private static Map<Long, Value[]> chosen(
            Change.Part choice, PooledSession session, StatementCall call, Catalogue catalogue) {
        Plan plan = plan(choice, session, call, catalogue);
        bind(plan.prepared, choice, call);
        try (ResultInterface result = plan.prepared.query(0)) {
            Map<Long, Value[]> rows = new LinkedHashMap<>();
            while (result.next()) {
                Value[] row = result.currentRow().clone();
                Value[] before =
                        row[0] instanceof ValueNull ? row : rows.putIfAbsent(row[0].getLong(), row);
                if (before != null && !Arrays.equals(before, row)) {
                    throw Errors.unsupported("UPDATE of a row with one of several values");
                }
            }
            plan.end();
            return rows;
        }
    }

    private static Plan plan(
            Change.Part part, PooledSession session, StatementCall call, Catalogue catalogue) {
        String sql = TypedMarkers.of(part.sql(), part.bound(call.values()));
        return session.plan(call.database(), sql, catalogue.version());
    }

    private static void bind(Prepared prepared, Change.Part part, StatementCall call) {
        PooledSession.bind(prepared, part.bound(call.values()));
    }

    private static ReplicaReply.Updated reply(
            Change.Kind kind, long count, Statement done, StatementCall call) {
        long unchanged = done.found() - done.changed();
        long affected =
                switch (kind) {
                    case INSERT -> done.inserted();
                    case UPSERT ->
                            done.inserted()
                                    + 2 * done.changed()
                                    + (call.foundRows() ? unchanged : 0);
                    case REPLACE -> done.inserted() + done.replaced();
                    case UPDATE -> call.foundRows() ? count : done.changed();
                    case DELETE -> count;
                };
        String info =
                kind == Change.Kind.UPDATE
                        ? "Rows matched: "
                                + count
                                + "  Changed: "
                                + done.changed()
                                + "  Warnings: 0"
                        : "";
        return new ReplicaReply.Updated(
                affected, done.autoIncrement().insertId(), 0, info, VersionVector.EMPTY, 0);
    }

    private static List<LoggedStatement> logged(
            Ready ready, long count, Statement done, StatementCall call) {
        long micros = done.micros();
        return logsRows(ready.change(), ready.layout(), done)
                ? RowLog.of(ready.layout(), micros, call.modes().settings(), done.takeRowChanges())
                : List.of(text(ready.change(), count, done, call, micros));
    }

    private static LoggedStatement text(
            Change change, long count, Statement done, StatementCall call, long micros) {
        long found =
                switch (change.kind()) {
                    case INSERT -> done.inserted();
                    case UPSERT -> done.inserted() + done.changed() + done.found();
                    case REPLACE -> done.inserted() + done.replaced();
                    case UPDATE, DELETE -> count;
                };
        return new LoggedStatement(
                call.database(),
                NormalizedSql.inline(call.sql(), call.values()),
                micros,
                done.autoIncrement().firstGenerated(),
                found,
                call.modes().settings());
    }

    @Override
    public Executed failed(DbException error, Statement statement, StatementCall call) {
        QuireException ours = Errors.ours(error);
        if (ours != null) {
            throw ours;
        }
        if (OTHER_ARITHMETIC.contains(error.getErrorCode())) {
            throw Errors.unsupported(String.valueOf(error.getMessage()));
        }
        return new Executed(Errors.failed(error, statement, call.database()), List.of());
    }
}
