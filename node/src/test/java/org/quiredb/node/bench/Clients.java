package org.quiredb.node.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/// Connections that run one small transaction over and over, without think time.
///
/// Threads: one of its own for each client.
final class Clients {
    private static final int DEADLOCK = 1213;
    private static final int LOCK_WAIT_TIMEOUT = 1205;

    private final String url;
    private final int clients;
    private final LongAdder commits = new LongAdder();
    private final LongAdder aborts = new LongAdder();

    Clients(String url, int clients) {
        this.url = url;
        this.clients = clients;
    }

    /// What a transaction does; a client's number and its own random numbers make it differ.
    @FunctionalInterface
    interface Work {
        void run(Connection connection, int client, SplittableRandom random) throws SQLException;
    }

    void run(int seconds, boolean autocommit, Work work) throws Exception {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                int client = i;
                running.add(
                        threads.submit(() -> {
                            client(client, endNanos, autocommit, work);
                            return null;
                        }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
    }

    long commits() {
        return commits.sum();
    }

    /// Transactions that the server gave up: deadlocks and lock waits that took too long.
    long aborts() {
        return aborts.sum();
    }

    private void client(int client, long endNanos, boolean autocommit, Work work)
            throws SQLException {
        SplittableRandom random = new SplittableRandom(client);
        try (Connection connection = DriverManager.getConnection(url, "quire", "quire")) {
            connection.setAutoCommit(autocommit);
            while (System.nanoTime() < endNanos) {
                try {
                    work.run(connection, client, random);
                    if (!autocommit) {
                        connection.commit();
                    }
                    commits.increment();
                } catch (SQLException e) {
                    if (e.getErrorCode() != DEADLOCK && e.getErrorCode() != LOCK_WAIT_TIMEOUT) {
                        throw e;
                    }
                    aborts.increment();
                    if (!autocommit) {
                        connection.rollback();
                    }
                }
            }
        }
    }
}
