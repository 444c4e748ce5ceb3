package org.quiredb.replica.sql;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.sql.SQLException;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.value.ValueTimestampTimeZone;

/// The H2 database and its sessions, each used by one statement at a time.
///
/// Threads: any. There are as many sessions as there ever were statements at once; past `KEPT` they
/// are closed after use.
final class Sessions implements AutoCloseable {
    private static final int KEPT = 64;
    private static final VarHandle TIMESTAMP = timestamp();

    private final String url =
            "jdbc:h2:mem:"
                    + UUID.randomUUID()
                    + ";MODE=MySQL;CASE_INSENSITIVE_IDENTIFIERS=TRUE;DATABASE_TO_UPPER=FALSE"
                    + ";NON_KEYWORDS=VALUE,USER,DAY,HOUR,MINUTE,MONTH,SECOND,YEAR,ARRAY,ASYMMETRIC,AUTHORIZATION,MINUS,QUALIFY,ROWNUM,SYMMETRIC,TOP,UESCAPE;DB_CLOSE_DELAY=-1;TIME ZONE=UTC;DEFAULT_TABLE_ENGINE="
                    + QuireTableEngine.class.getName();
    private final ConcurrentLinkedDeque<PooledSession> idle = new ConcurrentLinkedDeque<>();
    private final AtomicInteger idleCount = new AtomicInteger();
    private final StatementCollation collation = new StatementCollation();
    private final JdbcConnection first = first();

    private static VarHandle timestamp() {
        try {
            return MethodHandles.privateLookupIn(SessionLocal.class, MethodHandles.lookup())
                    .findVarHandle(
                            SessionLocal.class, "currentTimestamp", ValueTimestampTimeZone.class);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "another H2 than the one pinned: SessionLocal.currentTimestamp", e);
        }
    }

    /// What NOW() is for the session's next statement.
    static void fixNow(SessionLocal session, ValueTimestampTimeZone now) {
        TIMESTAMP.set(session, now);
    }

    private JdbcConnection first() {
        JdbcConnection connection = connect();
        try (java.sql.Statement statement = connection.createStatement()) {
            for (String declaration : MySqlFunctions.declarations()) {
                statement.execute(declaration);
            }
            ((SessionLocal) connection.getSession()).getDatabase().setCompareMode(collation);
            return connection;
        } catch (SQLException e) {
            throw new IllegalStateException("H2 does not take our functions", e);
        }
    }

    private JdbcConnection connect() {
        try {
            return new JdbcConnection(url, new Properties(), "quire", "", false);
        } catch (SQLException e) {
            throw new IllegalStateException("H2 does not open its database in memory", e);
        }
    }

    StatementCollation collation() {
        return collation;
    }

    /// Greater than every id at which a result was computed before.
    long nextModificationId() {
        return ((SessionLocal) first.getSession()).getDatabase().getNextModificationDataId();
    }

    PooledSession take() {
        PooledSession session = idle.pollFirst();
        if (session == null) {
            return new PooledSession(connect());
        }
        idleCount.decrementAndGet();
        return session;
    }

    void giveBack(PooledSession session) {
        if (idleCount.incrementAndGet() > KEPT) {
            idleCount.decrementAndGet();
            session.close();
        } else {
            idle.addFirst(session);
        }
    }

    void execute(String sql) throws SQLException {
        synchronized (first) {
            try (java.sql.Statement statement = first.createStatement()) {
                statement.execute(sql);
            }
        }
    }

    @Override
    public void close() {
        try {
            execute("SHUTDOWN IMMEDIATELY");
        } catch (SQLException e) {
            throw new IllegalStateException("H2 does not shut down", e);
        }
    }
}
