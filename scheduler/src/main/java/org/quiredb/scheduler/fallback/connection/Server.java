package org.quiredb.scheduler.fallback.connection;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.schema.TriggerDefinition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.scheduler.account.Proofs;
import org.quiredb.scheduler.account.Secret;
import org.quiredb.sql.tree.TableName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One of the on-disk databases, with the connections to it that nobody uses now.
///
/// A connection is of one account. Where there are as many connections as may be, and none of the
/// account that one is wanted for, the one that was unused for longest makes room.
///
/// Invariant: a right that was taken from an account is soon gone on its connections, too. A server
/// settles rights on everything at the login, and those on the current database at USE; so a
/// client's connection is given out no more once rights have changed since it was opened. One that
/// is old makes way for a new one, if the account lets the client in still: other servers than the
/// one that was read may have changed, and in what is not read.
///
/// Threads: any.
public final class Server {
    /// An expression: whether the session's time zone is UTC. By moments of winters and summers, as
    /// the name of a system's zone is only what it is called at present.
    public static final String IS_UTC =
            "(UNIX_TIMESTAMP('1990-01-01') = 631152000"
                    + " AND UNIX_TIMESTAMP('1990-07-01') = 646790400"
                    + " AND UNIX_TIMESTAMP('2020-01-01') = 1577836800"
                    + " AND UNIX_TIMESTAMP('2020-07-01') = 1593561600)";

    private static final Logger LOG = LoggerFactory.getLogger(Server.class);
    private static final int USUAL_JOINED_BYTES = 1 << 20;
    private static final int LOGIN_MILLIS = 10_000;

    /// A schema change that waits and is seen waiting again so soon after is the same one.
    private static final long TRIED_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(3);

    /// What a session has that says nothing else, as after each reset. The driver comes with a
    /// collation of MySQL's, by which `'a'` is not `'a '`.
    private static final String USUAL_NAMES = "SET NAMES utf8mb4";

    private static final String PLAIN =
            """
            SELECT (SELECT COUNT(*) FROM information_schema.triggers
                    WHERE event_object_schema = ? AND event_object_table = ?
                        AND LOCATE(?, action_statement) <> 1) = 0
                AND (SELECT COUNT(*) FROM information_schema.tables
                    WHERE table_schema = ? AND table_name = ? AND engine = 'InnoDB') = 1\
            """;

    /// Of a view that Quire's account is not shown nobody knows what it reads, and MySQL opens no
    /// temporary table twice in a statement.
    private static final String HIDDEN =
            """
            SELECT VERSION() LIKE '%MariaDB%'
                AND (SELECT COUNT(*) FROM information_schema.triggers
                    WHERE event_object_schema = ? AND event_object_table = ?) = 0
                AND (SELECT COUNT(*) FROM information_schema.tables
                    WHERE table_schema = ? AND table_name = ?
                        AND engine IN ('MyISAM', 'Aria', 'MEMORY')) = 1
                AND (SELECT COUNT(*) FROM information_schema.tables
                    WHERE engine = 'MRG_MyISAM') = 0
                AND (SELECT COUNT(*) FROM information_schema.views
                    WHERE table_schema NOT IN ('sys', 'mysql', 'information_schema', 'performance_schema')
                        AND (view_definition = '' OR LOCATE(?, view_definition) > 0)) = 0\
            """;

    private final String url;
    private final Properties properties;
    private final int answerMillis;

    /// One at a time, beyond the bound, asks how far the server is.
    private final ReentrantLock aside = new ReentrantLock();

    private final int maximumConnections;
    private final Deque<PooledConnection> idle = new ConcurrentLinkedDeque<>();
    private final AtomicInteger connected = new AtomicInteger();
    private final AtomicLong changesOfRights = new AtomicLong();
    private volatile boolean utc = true;
    private volatile boolean joinsAsUsual = true;
    private long waitsSinceNanos = System.nanoTime();
    private long waitSeenNanos = waitsSinceNanos - 2 * TRIED_AGAIN_NANOS;

    /// @param user of Quire's own account
    /// @param answerMillis how long it may take for what a server that does not hang answers at
    ///   once, 0 for as long as it likes
    public Server(
            String url, String user, String password, int answerMillis, int maximumConnections) {
        this.url = url;
        this.properties = properties(user, password, answerMillis);
        this.answerMillis = answerMillis;
        this.maximumConnections = maximumConnections;
    }

