package org.quiredb.node.command;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.cluster.ProcessOptions;
import org.quiredb.node.command.option.LabPlace;
import org.quiredb.node.command.option.LogOptions;
import org.quiredb.node.lab.KillsLab;
import org.quiredb.node.lab.LabTier;
import org.quiredb.node.lab.Ledger;
import org.quiredb.node.lab.Victim;
import org.quiredb.node.terminal.Screen;
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
    private static final Duration ENDLESS = Duration.ofDays(365);

    /// Of who was told to end, until it knows what the kills so far have done.
    private static final Duration VERDICT_LIMIT = Duration.ofMinutes(4);

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

    @Option(
            names = "--minutes",
            description =
                    "strike nothing more after this time, and judge; without a limit where it is 0 (default: ${DEFAULT-VALUE})",
            defaultValue = "0")
    private int minutes;

    @Option(names = "--slaves", description = "default: ${DEFAULT-VALUE}", defaultValue = "1")
    private int slaves;

    @Option(names = "--spares", description = "default: ${DEFAULT-VALUE}", defaultValue = "1")
    private int spares;

    @Mixin private LabPlace place = new LabPlace();

    @Mixin private LogOptions log = new LogOptions();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (times < 1 || times > MAXIMUM_TIMES) {
            throw new IllegalArgumentException(
                    "--times must be between 1 and %d, not %d".formatted(MAXIMUM_TIMES, times));
        }
        Screen out = log.screen(spec);
        log.toFile(place.folder());
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
            KillsLab.Outcome outcome = run(new KillsLab(tier, seed, out::say), out);
            return outcome.good() ? 0 : 1;
        }
    }

    /// Who ends it before its end is told the verdict too, on the kills until then; or, where that
    /// does not come in time, what was found.
    private KillsLab.Outcome run(KillsLab lab, Screen out)
            throws SQLException, InterruptedException {
        AtomicBoolean judged = new AtomicBoolean();
        CountDownLatch over = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    lab.finish();
                                    await(over);
                                    if (!judged.get()) {
                                        out.say("ENDED WITHOUT A VERDICT, seed " + seed);
                                        lab.account().forEach(line -> out.say("  " + line));
                                    }
                                },
                                "verdict"));
        try {
            KillsLab.Outcome outcome =
                    lab.run(times, minutes == 0 ? ENDLESS : Duration.ofMinutes(minutes));
            say(outcome, out);
            judged.set(true);
            return outcome;
        } finally {
            over.countDown();
        }
    }

    private static void await(CountDownLatch over) {
        try {
            boolean _ = over.await(VERDICT_LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void say(KillsLab.Outcome outcome, Screen out) {
        outcome.anomalies().forEach(anomaly -> out.say("  ANOMALY " + anomaly));
        outcome.verification()
                .differences()
                .forEach(difference -> out.say("  DIFFERENT " + difference));
        out.say(
                "seed %d, killed %s; %d acknowledged entries, %d lost, %d anomalies; %s; %d replicas and %d backends %s"
                        .formatted(
                                seed,
                                outcome.kills(),
                                outcome.acknowledged(),
                                outcome.lost(),
                                outcome.anomalies().size(),
                                outcome.standstills(),
                                outcome.verification().replicas(),
                                outcome.verification().backends(),
                                outcome.verification().identical() ? "identical" : "DIFFERENT"));
    }

    private static void fill(EmbeddedBackend backend) throws SQLException {
        try (Connection direct = DriverManager.getConnection(backend.jdbcUrl(), ACCOUNT, ACCOUNT)) {
            Ledger.create(direct);
        }
    }
}
