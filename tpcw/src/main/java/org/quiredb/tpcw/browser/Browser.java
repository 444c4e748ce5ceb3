package org.quiredb.tpcw.browser;

import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.quiredb.tpcw.interaction.InteractionType;
import org.quiredb.tpcw.random.TpcwRandom;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// An emulated browser: shopper after shopper, on one connection, until it is stopped.
///
/// After a failure the connection is opened anew and another shopper comes in.
///
/// Threads: run() by one thread.
public final class Browser implements Runnable {

    private static final double MEAN_THINK_SECONDS = 7;
    private static final double MAX_THINK_SECONDS = 10 * MEAN_THINK_SECONDS;
    private static final long PAUSE_AFTER_FAILURE_MILLIS = 200;

    /// Opens a browser's connection.
    public interface Connector {
        TransactionRunner connect() throws SQLException;
    }

    private final TransitionMatrix matrix;
    private final BookstoreSize size;
    private final Connector connector;
    private final double thinkTimeScale;
    private final TpcwRandom draw;
    private final BrowserEvents events;
    private final CountDownLatch stop;
    private @Nullable TransactionRunner transactions;

    /// A browser that is not yet running.
    ///
    /// @param thinkTimeScale 1 for the specification's think time (7 s on average), 0 for none
    /// @param draw this browser's own
    /// @param stop ends the browser, after the interaction that it is in
    public Browser(
            Mix mix,
            BookstoreSize size,
            Connector connector,
            double thinkTimeScale,
            TpcwRandom draw,
            BrowserEvents events,
            CountDownLatch stop) {
        this.matrix = TransitionMatrix.of(mix);
        this.size = size;
        this.connector = connector;
        this.thinkTimeScale = thinkTimeScale;
        this.draw = draw;
        this.events = events;
        this.stop = stop;
    }

    @Override
    public void run() {
        try {
            browse();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            disconnect();
        }
    }

    private void browse() throws InterruptedException {
        var session = new ShopperSession(draw, size);
        var type = InteractionType.HOME;
        boolean stopped = stop.getCount() == 0;
        while (!stopped) {
            if (visit(session, type)) {
                double thinkSeconds = draw.exponential(MEAN_THINK_SECONDS, MAX_THINK_SECONDS);
                session.spend(thinkSeconds);
                stopped = pause(thinkSeconds * thinkTimeScale);
                type = matrix.next(type, draw);
                if (type == InteractionType.HOME && session.isOver()) {
                    session = new ShopperSession(draw, size);
                }
            } else {
                disconnect();
                stopped = stop.await(PAUSE_AFTER_FAILURE_MILLIS, TimeUnit.MILLISECONDS);
                session = new ShopperSession(draw, size);
                type = InteractionType.HOME;
            }
        }
    }

    /// Returns whether the request was answered.
    private boolean visit(ShopperSession session, InteractionType type) {
        TransactionRunner used = transactions;
        long retriesBefore = used == null ? 0 : used.retries();
        try {
            if (used == null) {
                used = connector.connect();
                transactions = used;
            }
            long updatesBefore = used.updateCommits();
            long readsBefore = used.readCommits();
            long start = System.nanoTime();
            session.visit(type, used);
            events.answered(
                    type,
                    System.nanoTime() - start,
                    used.updateCommits() - updatesBefore,
                    used.readCommits() - readsBefore,
                    used.retries() - retriesBefore);
            return true;
        } catch (SQLException e) {
            events.failed(type, e, used == null ? 0 : used.retries() - retriesBefore);
            return false;
        }
    }

    private boolean pause(double seconds) throws InterruptedException {
        return stop.await((long) (seconds * TimeUnit.SECONDS.toNanos(1)), TimeUnit.NANOSECONDS);
    }

    private void disconnect() {
        if (transactions != null) {
            try {
                transactions.close();
            } catch (SQLException e) {
                // A connection that cannot even be closed is gone, which is all that was wanted.
            }
            transactions = null;
        }
    }
}