    private static Properties properties(String user, String password, int answerMillis) {
        Properties properties = new Properties();
        properties.put("user", user);
        properties.put("password", password);
        properties.put("noDatetimeStringSync", "true");
        properties.put("readOnlyPropagatesToServer", "false"); // a client's setting is the server's
        properties.put("tinyInt1isBit", "true"); // else nothing tells it from another TINYINT
        properties.put("transformedBitIsBoolean", "true");
        properties.put("yearIsDateType", "false");
        properties.put("useServerPrepStmts", "true");
        properties.put("connectTimeout", "5000");
        properties.put("characterEncoding", "UTF-8");
        properties.put("characterSetResults", "UTF-8");
        properties.put("netTimeoutForStreamingResults", "0"); // the server's own
        properties.put("socketTimeout", Integer.toString(answerMillis)); // to connect
        return properties;
    }

    /// For what names the database of every table.
    public PooledConnection open(BackendLogin login) throws SQLException {
        return open(login, false, new BackendSession(login, "", List.of()));
    }

    /// For a client's session. No statement takes a connection out of a database again, so that one
    /// without a database needs a connection that never was in any.
    public PooledConnection open(BackendSession session) throws SQLException {
        return open(session.login(), session.database().isEmpty(), session);
    }

    private PooledConnection open(BackendLogin login, boolean outside, BackendSession wanted)
            throws SQLException {
        PooledConnection pooled;
        while ((pooled = idle(login, outside, wanted)) != null) {
            if (pooled.hasItsRights(changesOfRights.get()) && pooled.usable()) {
                return pooled.isOld() ? renewed(pooled) : pooled;
            }
            end(pooled);
        }
        if (connected.get() >= maximumConnections) {
            PooledConnection unused = idle.pollLast();
            if (unused != null) {
                end(unused);
            }
        }
        return fresh(login);
    }

    /// A new one over which a file may be sent, which is to be given back to nobody. No other may:
    /// the driver would open any file of this host that a server asks for.
    public PooledConnection openForFile(BackendLogin login) throws SQLException {
        Properties sending = of(login);
        sending.put("allowLoadLocalInfile", "true");
        return fresh(login, sending);
    }

    private PooledConnection fresh(BackendLogin login) throws SQLException {
        return fresh(login, of(login));
    }

    private PooledConnection fresh(BackendLogin login, Properties told) throws SQLException {
        long changesBefore = changesOfRights.get();
        Connection connection = connect(login, told);
        connected.incrementAndGet();
        return new PooledConnection(this, login, connection, changesBefore);
    }

    /// Of an account that has another password by now a session goes on with what it has.
    private PooledConnection renewed(PooledConnection old) {
        try {
            PooledConnection fresh = fresh(old.login());
            end(old);
            return fresh;
        } catch (SQLException e) {
            old.goesOn();
            return old;
        }
    }

    public void rightsChanged() {
        changesOfRights.incrementAndGet();
    }

    /// The one to which least has to be said, and of several the one that was used last.
    private @Nullable PooledConnection idle(
            BackendLogin login, boolean outside, BackendSession wanted) {
        return idle.stream()
                .filter(pooled -> pooled.login().equals(login))
                .filter(pooled -> !outside || !pooled.inDatabase())
                .sorted(Comparator.comparingInt(pooled -> pooled.distanceTo(wanted)))
                .filter(idle::removeFirstOccurrence) // unless another was quicker
                .findFirst()
                .orElse(null);
    }

    private Connection connect(BackendLogin login, Properties told) throws SQLException {
        Connection connection = DriverManager.getConnection(url, told);
        try {
            if (!login.isOwn()) {
                requireSame(login, connection);
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute(USUAL_NAMES);
            }
            ask(connection);
            connection.setNetworkTimeout(Runnable::run, 0);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private void ask(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery(
                                "SELECT "
                                        + IS_UTC
                                        + ", @@group_concat_max_len = "
                                        + USUAL_JOINED_BYTES)) {
            row.next();
            utc = row.getBoolean(1);
            joinsAsUsual = row.getBoolean(2);
        }
    }

    /// Whether group_concat_max_len of who sets none is MariaDB's default, as of the last
    /// connection; true before the first.
    public boolean joinsAsUsual() {
        return joinsAsUsual;
    }

    /// Whether UTC is the time zone of who sets none, as of the last connection; true before the
    /// first.
    public boolean isUtc() {
        return utc;
    }

    /// Which account the server has taken is for whoever runs it to know, not for a client.
    private void requireSame(BackendLogin login, Connection connection) throws SQLException {
        String current;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT CURRENT_USER()")) {
            row.next();
            current = String.valueOf(row.getString(1));
        }
        if (!login.isCurrent(current)) {
            LOG.warn(
                    "{} takes the scheduler for {} where '{}'@'{}' is meant: an account must be for the hosts of its clients and of the schedulers",
                    url,
                    current,
                    login.user(),
                    login.host());
            throw new SQLException(
                    "Access denied for user '%s'@'%s': the backend knows the account for other hosts than the scheduler's"
                            .formatted(login.user(), login.host()),
                    ErrorCode.ACCESS_DENIED.sqlState(),
                    ErrorCode.ACCESS_DENIED.number());
        }
    }

