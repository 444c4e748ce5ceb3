package org.quiredb.node.isolation;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.quiredb.simulation.history.Transaction;

/// Runs the clients of one history, with its fault, and collects what they saw.
final class Recorder {
    private static final int CLIENTS = 8;

    private Recorder() {}

    /// Something that happens to the tier while clients work.
    interface Disturbance {
        /// Returns when it is over.
        void run(Mix mix) throws Exception;
    }

    static List<Transaction> record(Mix mix, Client.Door door, Disturbance disturbance)
            throws Exception {
        try (Connection connection = door.open(0, 0)) {
            Tables.reset(connection, mix);
        }
        Keeper keeper = new Keeper();
        List<Client> clients = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> fault =
                    threads.submit(() -> {
                        disturbance.run(mix);
                        return null;
                    });
            List<Future<List<Transaction>>> running = new ArrayList<>();
            for (int process = 0; process < CLIENTS; process++) {
                Client client = new Client(door, process, mix, keeper);
                clients.add(client);
                running.add(threads.submit(() -> client.run(() -> !fault.isDone())));
            }
            for (Future<List<Transaction>> one : running) {
                one.get();
            }
            fault.get();
        }
        List<Transaction> history = new ArrayList<>();
        for (Client client : clients) {
            history.addAll(client.readAll());
            client.close();
        }
        return history;
    }
}
