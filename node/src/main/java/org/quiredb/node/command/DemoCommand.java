package org.quiredb.node.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.verify.Verification;
import org.quiredb.tpcw.population.Population;
import org.quiredb.tpcw.run.Workload;
import org.quiredb.tpcw.run.WorkloadProgress;
import org.quiredb.tpcw.run.WorkloadResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `quire demo`: a bookstore on a replicated in-memory tier over InnoDB, in one process.
@Command(
        name = "demo",
        description =
                "Runs the TPC-W bookstore on a whole tier in one process, then stays up for clients.",
        mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {
    @Option(
            names = "--port",
            description = "for MySQL clients (default: ${DEFAULT-VALUE})",
            defaultValue = "3307")
    private int port;

    @Option(
            names = "--backend-port",
            description = "of the embedded MariaDB (default: ${DEFAULT-VALUE})",
            defaultValue = "3308")
    private int backendPort;

    @Option(
            names = "--data",
            description = "folder of the database (default: ${DEFAULT-VALUE})",
            defaultValue = "quire-data")
    private Path data = Path.of("quire-data");

    @Option(names = "--slaves", description = "default: ${DEFAULT-VALUE}", defaultValue = "2")
    private int slaves;

    @Option(names = "--spares", description = "default: ${DEFAULT-VALUE}", defaultValue = "1")
    private int spares;

    @Option(
            names = "--items",
            description = "books, when the bookstore is created (default: ${DEFAULT-VALUE})",
            defaultValue = "10000")
    private int items;

    @Option(
            names = "--customers",
            description = "when the bookstore is created (default: ${DEFAULT-VALUE})",
            defaultValue = "28800")
    private int customers;

    @Mixin private TpcwRunCommand.Shoppers shoppers = new TpcwRunCommand.Shoppers();

    @Option(names = "--exit", description = "end after the summary instead of staying up")
    private boolean exit;

    @Option(names = "--json", description = "write the summary to this file")
    private @Nullable Path json;

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        PrintWriter out =
                spec == null
                        ? new PrintWriter(System.out, true, System.out.charset())
                        : spec.commandLine().getOut();
        ClusterConfig config =
                new ClusterConfig(port, backendPort, data, slaves, spares, "quire", "quire");
        FreePort.require(port, "--port");
        say(out, "starting MariaDB in " + data);
        try (EmbeddedBackend backend = EmbeddedBackend.start(data, backendPort, "quire", "quire")) {
            populate(out, backend);
            long start = System.nanoTime();
            try (LocalCluster cluster = LocalCluster.start(config, backend)) {
                say(
                        out,
                        "tier loaded in %.1f s; MySQL clients: 127.0.0.1:%d, user quire, password quire, database tpcw"
                                .formatted((System.nanoTime() - start) / 1e9, cluster.port()));
                int status = run(out, cluster);
                if (!exit) {
                    say(out, "staying up for clients; stop with Ctrl-C");
                    untilInterrupted();
                }
                return status;
            }
        }
    }

    private int run(PrintWriter out, LocalCluster cluster) throws Exception {
        String url = "jdbc:mysql://127.0.0.1:%d/tpcw".formatted(cluster.port());
        WorkloadResult result =
                Workload.run(
                        shoppers.config(url, "quire", "quire"),
                        progress -> show(out, cluster, progress));
        WorkloadReport.print(out, "the bookstore on Quire", result);
        say(out, "comparing replicas and backend");
        Verification verification = cluster.verify();
        verification.differences().forEach(difference -> out.println("  DIFFERENT " + difference));
        say(
                out,
                "%d replicas and %d backend hold %s rows in %d tables"
                        .formatted(
                                verification.replicas(),
                                verification.backends(),
                                verification.identical() ? "the same" : "DIFFERENT",
                                verification.tables()));
        Map<String, Object> report = WorkloadReport.of(result);
        report.putAll(cluster.figures());
        report.put(
                "verify",
                Map.of(
                        "identical", verification.identical(),
                        "tables", verification.tables(),
                        "rows", verification.rows(),
                        "replicas", verification.replicas(),
                        "backends", verification.backends()));
        report.forEach((name, value) -> {
            if (name.equals("readsByNode") || name.equals("writeSetBytesPerCommit")) {
                out.println("  " + name + " " + value);
            }
        });
        out.flush();
        if (json != null) {
            WorkloadReport.write(json, report);
        }
        return verification.identical() && result.errors() == 0 ? 0 : 1;
    }

    private void populate(PrintWriter out, EmbeddedBackend backend) throws SQLException {
        if (populated(backend)) {
            say(out, "using the bookstore that is there");
            return;
        }
        say(
                out,
                "creating a bookstore of %,d items and %,d customers in MariaDB"
                        .formatted(items, customers));
        Population.populate(
                backend.jdbcUrl() + "tpcw?createDatabaseIfNotExist=true",
                "quire",
                "quire",
                items,
                customers,
                1,
                (step, rows, total) -> {});
    }

    private static boolean populated(EmbeddedBackend backend) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire");
                var statement = connection.createStatement();
                var row =
                        statement.executeQuery(
                                "SELECT COUNT(*) FROM information_schema.statistics"
                                        + " WHERE table_schema = 'tpcw' AND table_name = 'order_line'"
                                        + " AND index_name <> 'PRIMARY'")) {
            row.next();
            return row.getInt(1) > 0;
        }
    }

    private static void show(PrintWriter out, LocalCluster cluster, WorkloadProgress progress) {
        out.printf(
                "%4d s  %8.1f WIPS  median %6.2f ms  p99 %7.2f ms  reads %s  errors %d%s%n",
                progress.elapsedSeconds(),
                progress.wips(),
                progress.medianMillis(),
                progress.p99Millis(),
                cluster.readsByNode(),
                progress.errors(),
                progress.measuring() ? "" : "  (ramp-up)");
        out.flush();
    }

    private static void say(PrintWriter out, String line) {
        out.println(line);
        out.flush();
    }

    private static void untilInterrupted() throws InterruptedException {
        new CountDownLatch(1).await();
    }
}
