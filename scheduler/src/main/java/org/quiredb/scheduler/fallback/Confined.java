package org.quiredb.scheduler.fallback;

import java.sql.SQLException;
import java.util.UUID;
import java.util.function.Consumer;
import org.quiredb.scheduler.fallback.connection.PooledConnection;
import org.quiredb.scheduler.fallback.connection.Routines;
import org.quiredb.scheduler.fallback.connection.ShownRoutines;

/// A unit of work on a connection which no statement can end, nor change a definition in it,
/// whoever wrote it: a distributed transaction. Within one a server refuses COMMIT, START
/// TRANSACTION and what commits by itself (1399), and only who knows its name can end it. One that
/// is read-only takes no changed rows either. Nothing of it is left when it is closed.
///
/// Threads: one; its connection's.
final class Confined implements AutoCloseable {
    private static final String LEVEL = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ";

    private final PooledConnection pooled;
    private final String name;
    private boolean called;

    private Confined(PooledConnection pooled, String name) {
        this.pooled = pooled;
        this.name = name;
    }

    /// @param writes whether rows may be changed until it is closed
    static Confined begin(PooledConnection pooled, boolean writes) throws SQLException {
        Confined confined = new Confined(pooled, "'quire " + UUID.randomUUID() + "'");
        if (pooled.isUnclear() || pooled.inTransaction()) {
            pooled.rollBack();
        }
        boolean _ = pooled.execute(LEVEL + (writes ? "WRITE" : "ONLY"));
        boolean _ = pooled.execute("XA START " + confined.name);
        return confined;
    }

    /// Of a CALL nobody knows what it leaves in the session: a lock, by way of a view, or a
    /// variable.
    Evaluated call(Routines.Look look, Consumer<byte[]> sink) throws SQLException {
        called = true;
        return ProcedureRun.toItsEnd(pooled, look.at(new ShownRoutines(pooled)), sink);
    }

    /// Likewise of a CALL that changes rows.
    void calls() {
        called = true;
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
