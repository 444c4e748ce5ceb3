package org.quiredb.replica.h2;

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
import org.h2.result.Row;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.InsertId;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.mysql.ResultSetEncoder;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.schema.TriggerDefinition.Event;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.binding.BoundStatement;
import org.quiredb.replica.binding.TableChange;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.h2.catalogue.H2Catalogue;
import org.quiredb.replica.h2.catalogue.H2Tables;
import org.quiredb.replica.h2.session.Plan;
import org.quiredb.replica.h2.session.PooledSession;
import org.quiredb.replica.h2.statement.AutoIncrement;
import org.quiredb.replica.h2.statement.Statement;
import org.quiredb.replica.h2.table.QuireTable;
import org.quiredb.replica.h2.value.Values;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.replica.page.VersionReclaimedException;

/// A statement of an update transaction: a query, or a change.
final class Updating implements Execution {
    /// What columns take is for `Assignment` to say: these are of expressions, which MySQL computes
    /// with other types, or of a GROUP BY that has to name more for H2.
    private static final Set<Integer> OTHER_ARITHMETIC =
            Set.of(
                    ErrorCode.UNKNOWN_DATA_TYPE_1,
                    ErrorCode.CHECK_CONSTRAINT_INVALID,
                    ErrorCode.FEATURE_NOT_SUPPORTED_1,
                    ErrorCode.DATA_CONVERSION_ERROR_1,
                    ErrorCode.NUMERIC_VALUE_OUT_OF_RANGE_1,
                    ErrorCode.NUMERIC_VALUE_OUT_OF_RANGE_2,
                    ErrorCode.INVALID_DATETIME_CONSTANT_2,
                    ErrorCode.MUST_GROUP_BY_COLUMN_1);

    /// What H2 shows for a row that an outer join has not found: a tree begins in a table's first
    /// page.
    private static final long NO_ROW = 0;

    /// What foreign keys say, which IGNORE makes warnings of.
    private static final Set<org.quiredb.common.error.ErrorCode> KEYS =
            Set.of(
                    org.quiredb.common.error.ErrorCode.FOREIGN_DUPLICATE_KEY,
                    org.quiredb.common.error.ErrorCode.CANNOT_ADD_CHILD_ROW,
                    org.quiredb.common.error.ErrorCode.CANNOT_DELETE_PARENT_ROW);

    @Override
    public ReplicaReply run(
            PooledSession session,
            Statement statement,
            BoundStatement bound,
            StatementCall call,
            Consumer<byte[]> parts,
            H2Catalogue catalogue) {
        return bound.query() == null
                ? change(bound.changes(), session, statement, call, parts, catalogue)
                : Selecting.query(session, statement, bound, call, parts, catalogue);
    }

    /// A change that is ready to be made.
    ///
    /// @param duplicates of the update of a row that is in the way
    private record Ready(
            TableChange change,
            Plan plan,
            @Nullable Plan duplicates,
            TableLayout layout,
            Map<Long, Value[]> rows) {
        void end() {
            plan.end();
            if (duplicates != null) {
                duplicates.end();
            }
        }
    }

    private static ReplicaReply change(
            List<TableChange> changes,
            PooledSession session,
            Statement statement,
            StatementCall call,
            Consumer<byte[]> parts,
            H2Catalogue catalogue) {
        List<Ready> ready = new ArrayList<>();
        for (TableChange change : changes) {
            Ready one = ready(change, session, statement, call, catalogue);
            Optional<Ready> same =
                    ready.stream()
                            .filter(r ->
                                    !change.inserts()
                                            && r.layout().tableId() == one.layout().tableId())
                            .findFirst();
            same.ifPresentOrElse(r -> r.rows().putAll(one.rows()), () -> ready.add(one));
        }
        if (!changes.getFirst().returned().isEmpty()) {
            statement.returnsRows();
        }
        long count = 0;
        for (Ready one : ready) {
            statement.target(one.layout().tableId(), one.change());
            try {
                count += run(one, statement, call);
            } catch (RuntimeException e) {
                QuireException ours = H2Errors.cause(e, QuireException.class);
                if (statement.passesOver() && ours != null && KEYS.contains(ours.code())) {
                    throw Errors.unsupported("IGNORE of a row that a foreign key refuses");
                }
                if (refuses(e)) {
                    statement.autoIncrement().refused();
                }
                throw e;
            }
        }
        ready.forEach(Ready::end);
        ReplicaReply.Updated reply = reply(changes.getFirst(), count, statement, call);
        return changes.getFirst().returned().isEmpty()
                ? reply
                : reply.showing(returned(ready.getFirst(), session, statement, call, parts));
    }

