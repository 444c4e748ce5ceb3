package org.quiredb.tpcw.population;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.quiredb.tpcw.random.TpcwRandom;
import org.quiredb.tpcw.schema.Schema;

/// Spreads the work over a few connections.
///
/// Threads: load() and addKeys() by one owner; what they start reports under the lock.
final class Loader {

    private static final int CHUNK_ROWS = 1000;

    /// Opens a connection for one worker.
    interface Connector {
        Connection connect() throws SQLException;
    }

    /// One piece of work on a connection.
    private interface Job {
        void run(Connection connection) throws SQLException;
    }

    private final Connector connector;
    private final int connections;
    private final long seed;
    private final PopulationProgress progress;
    private final ReentrantLock lock = new ReentrantLock();
    private long rows;

    Loader(Connector connector, int connections, long seed, PopulationProgress progress) {
        this.connector = connector;
        this.connections = connections;
        this.seed = seed;
        this.progress = progress;
    }

    /// Fills every table but the countries.
    void load(Size size) throws SQLException {
        var jobs = new ArrayList<Job>();
        jobs.addAll(chunks(size, 1, size.items(), new Items(size)));
        jobs.addAll(chunks(size, 2, size.authors(), new Authors(size)));
        jobs.addAll(chunks(size, 3, size.addresses(), new Addresses()));
        jobs.addAll(chunks(size, 4, size.customers(), new Customers(size)));
        jobs.addAll(chunks(size, 5, size.orders(), new Orders(size)));
        runAll(jobs);
    }

    /// Adds indexes and foreign keys, table by table.
    void addKeys(Size size) throws SQLException {
        runAll(
                List.of(connection -> {
                    for (String table : Schema.TABLES) {
                        progress.reached(
                                "keys of " + table, size.numberedRows(), size.numberedRows());
                        Schema.addKeys(connection, table);
                    }
                }));
    }

    private List<Job> chunks(Size size, int stream, int count, Filler filler) {
        var jobs = new ArrayList<Job>();
        for (int first = 1; first <= count; first += CHUNK_ROWS) {
            int start = first;
            int end = Math.min(count, first + CHUNK_ROWS - 1);
            jobs.add(connection -> {
                filler.fill(connection, start, end, TpcwRandom.seeded(seed, stream, start));
                connection.commit();
                report(end - start + 1, size.numberedRows());
            });
        }
        return jobs;
    }

    private void report(int more, long total) {
        lock.lock();
        try {
            rows += more;
            progress.reached("rows", rows, total);
        } finally {
            lock.unlock();
        }
    }

    /// Runs the jobs, the next one on whichever connection is free; the first failure stops all.
    private void runAll(List<Job> jobs) throws SQLException {
        var next = new AtomicInteger();
        try (var workers = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<?>>();
            for (int i = 0; i < Math.min(connections, jobs.size()); i++) {
                running.add(
                        workers.submit(() -> {
                            work(jobs, next);
                            return true;
                        }));
            }
            await(running);
        }
    }

    private void work(List<Job> jobs, AtomicInteger next) throws SQLException {
        try (Connection connection = connector.connect()) {
            connection.setAutoCommit(false);
            for (int i = next.getAndIncrement(); i < jobs.size(); i = next.getAndIncrement()) {
                jobs.get(i).run(connection);
            }
        } catch (SQLException e) {
            next.set(jobs.size());
            throw e;
        }
    }

    private static void await(List<Future<?>> running) throws SQLException {
        try {
            for (Future<?> worker : running) {
                worker.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException failure) {
                throw failure;
            }
            throw new IllegalStateException("The population failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("The population was interrupted", e);
        }
    }
}
