package org.quiredb.node.command;

import static java.util.stream.Collectors.toList;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.command.option.LogOptions;
import org.quiredb.node.terminal.Durations;
import org.quiredb.node.terminal.Logs;
import org.quiredb.node.terminal.Screen;
import org.quiredb.node.terminal.View;
import org.quiredb.node.terminal.WaitingLine;
import org.quiredb.node.verify.Verification;
import org.quiredb.node.watch.TierMeter;
import org.quiredb.node.watch.TierTable;
import org.quiredb.node.watch.TierWatch;
import org.quiredb.tpcw.run.Workload;
import org.quiredb.tpcw.run.WorkloadConfig;
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
    private static final double MEGABYTE = 1e6;

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

    @Mixin private LogOptions log = new LogOptions();

    @Spec private @Nullable CommandSpec spec;

    /// Closed before the tier is, whose end is no event.
    private volatile @Nullable TierWatch watch;

    @Override
    public Integer call() throws Exception {
        Screen screen = log.screen(spec);
        try (LocalCluster tier = options.tier()) {
            Logs logs = log.toFile(options.data());
            Thread stop = new Thread(() -> stop(tier), "stop");
            Runtime.getRuntime().addShutdownHook(stop);
            try {
                return run(screen, tier, logs);
            } finally {
                endWatch();
                forget(stop);
            }
        }
    }

    private void stop(LocalCluster tier) {
        endWatch();
        tier.close();
    }

    private void endWatch() {
        TierWatch running = watch;
        if (running != null) {
            running.close();
        }
    }

    private int run(Screen screen, LocalCluster tier, Logs logs) throws Exception {
        long begun = System.nanoTime();
        try (WaitingLine _ = WaitingLine.begin(screen, "starting " + options.underneath())) {
            tier.startBackend();
        }
        screen.end(
                "%s, started in %s"
                        .formatted(options.underneath(), Durations.fine(seconds(begun))));
        bookstore.createWhereMissing(screen, tier.backend());
        long start = System.nanoTime();
        tier.startTier(statuses -> screen.show(loading(start, statuses)));
        double loadSeconds = seconds(start);
        screen.end(
                """
                %s loaded in %s
                MySQL clients: 127.0.0.1:%d, user quire, password quire, database tpcw%s\
                """
                        .formatted(
                                options.nodes(),
                                Durations.fine(loadSeconds),
                                tier.port(),
                                options.consoleLink().map("\nconsole: "::concat).orElse("")));
        int status = shop(screen, tier, loadSeconds, logs);
        if (!exit) {
            watch =
                    TierWatch.begin(
                            tier::look,
                            screen::say,
                            meter -> screen.show(new View(idle(meter), "")));
        }
        screen.say(DemoSummary.next(tier, options, !exit));
        if (!exit) {
            new CountDownLatch(1).await();
        }
        return status;
    }

    private int shop(Screen screen, LocalCluster tier, double loadSeconds, Logs logs)
            throws Exception {
        String url = "jdbc:mysql://127.0.0.1:%d/tpcw".formatted(tier.port());
        WorkloadConfig load = shoppers.config(url, DemoTier.ACCOUNT, DemoTier.ACCOUNT, seconds);
        ShopPicture picture = TpcwRunCommand.Shoppers.picture(load);
        watch = TierWatch.begin(tier::look, screen::say, meter -> screen.show(picture.view(meter)));
        WorkloadResult result = Workload.run(load, picture::take);
        endWatch();
        Verification verification;
        try (WaitingLine _ = WaitingLine.begin(screen, "comparing every row of every replica")) {
            verification = tier.verify();
        }
        Map<String, Object> figures = tier.figures();
        screen.end(DemoSummary.figures(result, figures, tier.readsByNode(), verification, logs));
        Map<String, Object> report = WorkloadReport.of(result);
        report.put("loadSeconds", loadSeconds);
        report.putAll(figures);
        report.put("verify", WorkloadReport.of(verification));
        if (json != null) {
            WorkloadReport.write(json, report);
        }
        return verification.identical() && result.errors() == 0 ? 0 : 1;
    }

    /// `1 loading (12 MB), 3 waiting`: who is furthest is told how far.
    private static View loading(long start, List<NodeStatus> replicas) {
        Map<String, List<NodeStatus>> byState =
                replicas.stream()
                        .collect(Collectors.groupingBy(NodeStatus::state, TreeMap::new, toList()));
        String known =
                byState.entrySet().stream()
                        .map(e ->
                                "%d %s%s"
                                        .formatted(
                                                e.getValue().size(),
                                                e.getKey(),
                                                most(e.getValue())))
                        .collect(Collectors.joining(", "));
        return View.of(
                "loading the tier, %s: %s"
                        .formatted(
                                Durations.coarse(seconds(start)),
                                known.isEmpty() ? "its roles start" : known));
    }

    private static String most(List<NodeStatus> replicas) {
        double bytes = replicas.stream().mapToDouble(r -> r.figure("pages.bytes")).max().orElse(0);
        return bytes < MEGABYTE ? "" : " (%,.0f MB)".formatted(bytes / MEGABYTE);
    }

    private static List<String> idle(TierMeter meter) {
        List<String> picture = new ArrayList<>();
        picture.add("");
        picture.addAll(TierTable.lines(meter));
        picture.add("%,.0f commits/s".formatted(meter.commitsPerSecond()));
        return picture;
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
