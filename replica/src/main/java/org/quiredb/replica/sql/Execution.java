package org.quiredb.replica.sql;

import java.time.Instant;
import org.h2.command.Prepared;
import org.h2.message.DbException;
import org.quiredb.common.message.StatementCall;
import org.quiredb.replica.service.Engine.Executed;

/// What is done with a statement once it is prepared.
interface Execution {
    Executed run(
            Prepared prepared,
            Statement statement,
            StatementCall call,
            Instant now,
            PacketCounter parts,
            Catalogue catalogue);

    Executed failed(DbException error, Statement statement, StatementCall call);
}
