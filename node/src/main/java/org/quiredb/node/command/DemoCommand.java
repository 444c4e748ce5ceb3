package org.quiredb.node.command;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.verify.Verification;
import org.quiredb.tpcw.run.Workload;
import org.quiredb.tpcw.run.WorkloadProgress;
import org.quiredb.tpcw.run.WorkloadResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `quire demo`: a bookstore on a replicated in-memory tier over InnoDB, in one process or many.
@Command(
        name = "demo",
        description =
                "Runs the TPC-W bookstore on a whole tier on this machine, then stays up for clients.",
        mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {
    @Mixin private DemoTier options = new DemoTier();

    @Mixin private DemoBookstore bookstore = new DemoBookstore();

    @Mixin private TpcwRunCommand.Shoppers shoppers = new TpcwRunCommand.Shoppers();

    @Option(
            names = "--seconds",
            description = "length of the measurement (default: ${DEFAULT-VALUE})",
            defaultValue = "60")
    private int seconds;

    @Option(names = "--exit", description = "end after the summary instead of staying up")
    private boolean exit;

    @Option(names = "--json", description = "write the summary to this file")
    private @Nullable Path json;

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Narration out = Narration.of(spec);
        try (LocalCluster tier = options.tier()) {
            Thread stop = new Thread(tier::close, "stop");
            Runtime.getRuntime().addShutdownHook(stop);
            try {
                return run(out, tier);
            } finally {
                forget(stop);
            }
        }
    }

    private int run(Narration out, LocalCluster tier) throws Exception {
        out.say("starting the backend, " + tier.backend());
        tier.startBackend();
        bookstore.createWhereMissing(out, tier.backend());
        long start = System.nanoTime();
        tier.startTier(statuses -> out.nowAndThen(() -> loading(start, statuses)));
        double loadSeconds = seconds(start);
        out.say(
                "tier loaded in %.1f s; MySQL clients: 127.0.0.1:%d, user quire, password quire, database tpcw"
                        .formatted(loadSeconds, tier.port()));
        int status = shop(out, tier, loadSeconds);
        if (!exit) {
            out.say("staying up for clients; stop with Ctrl-C");
            new CountDownLatch(1).await();
        }
        return status;
    }

    private int shop(Narration out, LocalCluster tier, double loadSeconds) throws Exception {
        String url = "jdbc:mysql://127.0.0.1:%d/tpcw".formatted(tier.port());
        WorkloadResult result =
                Workload.run(
                        shoppers.config(url, DemoTier.ACCOUNT, DemoTier.ACCOUNT, seconds),
                        progress -> out.say(progress(tier, progress)));
        WorkloadReport.print(out.writer(), "the bookstore on Quire", result);
        out.say("comparing replicas and backend");
        Verification verification = tier.verify();
        verification.differences().forEach(difference -> out.say("  DIFFERENT " + difference));
        out.say(
                "%d replicas and %d backend hold %s rows in %d tables"
                        .formatted(
                                verification.replicas(),
                                verification.backends(),
                                verification.identical() ? "the same" : "DIFFERENT",
                                verification.tables()));
        Map<String, Object> report = WorkloadReport.of(result);
        report.put("loadSeconds", loadSeconds);
        Map<String, Object> figures = tier.figures();
        figures.forEach((name, value) -> out.say("  " + name + " " + value));
        report.putAll(figures);
        report.put("verify", WorkloadReport.of(verification));
        if (json != null) {
            WorkloadReport.write(json, report);
        }
        return verification.identical() && result.errors() == 0 ? 0 : 1;
    }

    private static String loading(long start, List<NodeStatus> replicas) {
        StringBuilder line = new StringBuilder("%4.0f s  loading".formatted(seconds(start)));
        for (NodeStatus replica : replicas) {
            line.append(
                    "  %s %s %.0f MB"
                            .formatted(
                                    replica.name(),
                                    replica.state(),
                                    replica.figure("pages.bytes") / 1e6));
        }
        return line.toString();
    }

    private static String progress(LocalCluster tier, WorkloadProgress progress) {
        return "%4d s  %8.1f WIPS  median %6.2f ms  p99 %7.2f ms  reads %s  lag %s  errors %d%s"
                .formatted(
                        progress.elapsedSeconds(),
                        progress.wips(),
                        progress.medianMillis(),
                        progress.p99Millis(),
                        tier.readsByNode(),
                        tier.lagByNode(),
                        progress.errors(),
                        progress.measuring() ? "" : "  (ramp-up)");
    }

    private static double seconds(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
    }

    /// When the JVM ends already, the hook runs or has run.
    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            Thread.currentThread().interrupt();
        }
    }
}
