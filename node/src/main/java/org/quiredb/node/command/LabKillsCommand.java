package org.quiredb.node.command;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.cluster.ProcessOptions;
import org.quiredb.node.lab.KillsLab;
import org.quiredb.node.lab.LabTier;
import org.quiredb.node.lab.Ledger;
import org.quiredb.node.lab.Victim;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `quire lab kills`: kills whatever there is at random instants and tells whether anything was
/// lost.
@Command(
        name = "kills",
        description =
                "Kills (-9) processes of every kind, databases too, one at a time or all at once, at random instants under a load that only writes, and tells whether anything was lost.",
        mixinStandardHelpOptions = true)
public final class LabKillsCommand implements Callable<Integer> {
    private static final String ACCOUNT = "quire";
    private static final int MAXIMUM_TIMES = 10_000;

    @Option(names = "--times", description = "default: ${DEFAULT-VALUE}", defaultValue = "200")
    private int times;

    @Option(
            names = "--seed",
            description = "of victims and instants (default: ${DEFAULT-VALUE})",
            defaultValue = "1")
    private long seed;

    @Option(
            names = "--one-process",
            description =
                    "run every role but the databases in this process: what is killed there closes its sockets at once, and begins again at once")
    private boolean oneProcess;

    @Option(names = "--slaves", description = "default: ${DEFAULT-VALUE}", defaultValue = "1")
    private int slaves;

    @Option(names = "--spares", description = "default: ${DEFAULT-VALUE}", defaultValue = "1")
    private int spares;

    @Mixin private LabPlace place = new LabPlace();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (times < 1 || times > MAXIMUM_TIMES) {
            throw new IllegalArgumentException(
                    "--times must be between 1 and %d, not %d".formatted(MAXIMUM_TIMES, times));
        }
        Narration out = Narration.of(spec);
        LabTier.Layout layout = LabTier.Layout.against(Victim.EVERYTHING, slaves, spares);
        ProcessOptions options =
                new ProcessOptions(
                        place.folder().resolve("processes"),
                        0,
                        place.processesMemory(),
                        layout.replicas());
        out.say(
                "starting a tier of %s over two MariaDBs in %s"
                        .formatted(oneProcess ? "one process" : "processes", place.folder()));
        try (LabTier tier =
                new LabTier(
                        place.folder(),
                        place.backendPort(),
                        layout,
                        LabKillsCommand::fill,
                        config ->
                                oneProcess
                                        ? LocalCluster.inside(config, 0)
                                        : LocalCluster.processes(config, options))) {
            KillsLab.Outcome outcome = new KillsLab(tier, seed, out::say).run(times);
            outcome.anomalies().forEach(anomaly -> out.say("  ANOMALY " + anomaly));
            outcome.verification()
                    .differences()
                    .forEach(difference -> out.say("  DIFFERENT " + difference));
            out.say(
                    "seed %d, killed %s; %d acknowledged entries, %d lost, %d anomalies; %d replicas and %d backends %s"
                            .formatted(
                                    seed,
                                    outcome.kills(),
                                    outcome.acknowledged(),
                                    outcome.lost(),
                                    outcome.anomalies().size(),
                                    outcome.verification().replicas(),
                                    outcome.verification().backends(),
                                    outcome.verification().identical()
                                            ? "identical"
                                            : "DIFFERENT"));
            return outcome.good() ? 0 : 1;
        }
    }

    private static void fill(EmbeddedBackend backend) throws SQLException {
        try (Connection direct = DriverManager.getConnection(backend.jdbcUrl(), ACCOUNT, ACCOUNT)) {
            Ledger.create(direct);
        }
    }
}
