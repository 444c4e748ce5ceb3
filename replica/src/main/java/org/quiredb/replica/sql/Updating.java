package org.quiredb.replica.sql;

import java.time.Instant;
import java.util.List;
import org.h2.command.Prepared;
import org.h2.command.dml.DataChangeStatement;
import org.h2.message.DbException;
import org.h2.result.ResultInterface;
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
    @Override
    public Executed run(
            PooledSession session,
            Statement statement,
            StatementCall call,
            Instant now,
            PacketCounter parts,
            Catalogue catalogue) {
        if (Dialect.of(call.sql()).query()) {
            String sql =
                    NormalizedSql.text(FunctionText.of(NormalizedSql.tokens(call.sql())).tokens());
            return Reading.query(sql, session, statement, call, parts, catalogue);
        }
        return change(ChangeText.read(call.sql()), session, statement, call, now, catalogue);
    }

    private static Executed change(
            Change change,
            PooledSession session,
            Statement statement,
            StatementCall call,
            Instant now,
            Catalogue catalogue) {
        Change.Part action = change.action();
        Plan plan = session.plan(call.database(), action.sql(), catalogue.version());
        Prepared prepared = plan.prepared;
        if (!(prepared instanceof DataChangeStatement dml)
                || !(dml.getTable() instanceof QuireTable table)) {
            throw Errors.unsupported("this statement");
        }
        TableLayout layout = table.layout();
        String unchangeable = catalogue.unchangeable(layout.tableId());
        if (unchangeable != null) {
            throw Errors.unsupported(unchangeable);
        }
        statement.target(layout.tableId(), change, mayLogRows(change, layout));
        Change.Part choice = change.choice();
        if (choice != null) {
            statement.choose(chosen(choice, session, call, catalogue));
        }
        bind(prepared, action, call);
        long count = prepared.update();
        plan.end();
        return executed(change, layout, count, statement, call, now);
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

    private static long[] chosen(
            Change.Part choice, PooledSession session, StatementCall call, Catalogue catalogue) {
        Plan plan = session.plan(call.database(), choice.sql(), catalogue.version());
        bind(plan.prepared, choice, call);
        try (ResultInterface rows = plan.prepared.query(0)) {
            java.util.stream.LongStream.Builder locators = java.util.stream.LongStream.builder();
            while (rows.next()) {
                locators.add(rows.currentRow()[0].getLong());
            }
            plan.end();
            return locators.build().toArray();
        }
    }

    private static void bind(Prepared prepared, Change.Part part, StatementCall call) {
        PooledSession.bind(prepared, call.values().subList(part.firstValue(), part.endOfValues()));
    }

    private static Executed executed(
            Change change,
            TableLayout table,
            long count,
            Statement done,
            StatementCall call,
            Instant now) {
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
                    case DELETE -> count;
                };
        String info =
                change.kind() == Change.Kind.UPDATE
                        ? "Rows matched: "
                                + count
                                + "  Changed: "
                                + done.changed()
                                + "  Warnings: 0"
                        : "";
        long micros = now.getEpochSecond() * 1_000_000;
        List<LoggedStatement> logged =
                logsRows(change, table, done)
                        ? RowLog.of(table, micros, call.modes().settings(), done.rowChanges())
                        : List.of(text(change, count, done, call, micros));
        return new Executed(
                new ReplicaReply.Updated(
                        affected, done.autoIncrement().insertId(), 0, info, VersionVector.EMPTY, 0),
                logged);
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
        return new Executed(Errors.failed(error, statement, call.database()), List.of());
    }
}
