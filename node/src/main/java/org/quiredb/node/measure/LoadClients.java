package org.quiredb.node.measure;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.quiredb.tpcw.random.TpcwRandom;

/// Clients that never pause, each with a connection and one prepared statement, in autocommit mode.
///
/// Threads: one; each client has its own.
final class LoadClients {
    private static final int DEADLOCK = 1213;
    private static final int LOCK_WAIT_TIMEOUT = 1205;
    private static final int FIRST_CAPACITY = 1_024;

    private final MeasuredServer server;
    private final Probe probe;
    private final int count;
    private final long seed;

    /// What one time with so many clients gave.
    ///
    /// @param perSecond answers
    /// @param medianMicros what a client waited
    /// @param retries statements that were a deadlock's victims
    record Answers(double perSecond, double medianMicros, double p99Micros, long retries) {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Client(long[] nanos, long retries) {}

    LoadClients(MeasuredServer server, Probe probe, int count, long seed) {
        this.server = server;
        this.probe = probe;
        this.count = count;
        this.seed = seed;
    }

    /// @throws SQLException when a statement fails for good
    Answers run(long millis) throws SQLException, InterruptedException {
        List<Connection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                connections.add(
                        DriverManager.getConnection(
                                server.url(probe.kind()), server.user(), server.password()));
            }
            long begin = System.nanoTime();
            long end = begin + millis * 1_000_000;
            List<Callable<Client>> clients = new ArrayList<>();
            for (Connection connection : connections) {
                TpcwRandom draw = TpcwRandom.seeded(seed, clients.size());
                clients.add(() -> client(connection, draw, end));
            }
            try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
                List<Client> done = new ArrayList<>();
                for (Future<Client> future : threads.invokeAll(clients)) {
                    done.add(future.get());
                }
                return answers(done, (System.nanoTime() - begin) / 1e9);
            } catch (ExecutionException e) {
                throw new SQLException(
                        "%s on %s: %s"
                                .formatted(
                                        probe.key(),
                                        server.bookstore(),
                                        String.valueOf(e.getCause())),
                        e);
            }
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }

    private Client client(Connection connection, TpcwRandom draw, long end) throws SQLException {
        long[] nanos = new long[FIRST_CAPACITY];
        int answered = 0;
        long retries = 0;
        try (PreparedStatement statement = connection.prepareStatement(probe.text())) {
            long begun = System.nanoTime();
            do {
                List<Object> values = probe.values().draw(draw);
                for (int i = 0; i < values.size(); i++) {
                    statement.setObject(i + 1, values.get(i));
                }
                long sent = System.nanoTime();
                try {
                    execute(statement);
                } catch (SQLException e) {
                    if (e.getErrorCode() != DEADLOCK && e.getErrorCode() != LOCK_WAIT_TIMEOUT) {
                        throw e;
                    }
                    retries++;
                    begun = System.nanoTime();
                    continue;
                }
                begun = System.nanoTime();
                if (answered == nanos.length) {
                    nanos = Arrays.copyOf(nanos, 2 * answered);
                }
                nanos[answered++] = begun - sent;
            } while (begun - end < 0 && !Thread.currentThread().isInterrupted());
        }
        return new Client(Arrays.copyOf(nanos, answered), retries);
    }

    private static void execute(PreparedStatement statement) throws SQLException {
        if (statement.execute()) {
            try (ResultSet rows = statement.getResultSet()) {
                while (rows.next()) {
                    rows.getObject(1);
                }
            }
        }
    }

    static Answers answers(List<long[]> nanosByClient, long retries, double seconds) {
        long[] all = nanosByClient.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        return new Answers(
                all.length / seconds, percentile(all, 0.5), percentile(all, 0.99), retries);
    }

    private static Answers answers(List<Client> clients, double seconds) {
        return answers(
                clients.stream().map(Client::nanos).toList(),
                clients.stream().mapToLong(Client::retries).sum(),
                seconds);
    }

    private static double percentile(long[] sortedNanos, double share) {
        return sortedNanos.length == 0
                ? 0
                : sortedNanos[
                                (int)
                                        Math.min(
                                                sortedNanos.length - 1L,
                                                (long) (share * sortedNanos.length))]
                        / 1e3;
    }
}
