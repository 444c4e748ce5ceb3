package org.quiredb.scheduler.fallback.connection;

import com.mysql.cj.jdbc.JdbcConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.quiredb.scheduler.classify.StoredCalls;
import org.quiredb.sql.text.Tokens;

/// A connection to the backend and the session that it last took on.
///
/// Threads: one at a time, by the pool.
public final class PooledConnection {
    private static final int VALID_TIMEOUT_SECONDS = 2;
    private static final long TRUSTED_NANOS = 5_000_000_000L;
    private static final int KEPT_CHARACTERS = 64 * 1024;
    private static final long RIGHTS_NANOS = 60_000_000_000L;
    private static final int NO_DEFAULT = 1230;

    private final Server server;
    private final BackendLogin login;
    private final Connection connection;
    private @Nullable BackendSession taken;
    private boolean stopped;
    private boolean spoiled;
    private boolean unclear;
    private boolean hasMore;
    private boolean moved;
    private boolean inDatabase;
    private boolean reading;
    private final long changesOfRights;
    private long settledNanos = System.nanoTime();
    private long usedNanos = settledNanos;

    /// @param changesOfRights that the server had seen before it was opened
    PooledConnection(
            Server server, BackendLogin login, Connection connection, long changesOfRights) {
        this.changesOfRights = changesOfRights;
        this.server = server;
        this.login = login;
        this.connection = connection;
    }

    public Server server() {
        return server;
    }

    /// For a statement on it.
    public Killer stoppable() {
        return new Killer(this);
    }

    /// A statement was stopped on it, which might yet show.
    void wasStopped() {
        stopped = true;
    }

    public boolean stopped() {
        return stopped;
    }

    /// Its transaction is perhaps not what it was.
    public void unclear() {
        unclear = true;
    }

    public boolean isUnclear() {
        return unclear;
    }

