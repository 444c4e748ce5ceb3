package org.quiredb.scheduler.fallback;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.scheduler.fallback.connection.BackendLogin;
import org.quiredb.scheduler.fallback.connection.BackendSession;
import org.quiredb.scheduler.fallback.connection.DriverErrors;
import org.quiredb.scheduler.fallback.connection.PooledConnection;
import org.quiredb.scheduler.fallback.connection.Seats;
import org.quiredb.scheduler.fallback.connection.Server;

/// The databases that hold the same, of which work runs on the one that answered last.
///
/// Threads: any, virtual ones. At most as many connections are used as there are seats; whoever
/// finds none waits.
final class Databases implements AutoCloseable {
    /// How long one of several databases may take for what needs no time, before it counts as lost.
    private static final int ANSWER_MILLIS = 1_000;

    /// For so long every database may be behind, or away, before the client is told.
    private static final long BEHIND_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int TOO_MANY_CONNECTIONS = 1040;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final List<Server> servers;
    private final Seats seats;
    private final CountDownLatch warm;
    private volatile int preferred;

    /// @param longConnections beyond the maximum, for what takes long
    Databases(
            List<String> urls,
            String user,
            String password,
            int maximumConnections,
            int longConnections) {
        int answerMillis = urls.size() > 1 ? ANSWER_MILLIS : 0; // else there is nobody else to ask
        int all = maximumConnections + longConnections;
        servers =
                urls.stream()
                        .map(url -> new Server(url, user, password, answerMillis, all))
                        .toList();
        warm = new CountDownLatch(servers.size());
        seats = new Seats(maximumConnections, longConnections);
    }

    List<Server> all() {
        return servers;
    }

    /// The one that all schedulers have to have in the first place.
    Server first() {
        return servers.getFirst();
    }

    /// The one that answered last.
    Server preferred() {
        return servers.get(preferred);
    }

    /// To be closed by who has taken it.
    Seats.Seat seat() {
        return seats.take();
    }

    /// Whether there is more than one database.
    boolean several() {
        return servers.size() > 1;
    }

    /// Begins to open a connection to each database: the driver's first one takes long, and the
    /// clients of a scheduler that died come all at once.
    void warmUp() {
        for (Server server : servers) {
            Thread.ofVirtual()
                    .name("backend")
                    .start(() -> {
                        try {
                            server.giveBack(server.open(BackendLogin.OWN), true);
                        } catch (SQLException e) {
                            // Whoever needs it is told.
                        } finally {
                            warm.countDown();
                        }
                    });
        }
    }

    /// Whether {@link #isUtc} waits for nothing.
    boolean knowsZone() {
        return warm.getCount() == 0;
    }

    /// Whether the tier's own time zone is that of sessions that set none. Waits for {@link
    /// #warmUp}, which must have been called. A scheduler that has found no database yet says that
    /// it is.
    boolean isUtc() {
        try {
            warm.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (Server server : servers) {
            if (!server.isUtc()) {
                return false;
            }
        }
        return true;
    }

    /// Whether group_concat_max_len of sessions that set none is MariaDB's default, on all.
    boolean joinAsUsual() {
        return servers.stream().allMatch(Server::joinsAsUsual);
    }

    interface Work<T> {
        T on(PooledConnection pooled) throws SQLException;
    }

    <T> T with(BackendSession session, Work<T> work) {
        return with(session, () -> true, work);
    }

    /// @param repeatable whether the work can be begun anew on another database
    <T> T with(BackendSession session, BooleanSupplier repeatable, Work<T> work) {
        try (Seats.Seat seat = seats.take()) {
            StopSignal ours = new StopSignal();
            seat.keptFor(ours::request);
            try (StopSignal.Watch _ = StopSignal.current().watch(ours::request)) {
                return ours.during(
                        () -> onOne(session, repeatable, pooled -> with(pooled, session, work)));
            } catch (RuntimeException e) {
                throw seat.evicted() ? Seats.evictedFor(e) : e;
            }
        }
    }

    static <T> T with(PooledConnection pooled, BackendSession session, Work<T> work)
            throws SQLException {
        boolean healthy = false;
        try {
            pooled.take(session);
            T result = work.on(pooled);
            healthy = !pooled.stopped() && pooled.leave();
            return result;
        } catch (SQLException e) {
            healthy = !DriverErrors.isLost(e) && !pooled.stopped() && pooled.leave();
            throw e;
        } finally {
            pooled.server().giveBack(pooled, healthy);
        }
    }

    interface Attempt<T> {
        /// Gives the connection back, unless it succeeds and keeps it.
        T on(PooledConnection pooled) throws SQLException;
    }

    /// On the database that answered last, or else on the next that does. Where those that answer
    /// are behind, which a current one is for a moment only, they are asked again.
    <T> T onOne(BackendSession session, BooleanSupplier repeatable, Attempt<T> attempt) {
        long deadlineNanos = System.nanoTime() + BEHIND_NANOS;
        while (true) {
            SQLException lost = null;
            boolean behind = false;
            int first = preferred;
            for (int i = 0; i < servers.size(); i++) {
                int number = (first + i) % servers.size();
                try {
                    T result = attempt.on(open(servers.get(number), session));
                    preferred = number;
                    return result;
                } catch (BehindException e) {
                    behind = true;
                    lost = e;
                } catch (SQLException e) {
                    if (!DriverErrors.isLost(e) || !repeatable.getAsBoolean()) {
                        throw DriverErrors.failure(e);
                    }
                    servers.get(number).close(); // a connection is seldom lost alone
                    lost = e;
                }
            }
            if (!behind || System.nanoTime() - deadlineNanos > 0) {
                throw DriverErrors.failure(Objects.requireNonNull(lost));
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /// What refuses a connection is no error of the statement: an account of our own whose password
    /// was changed, too many connections. What refuses the client's account is for the client.
    static PooledConnection open(Server server, BackendSession session) throws SQLException {
        try {
            return server.open(session);
        } catch (SQLException e) {
            if (!session.login().isOwn() && e.getErrorCode() != TOO_MANY_CONNECTIONS) {
                throw e;
            }
            throw new SQLException(
                    "it takes no connection, error %d (%s)"
                            .formatted(e.getErrorCode(), e.getSQLState()),
                    "08001",
                    e);
        }
    }

    /// Of several databases one may be behind, since it was lost or is not waited for.
    void requireFresh(Freshness freshness, Map<ConflictClass, Long> applied) throws SQLException {
        if (several() && !freshness.metBy(applied)) {
            throw new BehindException(applied);
        }
    }

    /// Waits until a connection that is no other's shows what an answer must show.
    void awaitReached(PooledConnection pooled, Freshness freshness) throws SQLException {
        if (!several() || !freshness.asked()) {
            return;
        }
        long deadlineNanos = System.nanoTime() + BEHIND_NANOS;
        while (!freshness.metBy(pooled.server().applied(pooled))) {
            StopSignal.current().check();
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new QuireException(
                        ErrorCode.TIER_UNAVAILABLE,
                        "the backend with the client's temporary tables is behind the tier");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /// A database that answers, but does not have yet what the statement must show.
    private static final class BehindException extends SQLException {
        private static final long serialVersionUID = 1;

        BehindException(Map<ConflictClass, Long> applied) {
            super("it is behind the tier: " + applied, "08S01");
        }
    }

    @Override
    public void close() {
        servers.forEach(Server::close);
    }
}
