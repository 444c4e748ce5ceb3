package org.quiredb.node.lab;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.cluster.ProcessOptions;

/// Cuts one of two schedulers, the slave and a client off together, and lets a writer go on at the
/// other scheduler. The client on the island must never be shown less than what was acknowledged
/// before it asked.
final class IslandMain {
    private static final List<String> ISLAND = List.of("scheduler-2", "slave-1", "client");
    private static final long LONGER_THAN_IT_TAKES_MILLIS = 8_000;

    private final AtomicInteger acknowledged = new AtomicInteger();
    private final PrintStream out = System.out;
    private volatile boolean writing = true;
    private volatile long cutAtNanos;
    private volatile int acknowledgedAtCut;

    public static void main(String[] arguments) throws Exception {
        new IslandMain().run(Path.of(arguments[0]));
    }

    private void run(Path data) throws Exception {
        LabNetwork network = new LabNetwork();
        LabTier.Layout layout = new LabTier.Layout(1, 1, 1, new ClusterConfig.Copies(2, 1));
        ProcessOptions options =
                new ProcessOptions(data.resolve("processes"), 0, 1_200, 3, network);
        try (LabTier tier =
                new LabTier(
                        data,
                        3306,
                        layout,
                        backend -> {
                            try (Connection direct =
                                    DriverManager.getConnection(
                                            backend.jdbcUrl(), LabTier.ACCOUNT, LabTier.ACCOUNT)) {
                                Ledger.create(direct);
                            }
                        },
                        config -> LocalCluster.processes(config, options),
                        network)) {
            Process client = client(network, data, tier.cluster());
            Thread writer = Thread.ofPlatform().start(() -> write(tier.cluster()));
            List<String> stale = new ArrayList<>();
            try (BufferedReader answers = client.inputReader();
                    PrintStream questions =
                            new PrintStream(
                                    client.getOutputStream(), true, StandardCharsets.UTF_8)) {
                int answered = 0;
                while (answered < 20) {
                    answered += ask(questions, answers, stale);
                }
                network.island(ISLAND);
                cutAtNanos = System.nanoTime();
                acknowledgedAtCut = acknowledged.get() + 1; // one may be under way
                Thread healer = Thread.ofPlatform().start(() -> heal(network));
                while (healer.isAlive()) {
                    answered += ask(questions, answers, stale);
                }
                tier.cluster().awaitReturn("slave-1");
                answered += ask(questions, answers, stale);
                out.println(answered + " answers");
            }
            writing = false;
            writer.join();
            out.println("identical " + tier.cluster().verify().identical());
            stale.forEach(out::println);
            out.println(stale.size() + " stale");
        }
    }

    private static Process client(LabNetwork network, Path data, LocalCluster tier)
            throws IOException {
        List<String> command = new ArrayList<>(network.launcher("client"));
        command.addAll(
                List.of(
                        data.resolve("program/bin/mariadb").toString(),
                        "--host=" + network.host("scheduler-2"),
                        "--port=" + tier.ports().getLast(),
                        "--user=" + LabTier.ACCOUNT,
                        "--password=" + LabTier.ACCOUNT,
                        "--skip-ssl",
                        "--skip-column-names",
                        "--batch",
                        "--force",
                        "--unbuffered"));
        return new ProcessBuilder(command)
                .redirectError(data.resolve("client.log").toFile())
                .start();
    }

    private int ask(PrintStream questions, BufferedReader answers, List<String> stale)
            throws IOException {
        int atLeast = acknowledged.get();
        long beganNanos = System.nanoTime();
        questions.println("SELECT COUNT(*) FROM ledger.entry;");
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("the client has ended");
        }
        int entries = Integer.parseInt(line);
        long tookMillis = (System.nanoTime() - beganNanos) / 1_000_000;
        if (tookMillis > 300) {
            out.printf(
                    "a read that was asked for at %d ms took %d ms%n", at(beganNanos), tookMillis);
        }
        if (entries < atLeast) {
            stale.add("at %d ms %d of %d".formatted(at(beganNanos), entries, atLeast));
        }
        return 1;
    }

    private void write(LocalCluster tier) {
        String url = "jdbc:mysql://%s/ledger".formatted(tier.endpoints().getFirst());
        try (Connection connection =
                        DriverManager.getConnection(url, LabTier.ACCOUNT, LabTier.ACCOUNT);
                Statement statement = connection.createStatement()) {
            for (int number = 1; writing; number++) {
                long beganNanos = System.nanoTime();
                statement.executeUpdate(
                        "INSERT INTO entry (writer, number) VALUES (1, %d)".formatted(number));
                acknowledged.incrementAndGet();
                long tookMillis = (System.nanoTime() - beganNanos) / 1_000_000;
                if (tookMillis > 300) {
                    out.printf("a write begun at %d ms took %d ms%n", at(beganNanos), tookMillis);
                }
            }
        } catch (SQLException e) {
            out.println("the writer ended: " + e);
        }
    }

    private void heal(LabNetwork network) {
        try {
            Thread.sleep(LONGER_THAN_IT_TAKES_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (acknowledged.get() > acknowledgedAtCut) {
            out.println("commits went on during the cut");
        }
        ISLAND.forEach(network::heal);
    }

    /// From the cut.
    private long at(long nanos) {
        return cutAtNanos == 0 ? -1 : (nanos - cutAtNanos) / 1_000_000;
    }
}
