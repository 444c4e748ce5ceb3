package org.quiredb.replica.sql;

import java.time.Instant;
import java.util.List;
import org.h2.command.Prepared;
import org.h2.message.DbException;
import org.h2.result.ResultInterface;
import org.h2.value.Value;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.mysql.ResultSetEncoder;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.service.Engine.Executed;

/// A query: its result goes out as packets.
final class Reading implements Execution {
    @Override
    public Executed run(
            PooledSession session,
            Statement statement,
            StatementCall call,
            Instant now,
            PacketCounter parts,
            Catalogue catalogue) {
        Prepared prepared = session.prepare(call.database(), call.sql(), catalogue.version());
        PooledSession.bind(prepared, call.values());
        Executed executed = encode(prepared, call, parts, catalogue);
        session.keep(call.database(), call.sql(), prepared);
        return executed;
    }

    static Executed encode(
            Prepared prepared, StatementCall call, PacketCounter parts, Catalogue catalogue) {
        ResultSetEncoder encoder =
                new ResultSetEncoder(parts, call.binaryRows(), call.statusFlags());
        ResultInterface result = prepared.query(0);
        encoder.columns(ResultColumns.of(result, catalogue.byName()));
        int columns = result.getVisibleColumnCount();
        SqlValue[] row = new SqlValue[columns];
        while (result.next()) {
            Value[] values = result.currentRow();
            for (int i = 0; i < columns; i++) {
                row[i] = Values.fromH2(values[i]);
            }
            encoder.row(row);
        }
        return new Executed(new ReplicaReply.Rows(encoder.finish()), List.of());
    }

    @Override
    public Executed failed(DbException error, Statement statement, StatementCall call) {
        throw error;
    }
}