    private static boolean refuses(RuntimeException error) {
        QuireException ours = H2Errors.cause(error, QuireException.class);
        return ours != null
                ? ours.code() == org.quiredb.common.error.ErrorCode.NOT_SUPPORTED_YET
                : error instanceof DbException e && OTHER_ARITHMETIC.contains(e.getErrorCode());
    }

    /// @return how many packets show the rows
    private static long returned(
            Ready done,
            PooledSession session,
            Statement statement,
            StatementCall call,
            Consumer<byte[]> parts) {
        List<TableChange.Returned> columns = done.change().returned();
        ResultSetEncoder encoder = session.encoder(parts, call.binaryRows(), call.statusFlags());
        encoder.columns(
                columns.stream()
                        .map(column ->
                                done.layout()
                                        .metadata(
                                                column.place(),
                                                column.tableAlias(),
                                                column.heading()))
                        .toList());
        for (Row row : statement.returned()) {
            encoder.row(
                    columns.stream()
                            .map(column -> Values.fromH2(row.getValue(column.place())))
                            .toArray(SqlValue[]::new));
        }
        return encoder.finish();
    }

    private static Ready ready(
            TableChange change,
            PooledSession session,
            Statement statement,
            StatementCall call,
            H2Catalogue catalogue) {
        Plan plan = session.plan(change.action(), catalogue.version());
        if (!(plan.prepared() instanceof DataChangeStatement dml)
                || !(dml.getTable() instanceof QuireTable table)) {
            throw Errors.unsupported("this statement");
        }
        TableLayout layout = table.layout();
        H2Tables.Limit limit = catalogue.limit(layout.tableId());
        if (limit != null && !(limit.checks() && statement.modes().checked())) {
            throw Errors.unsupported(limit.reason());
        }
        if (!statement.modes().checked() && fires(change.kind(), layout.definition())) {
            throw Errors.unsupported("a change that fires triggers");
        }
        TableChange.Part choice = change.choice();
        statement.choose(null);
        statement.target(layout.tableId(), change);
        Map<Long, Value[]> rows =
                choice == null ? new LinkedHashMap<>() : chosen(choice, session, call, catalogue);
        return new Ready(
                change,
                plan,
                change.duplicates() == null
                        ? null
                        : session.plan(change.duplicates(), catalogue.version()),
                layout,
                rows);
    }

    private static boolean fires(TableChange.Kind kind, TableDefinition table) {
        return !table.triggers().isEmpty()
                && switch (kind) {
                    case INSERT -> table.fires(Event.INSERT);
                    case UPSERT -> table.fires(Event.INSERT) || table.fires(Event.UPDATE);
                    case REPLACE -> table.fires(Event.INSERT) || table.fires(Event.DELETE);
                    case UPDATE -> table.fires(Event.UPDATE);
                    case DELETE -> table.fires(Event.DELETE);
                };
    }

