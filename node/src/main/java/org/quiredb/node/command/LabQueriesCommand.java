package org.quiredb.node.command;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.cluster.ProcessOptions;
import org.quiredb.node.command.option.LabFolder;
import org.quiredb.node.command.option.LabPlace;
import org.quiredb.node.command.option.LogOptions;
import org.quiredb.node.config.BackendSection;
import org.quiredb.node.lab.LabTier;
import org.quiredb.node.measure.MeasuredServer;
import org.quiredb.node.measure.QueriesLab;
import org.quiredb.node.measure.QueriesReport;
import org.quiredb.node.terminal.Screen;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `quire lab queries`: single statements on a tier and on the MariaDB beneath it.
@Command(
        name = "queries",
        description =
                "Measures the bookstore's queries, a view, functions and procedures, and sysbench's point select, range, update and insert by themselves, as server-side prepared statements, on a tier and on the MariaDB beneath it, in turns. Without --url it starts a tier of processes; with --url and --alone it takes two servers that hold the same bookstore, and makes and drops the databases quire_lab and quire_lab_alone there.",
        mixinStandardHelpOptions = true)
public final class LabQueriesCommand implements Callable<Integer> {
    private static final String SCRATCH = "quire_lab";
    private static final String SCRATCH_ALONE = "quire_lab_alone"; // the tier knows nothing of it
    private static final String ACCOUNT = "quire";
    private static final int INTERRUPTED = 130;

    @Option(names = "--url", description = "JDBC URL of a tier's bookstore; with --alone")
    private @Nullable String url;

    @Option(names = "--alone", description = "JDBC URL of the same bookstore in a MariaDB")
    private @Nullable String aloneUrl;

    @Option(
            names = "--user",
            description = "at both URLs (default: ${DEFAULT-VALUE})",
            defaultValue = ACCOUNT)
    private String user = "";

    @Option(
            names = "--password",
            description = "at both URLs (default: ${DEFAULT-VALUE})",
            defaultValue = ACCOUNT)
    private String password = "";

    @Option(
            names = "--clients",
            split = ",",
            description = "at once (default: ${DEFAULT-VALUE})",
            defaultValue = "1,16")
    private List<Integer> clients = new ArrayList<>();

    @Option(
            names = "--seconds",
            description =
                    "of each round of each statement on each server (default: ${DEFAULT-VALUE})",
            defaultValue = "1")
    private double seconds;

    @Option(
            names = "--warm",
            description = "seconds of each statement before (default: ${DEFAULT-VALUE})",
            defaultValue = "2")
    private double warm;

    @Option(names = "--rounds", description = "default: ${DEFAULT-VALUE}", defaultValue = "3")
    private int rounds;

    @Option(
            names = "--slaves",
            description = "of the tier that is started (default: ${DEFAULT-VALUE})",
            defaultValue = "2")
    private int slaves;

    @Mixin private DemoBookstore bookstore = new DemoBookstore();

    @Mixin private LabPlace place = new LabPlace();

    @Option(names = "--json", description = "write the results to this file")
    private @Nullable Path json;

    @Mixin private LogOptions log = new LogOptions();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if ((url == null) != (aloneUrl == null)) {
            throw new IllegalArgumentException("--url and --alone go together");
        }
        QueriesLab.Plan plan =
                new QueriesLab.Plan(
                        clients, Math.round(1000 * seconds), Math.round(1000 * warm), rounds);
        Screen out = log.screen(spec);
        try (CtrlC _ = CtrlC.begin()) {
            QueriesReport report =
                    url != null && aloneUrl != null
                            ? between(out, plan, url, aloneUrl)
                            : onOwnTier(out, plan);
            out.say(report.text());
            if (json != null) {
                WorkloadReport.write(json, report.json());
            }
            return 0;
        } catch (InterruptedException e) {
            out.say("stopped; nothing is left of it");
            return INTERRUPTED;
        }
    }

    private QueriesReport between(Screen out, QueriesLab.Plan plan, String quire, String alone)
            throws SQLException, InterruptedException {
        Reachable.require(quire, user, password);
        Reachable.require(alone, user, password);
        return measure(
                out,
                plan,
                new MeasuredServer(quire, SCRATCH, user, password),
                new MeasuredServer(alone, SCRATCH_ALONE, user, password));
    }

    private static QueriesReport measure(
            Screen out, QueriesLab.Plan plan, MeasuredServer quire, MeasuredServer alone)
            throws SQLException, InterruptedException {
        return new QueriesLab(quire, alone, plan, out::say).run();
    }

    private QueriesReport onOwnTier(Screen out, QueriesLab.Plan plan) throws Exception {
        log.toFile(place.folder());
        try (LabFolder own = place.temporary("queries")) {
            return onOwnTier(out, plan, own.path());
        }
    }

    private QueriesReport onOwnTier(Screen out, QueriesLab.Plan plan, Path own)
            throws SQLException, InterruptedException {
        ProcessOptions options =
                new ProcessOptions(
                        own.resolve("processes"), 0, place.processesMemory(), 1 + slaves);
        out.say("starting a master and %d slaves over an embedded MariaDB".formatted(slaves));
        try (LabTier tier =
                new LabTier(
                        own,
                        place.backendPort(),
                        new LabTier.Layout(slaves, 0, 1, new ClusterConfig.Copies(1, 1)),
                        backend -> fill(out, backend),
                        config -> LocalCluster.processes(config, options))) {
            String alone = "jdbc:mysql://127.0.0.1:%d/tpcw".formatted(place.backendPort());
            return measure(
                    out,
                    plan,
                    new MeasuredServer(tier.url("tpcw"), SCRATCH, ACCOUNT, ACCOUNT),
                    new MeasuredServer(alone, SCRATCH_ALONE, ACCOUNT, ACCOUNT));
        }
    }

    private void fill(Screen out, EmbeddedBackend backend) throws SQLException {
        bookstore.createWhereMissing(
                out, BackendSection.at(List.of(backend.jdbcUrl()), ACCOUNT, ACCOUNT));
    }
}