    /// @return whether it answers with rows
    public boolean execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            return statement.execute(sql);
        }
    }

    /// As the server said with its last answer.
    public boolean inTransaction() throws SQLException {
        return connection
                .unwrap(JdbcConnection.class)
                .getSession()
                .getServerSession()
                .inTransactionOnServer();
    }

    /// Whatever its transaction was, it is in none.
    public void rollBack() throws SQLException {
        boolean _ = execute("ROLLBACK");
        unclear = false;
    }

    /// As the server's KILL names it.
    long id() throws SQLException {
        return connection.unwrap(JdbcConnection.class).getId();
    }

    public BackendLogin login() {
        return login;
    }

    public Connection connection() {
        return connection;
    }

    /// Whether it has, or had, a current database.
    boolean inDatabase() {
        return inDatabase;
    }

    /// Whether its account's rights are those that it was opened with, as far as is known.
    boolean hasItsRights(long changesNow) {
        return login.isOwn() || changesOfRights == changesNow;
    }

    boolean isOld() {
        return !login.isOwn() && System.nanoTime() - settledNanos > RIGHTS_NANOS;
    }

    /// Though it is old.
    void goesOn() {
        settledNanos = System.nanoTime();
    }

    boolean usable() throws SQLException {
        return System.nanoTime() - usedNanos < TRUSTED_NANOS
                || connection.isValid(VALID_TIMEOUT_SECONDS);
    }

    /// How much it lacks of a session: nothing, what is in none, or it has another one.
    int distanceTo(BackendSession session) {
        BackendSession has = taken;
        if (has == null) {
            return 1;
        }
        boolean same = has.equals(session) || !session.newSince(has).isEmpty();
        return same && !hasMore ? 0 : 2;
    }

    public void take(BackendSession session) throws SQLException {
        usedNanos = System.nanoTime();
        if (session.equals(taken) && !hasMore) {
            return;
        }
        Map<String, String> changed = taken == null || hasMore ? Map.of() : session.newSince(taken);
        if (!changed.isEmpty()) {
            spoiled();
            try (Statement statement = connection.createStatement()) {
                set(statement, changed);
            }
            taken = session;
            spoiled = false;
            return;
        }
        boolean fresh = taken == null && !spoiled;
        if (!fresh) {
            reset();
        }
        spoiled = true; // until all of it is made
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            if (!session.database().isEmpty()) {
                inDatabase = true;
                statement.execute("USE `" + session.database().replace("`", "``") + "`");
            }
            for (String assignment : session.assignments()) {
                assign(assignment);
            }
            set(statement, session.values());
        }
        taken = session;
        spoiled = false;
        hasMore = false;
        moved = false;
    }

    /// What it is given may come out of a view, which calls what changes rows, or of a function
    /// that reads one.
    void assign(String assignment) throws SQLException {
        Tokens tokens = Tokens.of(assignment).plain();
        boolean reads =
                Tokens.mentions(assignment, "SELECT")
                        || StoredCalls.in(tokens, true)
                        || StoredCalls.in(tokens, false);
        if (reads) {
            beginReading(assignment);
        }
        boolean _ = execute(assignment);
        if (reads) {
            rollBack();
            reading = false;
        }
    }

    /// Makes an assignment that does not last.
    public boolean tries(String assignment) throws SQLException {
        try {
            assign(assignment);
            return true;
        } finally {
            spoiled();
        }
    }

    /// Whether the session that it has taken on shows texts as they are in UTF-8, as the connection
    /// does by itself.
    public boolean showsUtf8() {
        BackendSession session = taken;
        return session != null
                && session.assignments().stream()
                        .noneMatch(assignment ->
                                (Tokens.mentions(assignment, "NAMES")
                                                || Tokens.mentions(assignment, "CHARACTER"))
                                        && !assignment.equalsIgnoreCase("SET NAMES utf8mb4"));
    }

    private static void set(Statement statement, Map<String, String> values) throws SQLException {
        if (!values.isEmpty()) {
            statement.setEscapeProcessing(false);
            statement.execute(
                    values.entrySet().stream()
                            .map(value -> value.getKey() + " = " + value.getValue())
                            .collect(Collectors.joining(", ", "SET ", "")));
        }
    }

    /// A statement of the session leaves more in it than it was told to take on. Within a
    /// transaction the session goes on with that.
    public void getsMore() {
        hasMore = true;
    }

    /// As {@link #getsMore}, by a statement that is taken back, or may come to nothing elsewhere:
    /// the client's variables are what its session says.
    public void movesVariables() {
        hasMore = true;
        moved = true;
    }

    /// Nothing of what any session had in it is left, locks neither.
    public void reset() throws SQLException {
        spoiled();
        server.quickly(
                connection,
                () -> {
                    connection.unwrap(JdbcConnection.class).resetServerState();
                    return true;
                });
        spoiled = false;
        hasMore = false;
        moved = false;
    }

    /// It has more than what it was told to take on.
    void spoiled() {
        taken = null;
        spoiled = true;
    }

    /// Takes on what the session has set since, within the transaction that is open.
    public void follow(BackendSession session) throws SQLException {
        BackendSession before = taken;
        if (before == null || (session.equals(before) && !moved)) {
            return;
        }
        spoiled();
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            if (!session.database().equals(before.database())) {
                inDatabase = true;
                statement.execute("USE `" + session.database().replace("`", "``") + "`");
            }
            for (String variable : session.unsetSince(before)) {
                unset(statement, variable);
            }
            for (String assignment : session.assignments()) {
                if (!before.assignments().contains(assignment)) {
                    statement.execute(assignment);
                }
            }
            set(statement, session.values());
        }
        taken = session;
        spoiled = false;
        moved = false;
    }

    /// As a new session has it. What has no default is the seed of RAND(), which is used up.
    private static void unset(Statement statement, String variable) throws SQLException {
        try {
            statement.execute("SET SESSION " + OverlaySql.quote(variable) + " = DEFAULT");
        } catch (SQLException e) {
            if (e.getErrorCode() != NO_DEFAULT) {
                throw e;
            }
        }
    }

    /// Ends what a session without autocommit may have begun.
    ///
    /// @return whether another statement may have the connection. That it may not is nothing to the
    ///   client, whose statement has its result
    public boolean leave() {
        usedNanos = System.nanoTime();
        try {
            endTransaction();
        } catch (SQLException e) {
            return false;
        }
        if (taken != null && isLarge(taken)) {
            spoiled(); // nobody counts what is kept here
        }
        return true;
    }

    /// Until the next {@link #leave} the server refuses whatever changes rows, a change that it is
    /// only to explain as well: what a function changes meanwhile it then takes back. It locks none
    /// at any level of the session's, as outside of transactions.
    public void beginReading(String sql) throws SQLException {
        reading = true;
        String access = StoredCalls.explainsChange(Tokens.of(sql).plain()) ? "" : ", READ ONLY";
        boolean _ = execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ" + access);
        boolean _ = execute("START TRANSACTION");
    }

    /// Lets go of what a statement has begun that was to be one by itself.
    public void endTransaction() throws SQLException {
        if (reading || spoiled || (taken != null && !taken.assignments().isEmpty())) {
            reading = false;
            try (Statement statement = connection.createStatement()) {
                statement.execute("ROLLBACK");
            }
        }
    }

    private static boolean isLarge(BackendSession session) {
        return Stream.concat(session.assignments().stream(), session.values().values().stream())
                        .mapToLong(String::length)
                        .sum()
                > KEPT_CHARACTERS;
    }

    /// Without a word to the server, which has rows to send that nobody wants.
    public void cut() throws SQLException {
        connection.abort(Runnable::run);
    }

    void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            return; // it was broken, which is why it is closed
        }
    }
}
