package org.quiredb.scheduler.fallback;

import java.sql.SQLException;
import java.util.UUID;
import java.util.function.Consumer;

/// A unit of work on a connection in which no statement can change a row or a definition, nor end
/// it, whoever wrote it: a transaction that is read-only and distributed. Within one a server
/// refuses COMMIT, START TRANSACTION and what commits by itself (1399), and only who knows its name
/// can end it. Nothing of it is left when it is closed.
///
/// Threads: one; its connection's.
final class Confined implements AutoCloseable {
    private static final String READ_ONLY =
            "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";

    private final PooledConnection pooled;
    private final String name;
    private boolean called;

    private Confined(PooledConnection pooled, String name) {
        this.pooled = pooled;
        this.name = name;
    }

    static Confined begin(PooledConnection pooled) throws SQLException {
        Confined confined = new Confined(pooled, "'quire " + UUID.randomUUID() + "'");
        pooled.rollBack();
        boolean _ = pooled.execute(READ_ONLY);
        boolean _ = pooled.execute("XA START " + confined.name);
        return confined;
    }

    /// Of a CALL nobody knows what it leaves in the session: a lock, by way of a view, or a
    /// variable.
    Outcome call(Routines.Look look, Consumer<byte[]> sink) throws SQLException {
        called = true;
        return ProcedureRun.run(pooled, look.at(new ShownRoutines(pooled)), sink);
    }

    @Override
    public void close() throws SQLException {
        boolean ended = false;
        try {
            boolean _ = pooled.execute("XA END " + name);
            boolean _ = pooled.execute("XA ROLLBACK " + name);
            if (called) {
                pooled.reset();
            }
            ended = true;
        } finally {
            if (!ended) {
                pooled.cut();
            }
        }
    }
}
