package org.quiredb.node.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.tpcw.browser.Mix;
import org.quiredb.tpcw.population.Population;
import org.quiredb.tpcw.run.Workload;
import org.quiredb.tpcw.run.WorkloadConfig;
import org.quiredb.tpcw.run.WorkloadResult;

/// How often update transactions are aborted, and how long they wait for locks, with 16 clients
/// that never pause.
///
/// `mvn -q -Dquick -pl node -am test -Dtest=ContentionBench -Dsurefire.failIfNoSpecifiedTests=false
/// -Dbench.seconds=15`. Each line is one workload: commits a second, aborts (1213 or 1205) as a
/// share of tries, lock waits per commit, and the share of the clients' time that they wait for
/// locks.
final class ContentionBench {
    private static final int CLIENTS = 16;
    private static final int ROWS = 64;
    private static final int SECONDS = Integer.getInteger("bench.seconds", 15);

    private static final int WARM_UP_SECONDS = 3;

    @TempDir private static Path data;

    @Test
    void measure() throws Exception {
        try (EmbeddedBackend backend = EmbeddedBackend.start(data, freePort(), "quire", "quire")) {
            populate(backend);
            ClusterConfig config =
                    new ClusterConfig(0, backend.port(), data, 1, 0, "quire", "quire");
            try (LocalCluster tier = LocalCluster.start(config, backend)) {
                small(tier, "hot counter, autocommit", true, ContentionBench::count);
                small(tier, "hot counter, transaction", false, ContentionBench::countTwice);
                small(tier, "hot tail insert", false, ContentionBench::append);
                small(tier, "rows of one page", false, ContentionBench::updateRows);
                bookstore(tier, Mix.SHOPPING);
                bookstore(tier, Mix.ORDERING);
                System.out.println("tiers identical: " + tier.verify().identical());
            }
        }
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

    private static void small(LocalCluster tier, String name, boolean autocommit, Clients.Work work)
            throws Exception {
        new Clients(url(tier, "bench"), CLIENTS).run(WARM_UP_SECONDS, autocommit, work);
        Map<String, Object> before = tier.figures();
        long start = System.nanoTime();
        Clients clients = new Clients(url(tier, "bench"), CLIENTS);
        clients.run(SECONDS, autocommit, work);
        double seconds = (System.nanoTime() - start) / 1e9;
        print(name, tier, before, clients.commits(), clients.aborts(), seconds, "");
    }

    private static void bookstore(LocalCluster tier, Mix mix) throws Exception {
        Map<String, Object> before = tier.figures();
        long start = System.nanoTime();
        WorkloadResult result =
                Workload.run(
                        WorkloadConfig.of(url(tier, "tpcw"), "quire", "quire")
                                .withMix(mix)
                                .withBrowsers(CLIENTS, 0)
                                .withSeconds(SECONDS, 0),
                        progress -> {});
        double seconds = (System.nanoTime() - start) / 1e9;
        String wips = "%.0f WIPS, %d errors".formatted(result.wips(), result.errors());
        print(
                "TPC-W " + mix,
                tier,
                before,
                result.updateCommits(),
                result.retries(),
                seconds,
                wips);
    }

    private static void print(
            String name,
            LocalCluster tier,
            Map<String, Object> before,
            long commits,
            long aborts,
            double seconds,
            String more) {
        Map<String, Object> now = tier.figures();
        System.out.printf(
                "%-26s %8.0f commits/s  %6.2f %% aborted  %6.3f waits/commit  %6.2f %% of time waiting  %d retried inside  %s%n",
                name,
                commits / seconds,
                100.0 * aborts / Math.max(1, commits + aborts),
                grown(before, now, "lockWaits") / Math.max(1, commits),
                grown(before, now, "lockWaitMillis") / (10.0 * CLIENTS * seconds),
                (long) grown(before, now, "statementsRetried"),
                more);
    }

    private static double grown(
            Map<String, Object> before, Map<String, Object> now, String figure) {
        return ((Number) now.getOrDefault(figure, 0)).doubleValue()
                - ((Number) before.getOrDefault(figure, 0)).doubleValue();
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

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }
}
