package org.quiredb.logger.set;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.quiredb.logger.active.StandbyException;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.BackendErrors;
import org.quiredb.logger.backend.Backends;
import org.quiredb.logger.backend.OlderLogException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings excluded backends that answer again up to date, and lets them in.
///
/// The records that one lacks are copied while commits go on; its appliers, which never stopped
/// trying, apply them. When it has applied nearly as much as a current one, the rest is copied
/// under the writer's lock in the transaction that makes it current. Each copying transaction finds
/// the membership that this logger gave the backend, so that a logger that was replaced copies
/// nothing.
///
/// Threads: its own; standing from any.
public final class CatchUp implements AutoCloseable {
    private static final Logger logger = LoggerFactory.getLogger(CatchUp.class);
    private static final int LOOK_MILLIS = 200;
    private static final int STALE_LOOKS = 25;
    private static final long NEARLY_COMMITS = 1000;

    private final Backends backends;
    private final SharedStore store;
    private final long silenceMillis;
    private final Map<String, BackendState> standings = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    public CatchUp(Backends backends, SharedStore store, long silenceMillis) {
        this.backends = backends;
        this.store = store;
        this.silenceMillis = silenceMillis * SharedStore.SILENCES_PER_STATEMENT;
        this.thread = Thread.ofVirtual().name("backend-catch-up").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    public BackendState standing(Backend backend) {
        if (backends.isCurrent(backend)) {
            return new BackendState.Current();
        }
        return Optional.ofNullable(standings.get(backend.name())).orElse(new BackendState.Away());
    }

    private void run() {
        try {
            for (int look = 0; !closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS); look++) {
                for (Backend backend : backends.all()) {
                    boolean stale = standing(backend) instanceof BackendState.Stale;
                    if (!backends.isCurrent(backend) && (!stale || look % STALE_LOOKS == 0)) {
                        stand(backend, bringUp(backend));
                    }
                }
            }
        } catch (InterruptedException e) {
            logger.debug("catching up was interrupted", e);
        } catch (StandbyException e) {
            logger.info("no backend is brought up to date any more: another logger does it");
        }
    }

    private void stand(Backend backend, BackendState standing) {
        BackendState before = standings.put(backend.name(), standing);
        if (standing instanceof BackendState.Stale(String reason) && !standing.equals(before)) {
            logger.error(
                    "{} cannot catch up: {}. Stop it, copy {} to it with the database quire, and start it.",
                    backend,
                    reason,
                    backends.first());
        }
    }

    private BackendState bringUp(Backend backend) {
        if (store.refusedLately(backend.name())) {
            return new BackendState.Away();
        }
        try (Connection to = backend.connect(silenceMillis)) {
            backend.prepare();
            to.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            to.setAutoCommit(false);
            return bringUp(backend, to);
        } catch (OlderLogException e) {
            return new BackendState.Stale(String.valueOf(e.getMessage()));
        } catch (SQLException e) {
            logger.debug("{} does not catch up yet", backend, e);
            return new BackendState.Away();
        }
    }

    private BackendState bringUp(Backend backend, Connection to) throws SQLException {
        try (Connection from = backends.connect()) {
            SetTable table = new SetTable(to);
            Membership seen = table.look().membership();
            if (seen.is(Membership.NONE)) {
                to.rollback();
                return new BackendState.Stale("it has never been one of the tier's backends");
            }
            Membership mine = store.atLeast(seen.generation());
            if (!seen.is(mine) && seen.generation() >= mine.generation()) {
                to.rollback();
                return new BackendState.CatchingUp(); // once more, under the next generation
            }
            table.put(mine, Version.NONE);
            LogCopy copy = new LogCopy(from, to);
            copy.records(() -> {
                to.commit();
                if (!table.look().membership().is(mine)) {
                    throw new SQLException(backend + " follows another logger", "08S01");
                }
            });
            boolean nearly = copy.behind() <= NEARLY_COMMITS;
            to.commit();
            if (nearly) {
                store.admit(backend.name());
            }
            return new BackendState.CatchingUp();
        } catch (LogCopy.StaleException e) {
            to.rollback();
            return new BackendState.Stale(String.valueOf(e.getMessage()));
        } catch (SQLException e) {
            if (!BackendErrors.isTransient(e)) {
                logger.warn("{} does not catch up: {}", backend, BackendErrors.describe(e));
            }
            throw e;
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(5000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
