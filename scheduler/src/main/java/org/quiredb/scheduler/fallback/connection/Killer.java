package org.quiredb.scheduler.fallback.connection;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.quiredb.common.lifecycle.StopSignal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Has the backend stop what runs on a connection, once the stop is asked for: by KILL QUERY on
/// another connection, again and again, as one that comes before the statement has begun hits
/// nothing.
///
/// Invariant: when it is closed, no KILL of it is under way that could hit a later statement.
///
/// Threads: made and closed by the statement's; the KILLs come from a virtual one.
public final class Killer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Killer.class);
    private static final long PAUSE_MILLIS = 50;

    private final PooledConnection running;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch quiet = new CountDownLatch(1);
    private final StopSignal.Watch watch;
    private volatile boolean begun;

    Killer(PooledConnection running) {
        this.running = running;
        watch = StopSignal.current().watch(this::begin);
    }

    private void begin() {
        begun = true;
        Thread.ofVirtual().name("kill").start(this::kill);
    }

    private void kill() {
        try {
            long id = running.id();
            do {
                kill(id);
            } while (!ended.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (SQLException e) {
            LOG.debug("the statement's connection is lost", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            quiet.countDown();
        }
    }

    /// On a connection beyond the bound: those within it may all wait for what is to be stopped. It
    /// is of the same account, which may always do that.
    private void kill(long id) {
        Server server = running.server();
        try {
            PooledConnection other = server.open(running.login());
            boolean healthy = false;
            try (Statement statement = other.connection().createStatement()) {
                statement.execute("KILL QUERY " + id);
                healthy = true;
            } finally {
                server.giveBack(other, healthy);
            }
        } catch (SQLException e) {
            LOG.debug("a statement could not be stopped on the backend", e); // it is tried again
        }
    }

    @Override
    public void close() {
        watch.close();
        ended.countDown();
        boolean interrupted = false;
        while (begun && quiet.getCount() > 0) {
            try {
                quiet.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (begun) {
            running.wasStopped();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
