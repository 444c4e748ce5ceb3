package org.quiredb.node.command;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.cluster.ProcessOptions;
import org.quiredb.node.command.option.LabFolder;
import org.quiredb.node.command.option.LabPlace;
import org.quiredb.node.command.option.LogOptions;
import org.quiredb.node.config.BackendSection;
import org.quiredb.node.lab.LabTier;
import org.quiredb.node.measure.ScalingLab;
import org.quiredb.node.measure.ScalingReport;
import org.quiredb.node.measure.Share;
import org.quiredb.node.terminal.Screen;
import org.quiredb.node.terminal.View;
import org.quiredb.tpcw.browser.Mix;
import org.quiredb.tpcw.run.WorkloadProgress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `quire lab scaling`: InnoDB alone against a tier, every server with the same share of a
/// processor.
@Command(
        name = "scaling",
        description =
                "Measures how many times the throughput of InnoDB alone a tier has, every server (replica or database) with the same share of a processor where this user may give shares (control groups, as root). Warms up without shares, looks for the peak by doubling the browsers, then measures all in turns. Leaves nothing but the log.",
        mixinStandardHelpOptions = true)
public final class LabScalingCommand implements Callable<Integer> {
    private static final String ACCOUNT = "quire";
    private static final List<Integer> WHOLE = List.of(1, 2, 4, 8);
    private static final int INTERRUPTED = 130;

    @Option(
            names = "--slaves",
            split = ",",
            description = "one tier after another, with so many (default: ${DEFAULT-VALUE})",
            defaultValue = "8")
    private List<Integer> slaves = new ArrayList<>();

    @Option(names = "--whole", description = "the same as --slaves 1,2,4,8")
    private boolean whole;

    @Option(
            names = "--mix",
            split = ",",
            description = "browsing, shopping, ordering (default: ${DEFAULT-VALUE})",
            defaultValue = "browsing,shopping,ordering")
    private List<Mix> mixes = new ArrayList<>();

    @Option(
            names = "--percent",
            description =
                    "of one processor for each server; all servers together should leave a third of the machine (default: ${DEFAULT-VALUE})",
            defaultValue = "12")
    private int percent;

    @Option(names = "--no-shares", description = "let all servers use what the machine has")
    private boolean noShares;

    @Option(
            names = "--seconds",
            description = "of each round (default: ${DEFAULT-VALUE})",
            defaultValue = "6")
    private int seconds;

    @Option(
            names = "--warm",
            description =
                    "seconds of each mix before servers have shares (default: ${DEFAULT-VALUE})",
            defaultValue = "30")
    private int warm;

    @Option(
            names = "--rounds",
            description = "at the peak (default: ${DEFAULT-VALUE})",
            defaultValue = "3")
    private int rounds;

    @Option(
            names = "--browsers",
            description = "the most that are tried (default: ${DEFAULT-VALUE})",
            defaultValue = "256")
    private int browsers;

    @Mixin private DemoBookstore bookstore = new DemoBookstore();

    @Mixin private LabPlace place = new LabPlace();

    @Option(names = "--json", description = "write the results to this file")
    private @Nullable Path json;

    @Mixin private LogOptions log = new LogOptions();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        ScalingLab.Plan plan =
                new ScalingLab.Plan(
                        whole ? WHOLE : slaves,
                        mixes,
                        new Share(percent),
                        seconds,
                        warm,
                        rounds,
                        browsers,
                        bookstore.items(),
                        bookstore.customers());
        Screen out = log.screen(spec);
        log.toFile(place.folder());
        try (CtrlC _ = CtrlC.begin();
                LabFolder own = place.temporary("scaling")) {
            ScalingReport report =
                    new ScalingLab(
                                    plan,
                                    new ScalingLab.Place(
                                            own.path(), place.backendPort(), FreePorts.next()),
                                    listener(out))
                            .run(backend -> fill(out, backend), this::launcher, !noShares);
            out.show(new View(List.of(), ""));
            out.say(report.text());
            if (json != null) {
                WorkloadReport.write(json, report.json());
            }
            return report.errors() == 0 ? 0 : 1;
        } catch (InterruptedException e) {
            out.say("stopped; nothing is left of it");
            return INTERRUPTED;
        }
    }

    private LabTier.Launcher launcher(Path folder, int count) {
        return config ->
                LocalCluster.processes(
                        config,
                        new ProcessOptions(
                                folder.resolve("processes"),
                                0,
                                place.processesMemory(),
                                1 + count));
    }

    private void fill(Screen out, EmbeddedBackend backend) throws SQLException {
        bookstore.createWhereMissing(
                out, BackendSection.at(List.of(backend.jdbcUrl()), ACCOUNT, ACCOUNT));
    }

    private static ScalingLab.Listener listener(Screen out) {
        return new ScalingLab.Listener() {
            @Override
            public void say(String what) {
                out.say(what);
            }

            @Override
            public void second(WorkloadProgress progress) {
                out.show(new View(List.of("%.1f WIPS now".formatted(progress.wips())), ""));
            }
        };
    }
}
