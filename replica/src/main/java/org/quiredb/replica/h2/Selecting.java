package org.quiredb.replica.h2;

import java.util.function.Consumer;
import org.h2.message.DbException;
import org.h2.result.ResultInterface;
import org.h2.value.Value;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.mysql.ResultSetEncoder;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.binding.BoundStatement;
import org.quiredb.replica.binding.TableChange;
import org.quiredb.replica.h2.catalogue.H2Catalogue;
import org.quiredb.replica.h2.session.DirectQuery;
import org.quiredb.replica.h2.session.Plan;
import org.quiredb.replica.h2.session.PooledSession;
import org.quiredb.replica.h2.statement.Statement;
import org.quiredb.replica.h2.value.Values;
import org.quiredb.replica.tree.RecordAccess;

/// A query: its result goes out as packets.
final class Selecting implements Execution {
    static final Selecting INSTANCE = new Selecting();

    private Selecting() {}

    @Override
    public ReplicaReply run(
            PooledSession session,
            Statement statement,
            BoundStatement bound,
            StatementCall call,
            Consumer<byte[]> parts,
            H2Catalogue catalogue) {
        return query(session, statement, bound, call, parts, catalogue);
    }

    static ReplicaReply query(
            PooledSession session,
            Statement statement,
            BoundStatement bound,
            StatementCall call,
            Consumer<byte[]> parts,
            H2Catalogue catalogue) {
        TableChange.Part query = bound.queryText();
        Plan plan = session.plan(query, catalogue.version());
        if (bound.locksAll()) {
            statement.lockEveryTable();
        }
        if (statement.access() instanceof RecordAccess records) {
            switch (bound.waiting()) {
                case USUAL -> {}
                case NOWAIT -> records.waitForNobody(false);
                case SKIP_LOCKED -> records.waitForNobody(true);
            }
        }
        PooledSession.bind(plan.prepared(), query.bound(call.values()));
        statement.runs(plan.prepared(), plan.filters());
        if (plan.point() && !bound.point().get()) {
            bound.point().set(true);
        }
        ResultSetEncoder encoder = session.encoder(parts, call.binaryRows(), call.statusFlags());
        DirectQuery direct = plan.direct();
        if (direct == null || !direct.failsAtNoRow(session.session())) {
            encode(plan, encoder, catalogue, bound);
        } else {
            encoder.columns(plan.header(catalogue.byName(), bound.shown()));
            direct.run(session.session(), encoder);
        }
        plan.end();
        return new ReplicaReply.Rows(encoder.finish());
    }

    private static void encode(
            Plan plan, ResultSetEncoder encoder, H2Catalogue catalogue, BoundStatement bound) {
        ResultInterface result = plan.prepared().query(0);
        encoder.columns(plan.header(result, catalogue.byName(), bound.shown()));
        int columns = result.getVisibleColumnCount();
        SqlValue[] row = new SqlValue[columns];
        while (result.next()) {
            Value[] values = result.currentRow();
            for (int i = 0; i < columns; i++) {
                row[i] = Values.fromH2(values[i]);
            }
            encoder.row(row);
        }
    }

    @Override
    public ReplicaReply failed(DbException error, Statement statement, StatementCall call) {
        throw error;
    }
}
