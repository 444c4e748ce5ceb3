package org.quiredb.replica.sql;

import java.time.Instant;
import java.util.function.Consumer;
import org.h2.message.DbException;
import org.quiredb.common.message.StatementCall;
import org.quiredb.replica.service.Engine.Executed;

/// What is done with a statement on the session that is given to it.
interface Execution {
    Executed run(
            PooledSession session,
            Statement statement,
            StatementCall call,
            Instant now,
            Consumer<byte[]> parts,
            Catalogue catalogue);

    Executed failed(DbException error, Statement statement, StatementCall call);
}
