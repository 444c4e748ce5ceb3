package org.quiredb.replica.sql;

import java.util.function.Consumer;
import org.h2.command.query.Select;
import org.h2.message.DbException;
import org.h2.result.ResultInterface;
import org.h2.value.Value;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.mysql.ResultSetEncoder;
import org.quiredb.common.sql.SqlValue;

/// A query: its result goes out as packets.
final class Reading implements Execution {
    static final Reading INSTANCE = new Reading();

    private Reading() {}

    @Override
    public ReplicaReply run(
            PooledSession session,
            Statement statement,
            StatementCall call,
            Consumer<byte[]> parts,
            Catalogue catalogue) {
        return query(call.sql(), session, statement, call, parts, catalogue);
    }

    /// @param sql what H2 is to run in the call's place, with the call's values
    static ReplicaReply query(
            String sql,
            PooledSession session,
            Statement statement,
            StatementCall call,
            Consumer<byte[]> parts,
            Catalogue catalogue) {
        Plan plan =
                session.plan(
                        call.database(), TypedMarkers.of(sql, call.values()), catalogue.version());
        if (plan.prepared instanceof Select select && select.getForUpdate() != null) {
            statement.lockEveryTable();
        }
        PooledSession.bind(plan.prepared, call.values());
        statement.runs(plan);
        ResultSetEncoder encoder = session.encoder(parts, call.binaryRows(), call.statusFlags());
        if (plan.direct == null || !plan.direct.failsAtNoRow(session.session())) {
            encode(plan, encoder, catalogue);
        } else {
            encoder.columns(plan.header(catalogue));
            plan.direct.run(session.session(), encoder);
        }
        plan.end();
        return new ReplicaReply.Rows(encoder.finish());
    }

    private static void encode(Plan plan, ResultSetEncoder encoder, Catalogue catalogue) {
        ResultInterface result = plan.prepared.query(0);
        encoder.columns(plan.header(result, catalogue));
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
