package org.quiredb.node.history;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.quiredb.node.history.Transaction.Operation;
import org.quiredb.node.history.Transaction.Outcome;

/// Runs clients with seeds of their own against one storage and writes down what they see.
///
/// Threads: one at a time; each client is a thread of its own.
final class Recorder {
    private static final int TRANSACTIONS_PER_CLIENT = 30;
    private static final int KEYS = 6;

    private final Storage storage;
    private final AtomicInteger transactions = new AtomicInteger();
    private final AtomicInteger values = new AtomicInteger();

    private Recorder(Storage storage) {
        this.storage = storage;
    }

    /// @param connections one for each client
    static List<Transaction> record(Storage storage, List<Connection> connections, long seed)
            throws Exception {
        connections.getFirst().setReadOnly(false);
        connections.getFirst().setAutoCommit(true);
        Storage.reset(connections.getFirst(), KEYS);
        Recorder recorder = new Recorder(storage);
        List<Transaction> history = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<Transaction>>> clients = new ArrayList<>();
            for (int client = 0; client < connections.size(); client++) {
                int process = client;
                Random random = new Random(seed * 31 + client);
                clients.add(
                        threads.submit(
                                () -> recorder.client(process, connections.get(process), random)));
            }
            for (Future<List<Transaction>> client : clients) {
                history.addAll(client.get());
            }
        }
        for (int i = 0; i < connections.size(); i++) {
            history.add(recorder.readAll(i, connections.get(i)));
        }
        return history;
    }

    private List<Transaction> client(int process, Connection connection, Random random)
            throws SQLException {
        List<Transaction> seen = new ArrayList<>();
        for (int i = 0; i < TRANSACTIONS_PER_CLIENT; i++) {
            boolean readOnly = random.nextInt(100) < 50;
            boolean alone = random.nextInt(100) < 20;
            connection.setAutoCommit(true);
            connection.setReadOnly(readOnly);
            connection.setAutoCommit(alone && (readOnly || storage == Storage.LISTS));
            seen.add(run(process, connection, readOnly, random));
        }
        return seen;
    }

    private Transaction run(int process, Connection connection, boolean readOnly, Random random)
            throws SQLException {
        List<Operation> operations = new ArrayList<>();
        int length = connection.getAutoCommit() ? 1 : random.nextInt(1, 5);
        long start = System.nanoTime();
        Outcome outcome;
        try {
            for (int i = 0; i < length; i++) {
                int key = random.nextInt(KEYS);
                if (readOnly || random.nextInt(100) < 40) {
                    operations.add(storage.read(connection, key));
                } else {
                    storage.append(connection, key, values.incrementAndGet(), operations);
                }
            }
            outcome = end(connection, random.nextInt(100) < 10);
        } catch (SQLException e) {
            if (e.getErrorCode() != 1213 && e.getErrorCode() != 1205) {
                throw e;
            }
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            outcome = Outcome.ABORTED;
        }
        return new Transaction(
                transactions.incrementAndGet(),
                process,
                start,
                System.nanoTime(),
                outcome,
                operations);
    }

    private static Outcome end(Connection connection, boolean rollback) throws SQLException {
        if (connection.getAutoCommit()) {
            return Outcome.COMMITTED;
        }
        if (rollback) {
            connection.rollback();
            return Outcome.ABORTED;
        }
        connection.commit();
        return Outcome.COMMITTED;
    }

    private Transaction readAll(int process, Connection connection) throws SQLException {
        connection.setAutoCommit(true);
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        List<Operation> operations = new ArrayList<>();
        long start = System.nanoTime();
        for (int key = 0; key < KEYS; key++) {
            operations.add(storage.read(connection, key));
        }
        connection.commit();
        return new Transaction(
                transactions.incrementAndGet(),
                process,
                start,
                System.nanoTime(),
                Outcome.COMMITTED,
                operations);
    }
}
