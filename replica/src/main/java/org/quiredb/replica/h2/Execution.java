package org.quiredb.replica.h2;

import java.util.function.Consumer;
import org.h2.message.DbException;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.replica.binding.BoundStatement;
import org.quiredb.replica.h2.catalogue.H2Catalogue;
import org.quiredb.replica.h2.session.PooledSession;
import org.quiredb.replica.h2.statement.Statement;

/// What is done with a statement on the session that is given to it.
interface Execution {
    ReplicaReply run(
            PooledSession session,
            Statement statement,
            BoundStatement bound,
            StatementCall call,
            Consumer<byte[]> parts,
            H2Catalogue catalogue);

    ReplicaReply failed(DbException error, Statement statement, StatementCall call);
}
