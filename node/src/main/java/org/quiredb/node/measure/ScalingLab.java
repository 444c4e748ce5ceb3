package org.quiredb.node.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.backend.BackendFolder;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.lab.LabTier;
import org.quiredb.tpcw.browser.Mix;
import org.quiredb.tpcw.run.WorkloadProgress;

/// How many times InnoDB's throughput a tier has, by slaves ("Dynamic Multiversioning", section 5,
/// figure 3).
///
/// The bookstore is written once; every server begins with a copy of that folder. Where this
/// process may, each server (a replica, the database under the tier, InnoDB alone) gets the same
/// share of a processor once all are warm; the scheduler, the logger and the browsers have what is
/// left.
///
/// Threads: one.
public final class ScalingLab {
    private static final String ACCOUNT = "quire";

    private final Plan plan;
    private final Place place;
    private final Listener listener;

    /// What is measured.
    ///
    /// @param seconds of each round
    /// @param warmSeconds of each mix, before servers have shares
    /// @param mostBrowsers that are tried on the way to the peak
    public record Plan(
            List<Integer> slaves,
            List<Mix> mixes,
            Share share,
            int seconds,
            int warmSeconds,
            int rounds,
            int mostBrowsers,
            int items,
            int customers) {
        private static final int MOST_SLAVES = 16;

        public Plan {
            slaves = slaves.stream().sorted().distinct().toList();
            mixes = mixes.stream().distinct().toList();
            require(
                    !slaves.isEmpty() && slaves.getFirst() >= 1 && slaves.getLast() <= MOST_SLAVES,
                    "--slaves must be between 1 and " + MOST_SLAVES);
            require(!mixes.isEmpty(), "--mix must name a mix");
            require(
                    seconds >= 1 && warmSeconds >= 1 && rounds >= 1 && mostBrowsers >= 1,
                    "--seconds, --warm, --rounds and --browsers must be at least 1");
        }

        private static void require(boolean condition, String message) {
            if (!condition) {
                throw new IllegalArgumentException(message);
            }
        }

        /// Of a step on the way to the peak.
        int searchSeconds() {
            return Math.max(1, (seconds + 1) / 2);
        }
    }

    /// Where the servers are.
    ///
    /// @param folder is theirs alone
    /// @param port of the tier's database
    /// @param alonePort of InnoDB alone
    public record Place(Path folder, int port, int alonePort) {}

    /// How a tier's processes run, in a folder.
    public interface Tiers {
        LabTier.Launcher launcher(Path folder, int slaves);
    }

    /// Told how it goes.
    public interface Listener {
        void say(String what);

        void second(WorkloadProgress progress);
    }

    public ScalingLab(Plan plan, Place place, Listener listener) {
        this.plan = plan;
        this.place = place;
        this.listener = listener;
    }

    /// No process and no control group is left when it returns, or throws.
    ///
    /// @param bookstore of as many items and customers as the plan says
    /// @param share whether servers are to have shares, where this process may give them
    public ScalingReport run(LabTier.Contents bookstore, Tiers tiers, boolean share)
            throws SQLException, IOException, InterruptedException {
        try (@Nullable CpuShares shares = share ? CpuShares.open().orElse(null) : null) {
            if (shares == null) {
                listener.say(
                        "servers have NO shares of their own (that needs root and control groups): all of them use what the machine has");
            }
            return run(bookstore, tiers, shares);
        }
    }

    private ScalingReport run(LabTier.Contents bookstore, Tiers tiers, @Nullable CpuShares shares)
            throws SQLException, IOException, InterruptedException {
        Path base = place.folder().resolve("base");
        AloneServer server;
        try (EmbeddedBackend backend = start(base, place.port())) {
            bookstore.create(backend);
            server = AloneServer.ask(backend.jdbcUrl() + "tpcw", ACCOUNT, ACCOUNT);
        }
        List<Measured> all = new ArrayList<>();
        for (int slaves : plan.slaves()) {
            Path own = Files.createDirectory(place.folder().resolve("slaves-" + slaves));
            BackendFolder.copy(base, own.resolve("alone"));
            BackendFolder.copy(base, own.resolve("tier"));
            listener.say("starting a master and %d slaves".formatted(slaves));
            try (EmbeddedBackend alone = start(own.resolve("alone"), place.alonePort());
                    LabTier tier =
                            new LabTier(
                                    own.resolve("tier"),
                                    place.port(),
                                    new LabTier.Layout(
                                            slaves, 0, 1, new ClusterConfig.Copies(1, 1)),
                                    backend -> {},
                                    tiers.launcher(own.resolve("tier"), slaves))) {
                try {
                    all.addAll(new Contest(plan, slaves, alone, tier, shares, listener).run());
                } finally {
                    if (shares != null) {
                        shares.lift(); // what is refused processors does not end in time
                    }
                }
            }
            BackendFolder.delete(own);
        }
        return new ScalingReport(plan, shares != null, server, all);
    }

    private static EmbeddedBackend start(Path folder, int port) {
        return EmbeddedBackend.start(folder, port, ACCOUNT, ACCOUNT);
    }
}
