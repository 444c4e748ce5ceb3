package org.quiredb.replica.h2.session;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.sql.SQLException;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.engine.Database;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.value.ValueTimestampTimeZone;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.h2.function.MySqlFunctions;
import org.quiredb.replica.h2.statement.KeptRows;
import org.quiredb.replica.h2.statement.StatementCollation;
import org.quiredb.replica.h2.table.QuireTableEngine;

/// A database of H2 and its sessions, each used by one statement at a time. It ends when it is
/// retired and no statement runs on it any more.
///
/// Threads: any. There are as many sessions as there ever were statements at once; past `KEPT` they
/// are closed after use.
public final class H2Sessions {
    private static final int KEPT = 64;
    private static final int ENDED = Integer.MIN_VALUE / 2;

    /// Who makes tables.
    private static final String OWNER = "OWNER";

    /// Who runs clients' statements, and may do nothing but read and change rows of our tables: H2
    /// keeps files, links, scripts, aliases and settings from whoever is no administrator.
    private static final String STATEMENTS = "STATEMENTS";

    private static final VarHandle TIMESTAMP = timestamp();

    /// Of the database; only its owner may say them.
    private static final String SETTINGS =
            ";MODE=MySQL;CASE_INSENSITIVE_IDENTIFIERS=TRUE;DATABASE_TO_UPPER=FALSE;DB_CLOSE_DELAY=-1;DEFAULT_TABLE_ENGINE="
                    + QuireTableEngine.class.getName();

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";TIME ZONE=UTC";
    private final ConcurrentLinkedDeque<PooledSession> idle = new ConcurrentLinkedDeque<>();
    private final AtomicInteger idleCount = new AtomicInteger();

    /// The statements, and one for as long as it is not retired.
    private final AtomicInteger users = new AtomicInteger(1);

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
    public static void fixNow(SessionLocal session, ValueTimestampTimeZone now) {
        TIMESTAMP.set(session, now);
    }

    private JdbcConnection first() {
        JdbcConnection connection = connect(url + SETTINGS, OWNER);
        try (java.sql.Statement statement = connection.createStatement()) {
            statement.execute("CREATE USER " + STATEMENTS + " PASSWORD ''");
            for (String declaration : MySqlFunctions.declarations()) {
                statement.execute(declaration);
            }
            Database database = ((SessionLocal) connection.getSession()).getDatabase();
            database.setCompareMode(collation);
            database.setEventListener(new KeptRows.Progress());
            return connection;
        } catch (SQLException e) {
            throw new IllegalStateException("H2 does not take our functions", e);
        }
    }

    private JdbcConnection connect(String to, String user) {
        try {
            return new JdbcConnection(to, new Properties(), user, "", false);
        } catch (SQLException e) {
            throw new IllegalStateException("H2 does not open its database in memory", e);
        }
    }

    public StatementCollation collation() {
        return collation;
    }

    public Database database() {
        return ((SessionLocal) first.getSession()).getDatabase();
    }

    /// To be given back; null when this has ended.
    public @Nullable PooledSession take() {
        if (users.getAndUpdate(count -> count <= 0 ? count : count + 1) <= 0) {
            return null;
        }
        PooledSession session = idle.pollFirst();
        if (session != null) {
            idleCount.decrementAndGet();
            return session;
        }
        try {
            return new PooledSession(this, connect(url, STATEMENTS));
        } catch (RuntimeException e) {
            leave();
            throw e;
        }
    }

    void giveBack(PooledSession session) {
        if (idleCount.incrementAndGet() > KEPT) {
            idleCount.decrementAndGet();
            session.close();
        } else {
            idle.addFirst(session);
        }
        leave();
    }

    /// Instead of giving it back.
    public void end(PooledSession session) {
        session.close();
        leave();
    }

    /// Once.
    public void retire() {
        leave();
    }

    /// At once: statements under way fail.
    public void end() {
        if (users.getAndSet(ENDED) > 0) {
            shutDown();
        }
    }

    private void leave() {
        if (users.decrementAndGet() == 0) {
            shutDown();
        }
    }

    /// H2 would wait for a session that has run nothing but our prepared statements: for H2 it has
    /// not begun.
    private void shutDown() {
        for (SessionLocal session : database().getSessions(false)) {
            if (!session.equals(first.getSession())) {
                session.close();
            }
        }
        try {
            execute("SHUTDOWN IMMEDIATELY");
        } catch (SQLException e) {
            throw new IllegalStateException("H2 does not shut down", e);
        }
    }

    public void createSchema(String name) throws SQLException {
        execute("CREATE SCHEMA IF NOT EXISTS " + name);
        execute("GRANT SELECT, INSERT, UPDATE, DELETE ON SCHEMA " + name + " TO " + STATEMENTS);
    }

    public void execute(String sql) throws SQLException {
        synchronized (first) {
            try (java.sql.Statement statement = first.createStatement()) {
                statement.execute(sql);
            }
        }
    }
}
