package org.quiredb.node.command;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.cluster.Placement;
import org.quiredb.node.cluster.ProcessOptions;
import org.quiredb.node.command.option.LabPlace;
import org.quiredb.node.command.option.LogOptions;
import org.quiredb.node.config.BackendSection;
import org.quiredb.node.lab.FailoverLab;
import org.quiredb.node.lab.Fault;
import org.quiredb.node.lab.KillCost;
import org.quiredb.node.lab.LabNetwork;
import org.quiredb.node.lab.LabTier;
import org.quiredb.node.lab.Ledger;
import org.quiredb.node.lab.Victim;
import org.quiredb.node.terminal.Screen;
import org.quiredb.node.terminal.View;
import org.quiredb.tpcw.run.WorkloadConfig;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `quire lab failover`: kills processes under the bookstore's load and tells what clients felt.
@Command(
        name = "failover",
        description =
                "Kills (-9), stops or cuts off processes of a tier under the bookstore's load, and tells what clients felt and whether anything was lost.",
        mixinStandardHelpOptions = true)
public final class LabFailoverCommand implements Callable<Integer> {
    private static final String ACCOUNT = "quire";
    private static final int MAXIMUM_TIMES = 1_000;
    private static final int RECOVERY_LIMIT_SECONDS = 30;
    private static final int PAUSE_SECONDS = 5;

    /// The load ends with the experiment.
    private static final int LONGEST_SECONDS = 86_400;

    @Option(
            names = "--kill",
            required = true,
            description =
                    "slave, master, scheduler, logger, backend, spare, random, or everything for a power failure")
    private Victim victim = Victim.RANDOM;

    @Option(
            names = "--pause",
            description = "do not kill it, but let it stand still for five seconds (SIGSTOP)")
    private boolean pause;

    @Option(
            names = "--cut",
            description =
                    "do not kill it, but cut it off from all others for five seconds, both ways (as root, in a network made for the experiment)")
    private boolean cut;

    @Option(
            names = "--one-process",
            description =
                    "run every role but the database in this process: what is killed there closes its sockets at once")
    private boolean oneProcess;

    @Option(
            names = "--times",
            description = "how many, one after another (default: ${DEFAULT-VALUE})",
            defaultValue = "1")
    private int times;

    @Option(
            names = "--steady-seconds",
            description = "of load before each fault (default: ${DEFAULT-VALUE})",
            defaultValue = "10")
    private int steadySeconds;

    @Option(names = "--slaves", description = "default: ${DEFAULT-VALUE}", defaultValue = "2")
    private int slaves;

    @Option(names = "--spares", description = "default: ${DEFAULT-VALUE}", defaultValue = "1")
    private int spares;

    @Mixin private LabPlace place = new LabPlace();

    @Mixin private DemoBookstore bookstore = new DemoBookstore();

    @Mixin private TpcwRunCommand.Shoppers shoppers = new TpcwRunCommand.Shoppers();

    @Option(names = "--json", description = "write the results to this file")
    private @Nullable Path json;

    @Mixin private LogOptions log = new LogOptions();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (times < 1 || times > MAXIMUM_TIMES) {
            throw new IllegalArgumentException(
                    "--times must be between 1 and %d, not %d".formatted(MAXIMUM_TIMES, times));
        }
        if (steadySeconds < 1) {
            throw new IllegalArgumentException(
                    "--steady-seconds must be at least 1, not " + steadySeconds);
        }
        if (cut && pause) {
            throw new IllegalArgumentException("either --pause or --cut");
        }
        if (oneProcess && (cut || pause)) {
            throw new IllegalArgumentException(
                    "--one-process has no process to stop or to cut off: leave --pause and --cut out");
        }
        if (cut && !LabNetwork.inside()) {
            return inNetwork();
        }
        LabNetwork network = cut ? new LabNetwork() : null;
        Screen out = log.screen(spec);
        log.toFile(place.folder());
        FailoverLab.Plan plan =
                new FailoverLab.Plan(
                        Collections.nCopies(times, victim),
                        cut ? Fault.CUT : pause ? Fault.PAUSE : Fault.KILL,
                        steadySeconds,
                        RECOVERY_LIMIT_SECONDS,
                        PAUSE_SECONDS);
        LabTier.Layout layout = LabTier.Layout.against(victim, slaves, spares);
        ProcessOptions options =
                new ProcessOptions(
                        place.folder().resolve("processes"),
                        0,
                        place.processesMemory(),
                        layout.replicas(),
                        network == null ? Placement.LOOPBACK : network);
        out.say(
                "starting a tier of %s over an embedded MariaDB in %s"
                        .formatted(oneProcess ? "one process" : "processes", place.folder()));
        try (LabTier tier =
                new LabTier(
                        place.folder(),
                        place.backendPort(),
                        layout,
                        backend -> fill(out, backend),
                        config ->
                                oneProcess
                                        ? LocalCluster.inside(config, 0)
                                        : LocalCluster.processes(config, options),
                        network)) {
            WorkloadConfig load =
                    shoppers.config(tier.url("tpcw"), ACCOUNT, ACCOUNT, LONGEST_SECONDS);
            ShopPicture picture = new ShopPicture(load.mix(), load.browsers(), 0);
            FailoverLab lab =
                    new FailoverLab(
                            tier,
                            plan,
                            shoppers.seed(),
                            out::say,
                            second -> {
                                picture.take(second);
                                out.show(new View(picture.view(null).picture(), ""));
                            });
            FailoverLab.Outcome outcome = lab.run(load);
            out.show(new View(List.of(), ""));
            report(out, outcome);
            return outcome.good() ? 0 : 1;
        }
    }

    /// The whole command again, in a network in which cuts hurt nobody else.
    private int inNetwork() throws IOException, InterruptedException {
        Optional<String> hindrance = LabNetwork.hindrance();
        if (hindrance.isPresent()) {
            throw new IllegalStateException(hindrance.get());
        }
        CommandLine root = Objects.requireNonNull(spec).root().commandLine();
        return LabNetwork.enter(root.getParseResult().originalArgs());
    }

    private void fill(Screen out, EmbeddedBackend backend) throws SQLException {
        try (Connection direct = DriverManager.getConnection(backend.jdbcUrl(), ACCOUNT, ACCOUNT)) {
            Ledger.create(direct);
        }
        bookstore.createWhereMissing(
                out, BackendSection.at(List.of(backend.jdbcUrl()), ACCOUNT, ACCOUNT));
    }

    private void report(Screen out, FailoverLab.Outcome outcome) throws Exception {
        outcome.anomalies().forEach(anomaly -> out.say("  ANOMALY " + anomaly));
        outcome.verification()
                .differences()
                .forEach(difference -> out.say("  DIFFERENT " + difference));
        out.say(
                "%d struck, %d acknowledged entries, %d lost, %d anomalies; %d replicas and %d backend %s"
                        .formatted(
                                outcome.kills().size(),
                                outcome.acknowledged(),
                                outcome.lost(),
                                outcome.anomalies().size(),
                                outcome.verification().replicas(),
                                outcome.verification().backends(),
                                outcome.verification().identical() ? "identical" : "DIFFERENT"));
        if (json != null) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("kills", outcome.kills().stream().map(KillCost::json).toList());
            report.put("acknowledged", outcome.acknowledged());
            report.put("lost", outcome.lost());
            report.put("anomalies", outcome.anomalies());
            report.put("verify", WorkloadReport.of(outcome.verification()));
            WorkloadReport.write(json, report);
        }
    }
}
