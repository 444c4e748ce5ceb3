package org.quiredb.node.command;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.cluster.ProcessOptions;
import org.quiredb.node.command.option.LabPlace;
import org.quiredb.node.command.option.LogOptions;
import org.quiredb.node.lab.CalmLab;
import org.quiredb.node.lab.LabTier;
import org.quiredb.node.lab.Ledger;
import org.quiredb.node.terminal.Screen;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `quire lab calm`: takes the processors away and tells whether anybody was taken for dead.
@Command(
        name = "calm",
        description =
                "Takes the processors away from a tier of processes that nobody strikes, and tells whether any epoch changed.",
        mixinStandardHelpOptions = true)
public final class LabCalmCommand implements Callable<Integer> {
    private static final String ACCOUNT = "quire";
    private static final int MAXIMUM_LOAD = 1_000;

    @Option(names = "--minutes", description = "default: ${DEFAULT-VALUE}", defaultValue = "10")
    private int minutes;

    @Option(
            names = "--load",
            description =
                    "threads that only take processors, beside clients (default: ${DEFAULT-VALUE})",
            defaultValue = "50")
    private int load;

    @Option(names = "--slaves", description = "default: ${DEFAULT-VALUE}", defaultValue = "4")
    private int slaves;

    @Option(names = "--spares", description = "default: ${DEFAULT-VALUE}", defaultValue = "1")
    private int spares;

    @Mixin private LabPlace place = new LabPlace();

    @Mixin private LogOptions log = new LogOptions();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (minutes < 1 || load < 0 || load > MAXIMUM_LOAD) {
            throw new IllegalArgumentException(
                    "--minutes must be at least 1, --load between 0 and " + MAXIMUM_LOAD);
        }
        Screen out = log.screen(spec);
        log.toFile(place.folder());
        LabTier.Layout layout =
                new LabTier.Layout(slaves, spares, 1, new ClusterConfig.Copies(1, 1));
        ProcessOptions options =
                new ProcessOptions(
                        place.folder().resolve("processes"),
                        0,
                        place.processesMemory(),
                        layout.replicas());
        out.say("starting a tier of processes over an embedded MariaDB in " + place.folder());
        try (LabTier tier =
                new LabTier(
                        place.folder(),
                        place.backendPort(),
                        layout,
                        LabCalmCommand::fill,
                        config -> LocalCluster.processes(config, options))) {
            CalmLab.Outcome outcome = new CalmLab(tier, out::say).run(load, minutes * 60);
            out.say(
                    "%d changes of the epoch in %d minutes at load %d; %d acknowledged entries, %d lost, %d anomalies"
                            .formatted(
                                    outcome.changes().size(),
                                    minutes,
                                    load,
                                    outcome.acknowledged(),
                                    outcome.lost(),
                                    outcome.anomalies().size()));
            return outcome.good() ? 0 : 1;
        }
    }

    private static void fill(EmbeddedBackend backend) throws SQLException {
        try (Connection direct = DriverManager.getConnection(backend.jdbcUrl(), ACCOUNT, ACCOUNT)) {
            Ledger.create(direct);
        }
    }
}