    private static long run(Ready ready, Statement statement, StatementCall call) {
        TableChange change = ready.change();
        Prepared prepared = ready.plan().prepared();
        if (change.computed() == 0) {
            if (change.choice() != null) {
                statement.choose(there(ready, statement));
            }
            bind(prepared, change.action(), call);
            statement.keeps(prepared);
            if (ready.duplicates() != null && change.duplicates() != null) {
                Prepared update = ready.duplicates().prepared();
                List<Integer> values = change.duplicates().values();
                statement.updatesDuplicates(row -> updateDuplicate(update, values, call, row));
            }
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

    /// What a foreign key has removed on behalf of another table's rows is not looked for again.
    private static long[] there(Ready ready, Statement statement) {
        return ready.rows().keySet().stream()
                .mapToLong(Long::longValue)
                .filter(row -> ready.layout().pages().row(statement.access(), row) != null)
                .toArray();
    }

    /// That the change meets a key itself is no reason to go on with the next row.
    private static void updateDuplicate(
            Prepared update, List<Integer> values, StatementCall call, Row inserted) {
        for (int i = 0; i < values.size(); i++) {
            int value = values.get(i);
            update.getParameters()
                    .get(i)
                    .setValue(
                            value < 0
                                    ? inserted.getValue(-1 - value)
                                    : Values.toH2(call.values().get(value)));
        }
        try {
            update.update();
        } catch (DbException e) {
            if (e.getErrorCode() == ErrorCode.DUPLICATE_KEY_1) {
                throw new QuireException(
                        org.quiredb.common.error.ErrorCode.DUPLICATE_KEY,
                        H2Errors.duplicate(Statement.current().duplicate()),
                        e);
            }
            throw e;
        }
    }

    /// @return by locator; a row that is found twice is changed once
    private static Map<Long, Value[]> chosen(
            TableChange.Part choice,
            PooledSession session,
            StatementCall call,
            H2Catalogue catalogue) {
        Plan plan = session.plan(choice, catalogue.version());
        bind(plan.prepared(), choice, call);
        Statement.current().keeps(plan.prepared());
        try (ResultInterface result = plan.prepared().query(0)) {
            Map<Long, Value[]> rows = new LinkedHashMap<>();
            while (result.next()) {
                Value[] row = result.currentRow().clone();
                boolean none = row[0] instanceof ValueNull || row[0].getLong() == NO_ROW;
                Value[] before = none ? row : rows.putIfAbsent(row[0].getLong(), row);
                if (before != null && !Arrays.equals(before, row)) {
                    throw Errors.unsupported("UPDATE of a row with one of several values");
                }
            }
            plan.end();
            return rows;
        }
    }

    private static void bind(Prepared prepared, TableChange.Part part, StatementCall call) {
        PooledSession.bind(prepared, part.bound(call.values()));
    }

    private static ReplicaReply.Updated reply(
            TableChange change, long count, Statement done, StatementCall call) {
        long unchanged = done.found() - done.changed();
        long affected =
                switch (change.kind()) {
                    case INSERT -> done.inserted();
                    case UPSERT ->
                            done.inserted()
                                    + 2 * done.changed()
                                    + (call.foundRows() ? unchanged : 0);
                    case REPLACE -> done.inserted() + done.replaced();
                    case UPDATE -> call.foundRows() ? count : done.changed();
                    case DELETE -> count - done.gone();
                };
        AutoIncrement ids = done.autoIncrement();
        Long told = done.toldInsertId();
        InsertId origin =
                ids.generated()
                        ? InsertId.TABLE
                        : told == null ? InsertId.CLIENT : InsertId.FUNCTION;
        boolean none =
                origin == InsertId.CLIENT
                        && (done.inserted() + done.changed() == 0
                                || (change.kind() == TableChange.Kind.UPSERT
                                        && change.rows() == 0)); // a server forgets a query's
        long id = origin == InsertId.FUNCTION && told != null ? told : none ? 0 : ids.insertId();
        return new ReplicaReply.Updated(
                affected,
                id,
                origin,
                done.warnings(),
                info(change, count, done, call),
                VersionVector.EMPTY,
                0,
                0,
                done.conditions());
    }

    /// What a client shows behind the count: nothing for a single row that is named, nor for rows
    /// that are deleted.
    private static String info(TableChange change, long count, Statement done, StatementCall call) {
        if (change.kind() == TableChange.Kind.DELETE || change.rows() == 1) {
            return "";
        }
        if (change.kind() == TableChange.Kind.UPDATE) {
            return "Rows matched: %d  Changed: %d  Warnings: %d"
                    .formatted(count, done.changed(), done.warnings());
        }
        long duplicates =
                change.ignore()
                        ? done.leftOut()
                        : switch (change.kind()) {
                            case UPSERT ->
                                    call.foundRows() && change.rows() > 0
                                            ? done.found()
                                            : done.changed(); // of a query's rows always
                            case REPLACE -> done.replaced();
                            case INSERT, UPDATE, DELETE -> 0;
                        };
        return "Records: %d  Duplicates: %d  Warnings: %d"
                .formatted(
                        done.inserted() + done.found() + done.leftOut(),
                        duplicates,
                        done.warnings());
    }

    @Override
    public ReplicaReply failed(DbException error, Statement statement, StatementCall call) {
        VersionReclaimedException reclaimed =
                H2Errors.cause(error, VersionReclaimedException.class);
        if (reclaimed != null) {
            throw reclaimed;
        }
        QuireException ours = H2Errors.cause(error, QuireException.class);
        if (ours != null) {
            throw ours;
        }
        if (OTHER_ARITHMETIC.contains(error.getErrorCode())) {
            throw Errors.unsupported(String.valueOf(error.getMessage()));
        }
        return H2Errors.failed(error, statement.duplicate(), call.database());
    }
}
