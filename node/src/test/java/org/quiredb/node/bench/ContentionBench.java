package org.quiredb.node.bench;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.tpcw.browser.Mix;
import org.quiredb.tpcw.population.Population;
import org.quiredb.tpcw.run.WorkloadConfig;
import org.quiredb.tpcw.run.WorkloadResult;

/// How often update transactions are aborted, and how long they wait for locks, with 16 clients
/// that never pause: docs/benchmarks.md.
///
/// Every workload runs once a round, in one order and then in the other, so that what changes on
/// the machine meanwhile meets all of them. The table shows medians over the rounds.
final class ContentionBench {
    private static final int CLIENTS = 16;
    private static final int ROWS = 64;
    private static final int SECONDS = Integer.getInteger("bench.seconds", 10);

    /// After one that counts for nothing.
    private static final int ROUNDS = Integer.getInteger("bench.rounds", 3) + 1;

    @TempDir private static Path data;

    @Test
    void measure() throws Exception {
        try (EmbeddedBackend backend = FreshBackend.start(data)) {
            populate(backend);
            ClusterConfig config =
                    new ClusterConfig(0, backend.port(), data, 1, 0, "quire", "quire");
            try (LocalCluster tier = LocalCluster.start(config, backend)) {
                List<Workload> workloads = workloads(tier);
                for (int round = 0; round < ROUNDS; round++) {
                    for (Workload workload : round % 2 == 0 ? workloads : workloads.reversed()) {
                        workload.run(tier);
                    }
                }
                System.out.println(Workload.HEADING);
                workloads.forEach(System.out::println);
                System.out.println("tiers identical: " + tier.verify().identical());
            }
        }
    }

    private static List<Workload> workloads(LocalCluster tier) {
        return List.of(
                small(tier, "hot counter, autocommit", true, ContentionBench::count),
                small(tier, "hot counter, transaction", false, ContentionBench::countTwice),
                small(tier, "hot tail insert", false, ContentionBench::append),
                small(tier, "rows of one page", false, ContentionBench::updateRows),
                bookstore(tier, Mix.SHOPPING),
                bookstore(tier, Mix.ORDERING));
    }

    private static void count(Connection connection, int client, SplittableRandom random)
            throws SQLException {
        execute(connection, "UPDATE counter SET n = n + 1 WHERE id = 1");
    }

    private static void countTwice(Connection connection, int client, SplittableRandom random)
            throws SQLException {
        execute(connection, "UPDATE page SET n = n + 1 WHERE id = " + client);
        execute(connection, "UPDATE counter SET n = n + 1 WHERE id = 1");
    }

    private static void append(Connection connection, int client, SplittableRandom random)
            throws SQLException {
        execute(connection, "INSERT INTO tail (client, n) VALUES (" + client + ", 0)");
        execute(connection, "UPDATE tail SET n = n + 1 WHERE id = LAST_INSERT_ID()");
    }

    private static void updateRows(Connection connection, int client, SplittableRandom random)
            throws SQLException {
        int first = random.nextInt(ROWS - 1);
        int second = random.nextInt(first + 1, ROWS);
        execute(connection, "UPDATE page SET n = n - 1 WHERE id = " + first);
        execute(connection, "UPDATE page SET n = n + 1 WHERE id = " + second);
    }

    private static Workload small(
            LocalCluster tier, String name, boolean autocommit, Clients.Work work) {
        return new Workload(
                name,
                CLIENTS,
                () -> {
                    Clients clients = new Clients(url(tier, "bench"), CLIENTS);
                    clients.run(SECONDS, autocommit, work);
                    return new Workload.Tries(clients.commits(), clients.aborts());
                });
    }

    private static Workload bookstore(LocalCluster tier, Mix mix) {
        return new Workload(
                "TPC-W " + mix,
                CLIENTS,
                () -> {
                    WorkloadResult result =
                            org.quiredb.tpcw.run.Workload.run(
                                    WorkloadConfig.of(url(tier, "tpcw"), "quire", "quire")
                                            .withMix(mix)
                                            .withBrowsers(CLIENTS, 0)
                                            .withSeconds(SECONDS, 0),
                                    progress -> {});
                    return new Workload.Tries(result.updateCommits(), result.retries());
                });
    }

    private static void populate(EmbeddedBackend backend) throws Exception {
        String url = backend.jdbcUrl() + "tpcw?createDatabaseIfNotExist=true";
        Population.populate(url, "quire", "quire", 10_000, 2880, 1, (step, rows, total) -> {});
        try (Connection direct = DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire")) {
            execute(direct, "CREATE DATABASE bench");
            execute(direct, "CREATE TABLE bench.counter (id INT PRIMARY KEY, n INT NOT NULL)");
            execute(direct, "INSERT INTO bench.counter VALUES (1, 0)");
            execute(direct, "CREATE TABLE bench.page (id INT PRIMARY KEY, n INT NOT NULL)");
            for (int id = 0; id < ROWS; id++) {
                execute(direct, "INSERT INTO bench.page VALUES (" + id + ", 0)");
            }
            execute(
                    direct,
                    "CREATE TABLE bench.tail (id INT AUTO_INCREMENT PRIMARY KEY, client INT NOT NULL,"
                            + " n INT NOT NULL, KEY by_client (client))");
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String url(LocalCluster tier, String database) {
        return "jdbc:mysql://127.0.0.1:" + tier.port() + "/" + database;
    }
}