    private Properties of(BackendLogin login) {
        Properties own = new Properties();
        own.putAll(properties);
        own.put("useAffectedRows", Boolean.toString(login.countsChanged()));
        switch (login.secret()) {
            case Secret.Own _ -> {
                return own;
            }
            case Secret.Password password -> {
                own.put("password", password.password());
                own.put("allowPublicKeyRetrieval", "true"); // as an operator's own client would
            }
            case Secret.NativeHash hash -> {
                own.put("password", HexFormat.of().formatHex(hash.passwordHash()));
                own.put("authenticationPlugins", HashedPassword.class.getName());
                own.put("defaultAuthenticationPlugin", Proofs.NATIVE);
            }
        }
        own.put("user", login.user());
        if (answerMillis == 0) { // nobody else to ask, but who asks may have proved nothing
            own.put("socketTimeout", Integer.toString(LOGIN_MILLIS));
        }
        return own;
    }

    /// What a server answers at once.
    interface Quick<T> {
        T ask() throws SQLException;
    }

    /// @throws SQLException as for a lost connection when the server hangs
    <T> T quickly(Connection connection, Quick<T> quick) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, answerMillis);
        try {
            return quick.ask();
        } finally {
            if (!connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, 0);
            }
        }
    }

    public void giveBack(PooledConnection pooled, boolean healthy) {
        if (healthy) {
            idle.addFirst(pooled);
        } else {
            end(pooled);
        }
    }

    private void end(PooledConnection pooled) {
        connected.decrementAndGet();
        pooled.close();
    }

    /// What one of Quire's own connections is asked, beyond the bound.
    private interface Aside<T> {
        T ask(Connection connection) throws SQLException;
    }

    private <T> T aside(Aside<T> question) throws SQLException {
        aside.lock();
        try {
            PooledConnection pooled = open(BackendLogin.OWN);
            boolean healthy = false;
            try {
                pooled.take(BackendSession.OWN);
                T answer = question.ask(pooled.connection());
                healthy = true;
                return answer;
            } finally {
                giveBack(pooled, healthy);
            }
        } finally {
            aside.unlock();
        }
    }

    /// Whether somebody has waited for so long, be it in several tries, to change a table that a
    /// transaction has read. Threads: one.
    public boolean schemaWaits(long seconds) {
        boolean waits;
        try {
            waits = aside(Server::schemaWaits);
        } catch (SQLException e) {
            return false; // looked at again
        }
        long now = System.nanoTime();
        if (!waits) {
            return false;
        }
        if (now - waitSeenNanos > TRIED_AGAIN_NANOS) {
            waitsSinceNanos = now;
        }
        waitSeenNanos = now;
        return now - waitsSinceNanos >= TimeUnit.SECONDS.toNanos(seconds);
    }

    private static boolean schemaWaits(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT COUNT(*) FROM information_schema.processlist"
                                        + " WHERE state LIKE 'Waiting for%metadata lock'")) {
            return rows.next() && rows.getLong(1) > 0;
        }
    }

    /// The names of stored functions, in lower case.
    public Set<String> functions() throws SQLException {
        return aside(connection -> programs(connection, "FUNCTION"));
    }

    /// The names of packages, in lower case.
    public Set<String> packages() throws SQLException {
        return aside(connection -> quickly(connection, () -> programs(connection, "PACKAGE")));
    }

    private static Set<String> programs(Connection connection, String type) throws SQLException {
        Set<String> names = new HashSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT LOWER(routine_name) FROM information_schema.routines"
                                        + " WHERE routine_type = '%s' LIMIT 1000000"
                                                .formatted(type))) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    /// A view, as Quire's own account is shown it.
    public Optional<Routines.View> view(TableName name) throws SQLException {
        return aside(connection -> quickly(connection, () -> view(connection, name)));
    }

    private static Optional<Routines.View> view(Connection connection, TableName name)
            throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(
                        "SELECT table_schema, table_name, view_definition, security_type, collation_connection"
                                + " FROM information_schema.views"
                                + " WHERE table_schema = ? AND table_name = ? LIMIT 1")) {
            statement.setString(1, name.database());
            statement.setString(2, name.name());
            try (ResultSet row = statement.executeQuery()) {
                return row.next()
                        ? Optional.of(
                                new Routines.View(
                                        new TableName(row.getString(1), row.getString(2)),
                                        Objects.requireNonNullElse(row.getString(3), ""),
                                        row.getString(4).equals("INVOKER"),
                                        row.getString(5)))
                        : Optional.empty();
            }
        }
    }

    /// A stored program, as Quire's own account is shown it.
    public Optional<Routines.Routine> routine(boolean function, TableName name)
            throws SQLException {
        String shows =
                "SHOW CREATE %s %s.%s"
                        .formatted(
                                function ? "FUNCTION" : "PROCEDURE",
                                OverlaySql.quote(name.database()),
                                OverlaySql.quote(name.name()));
        return aside(connection -> quickly(connection, () -> shown(connection, shows, name)));
    }

    private static Optional<Routines.Routine> shown(
            Connection connection, String shows, TableName name) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(shows)) {
            row.next();
            String create = row.getString(3);
            if (create == null) {
                throw new SQLException(
                        "Quire's account is not shown what %s does".formatted(name),
                        ErrorCode.NOT_SUPPORTED_YET.sqlState(),
                        ErrorCode.NOT_SUPPORTED_YET.number());
            }
            return Optional.of(new Routines.Routine(create, row.getString(2), row.getString(6)));
        } catch (SQLException e) {
            if (e.getErrorCode() == ErrorCode.FUNCTION_DOES_NOT_EXIST.number()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /// Whether a table is one of InnoDB, and all triggers were made through the tier that it has,
    /// as far as Quire's own account sees.
    public boolean isPlain(String schema, String table) throws SQLException {
        return aside(connection -> {
            try (PreparedStatement question = connection.prepareStatement(PLAIN)) {
                question.setString(1, schema);
                question.setString(2, table);
                question.setString(3, TriggerDefinition.BEFORE);
                question.setString(4, schema);
                question.setString(5, table);
                try (ResultSet rows = question.executeQuery()) {
                    return rows.next() && rows.getBoolean(1);
                }
            }
        });
    }

    /// Whether a table has no transactions, and is hidden by a temporary one of its name from
    /// whatever runs: nothing fires there, and no view and no table of MERGE reads it.
    public boolean mayBeHidden(String schema, String table) throws SQLException {
        return aside(connection -> {
            try (PreparedStatement question = connection.prepareStatement(HIDDEN)) {
                question.setString(1, schema);
                question.setString(2, table);
                question.setString(3, schema);
                question.setString(4, table);
                question.setString(5, OverlaySql.quote(schema) + "." + OverlaySql.quote(table));
                try (ResultSet rows = question.executeQuery()) {
                    return rows.next() && rows.getBoolean(1);
                }
            }
        });
    }

    /// As another connection shows it, while one sends rows: no less than what these are of.
    public Map<ConflictClass, Long> applied() throws SQLException {
        return aside(connection -> quickly(connection, () -> positions(connection)));
    }

    /// The last commit of each class that a connection shows. A client's account may not read that:
    /// for it Quire's own looks, of which a transaction that the client's has begun knows nothing.
    public Map<ConflictClass, Long> applied(PooledConnection pooled) throws SQLException {
        return pooled.login().isOwn()
                ? quickly(pooled.connection(), () -> positions(pooled.connection()))
                : applied();
    }

    private static Map<ConflictClass, Long> positions(Connection connection) throws SQLException {
        Map<ConflictClass, Long> positions = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery( // whatever SQL_SELECT_LIMIT the session has
                                "SELECT class_name, commit_number FROM quire.applied LIMIT 1000000")) {
            while (rows.next()) {
                positions.put(new ConflictClass(rows.getString(1)), rows.getLong(2));
            }
        }
        return Map.copyOf(positions);
    }

    public void close() {
        PooledConnection pooled;
        while ((pooled = idle.pollFirst()) != null) {
            end(pooled);
        }
    }

    @Override
    public String toString() {
        return url;
    }
}
