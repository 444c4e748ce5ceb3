package org.quiredb.node.coldstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.node.backend.BackendFolder;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.lab.Ledger;

/// Starts tiers, takes the power from them, and starts them again.
///
/// Every layout is started twice: with nothing there but the database's tables, then after a power
/// cut amid the ledger's load. Threads: one; clients have their own.
public final class ColdStartLab {
    private static final int LIMIT_SECONDS = 60;
    private static final int LOAD_ENTRIES = 200;
    private static final int LOAD_SECONDS = 30;
    private static final long LOOK_MILLIS = 50;

    private final Path data;
    private final long memoryMegabytes;
    private final int limitSeconds;
    private final Draw draw;
    private final Consumer<String> say;
    private final List<ColdStart> starts = new ArrayList<>();

    /// @param data folder, of which what former experiments left is deleted
    /// @param memoryMegabytes heaps of all processes together
    /// @param say told of each start, in one line
    public ColdStartLab(Path data, long memoryMegabytes, long seed, Consumer<String> say) {
        this(data, memoryMegabytes, new Draw(seed, Layout.all()), LIMIT_SECONDS, say);
    }

    /// @param limitSeconds for each start
    ColdStartLab(
            Path data, long memoryMegabytes, Draw draw, int limitSeconds, Consumer<String> say) {
        this.data = data;
        this.memoryMegabytes = memoryMegabytes;
        this.limitSeconds = limitSeconds;
        this.draw = draw;
        this.say = say;
    }

    /// Runs to the end. What a failed start has left in its folder is kept.
    ///
    /// @param times cold starts
    public List<ColdStart> run(int times) throws IOException, SQLException, InterruptedException {
        Path pattern = pattern();
        while (starts.size() < times) {
            Layout layout = draw.layout();
            Path folder = data.resolve("tier-" + (starts.size() + 1));
            BackendFolder.delete(folder);
            int before = starts.size();
            try (ColdTier tier = new ColdTier(folder, pattern, layout, memoryMegabytes)) {
                startTwice(tier, layout, times - before);
            }
            if (starts.subList(before, starts.size()).stream().allMatch(ColdStart::good)) {
                BackendFolder.delete(folder);
            }
        }
        return List.copyOf(starts);
    }

    private Path pattern() throws IOException, SQLException {
        Path pattern = data.resolve("pattern");
        BackendFolder.delete(pattern);
        Files.createDirectories(data);
        try (EmbeddedBackend server =
                        EmbeddedBackend.start(
                                pattern, FreePorts.next(), Database.ACCOUNT, Database.ACCOUNT);
                Connection direct =
                        DriverManager.getConnection(
                                server.jdbcUrl(), Database.ACCOUNT, Database.ACCOUNT)) {
            Ledger.create(direct);
        }
        return pattern;
    }

    private void startTwice(ColdTier tier, Layout layout, int most)
            throws SQLException, InterruptedException {
        Draw.Start first = draw.start(tier.hosts(), tier.replaceable());
        if (!start(tier, layout + ", first start", first, null) || most == 1) {
            return;
        }
        Ledger ledger = Ledger.open(tier.url(), Database.ACCOUNT, Database.ACCOUNT);
        try {
            boolean loaded = goesOn(ledger, LOAD_ENTRIES);
            Draw.Start second = draw.start(tier.hosts(), tier.replaceable());
            if (loaded && tier.databases().size() > 1 && draw.chance()) {
                String lost = draw.oneOf(tier.databases());
                tier.lose(lost);
                loaded = goesOn(ledger, LOAD_ENTRIES);
                second = draw.startWithout(lost, tier.hosts());
            }
            if (loaded) {
                tier.cutPower();
                start(tier, layout + ", after a power cut", second, ledger);
            } else {
                add(new ColdStart(layout + ", load", 0, 0, 0, notGoingOn(ledger)));
            }
        } finally {
            ledger.close();
        }
    }

    private boolean start(ColdTier tier, String what, Draw.Start start, @Nullable Ledger ledger)
            throws SQLException, InterruptedException {
        Optional<SilentHost> silent =
                start.missing().filter(Draw.Start.Missing::silent).map(m -> tier.silence(m.host()));
        try {
            for (Draw.Start.Step step : start.steps()) {
                Thread.sleep(step.pauseMillis());
                tier.begin(step.host());
            }
            return add(watch(tier, what + start, start.hosts(), ledger)).good();
        } finally {
            silent.ifPresent(SilentHost::close);
        }
    }

    private ColdStart watch(ColdTier tier, String what, List<String> hosts, @Nullable Ledger ledger)
            throws SQLException, InterruptedException {
        long beganNanos = System.nanoTime();
        try (Newcomers clients = new Newcomers(tier, hosts, 10 * starts.size())) {
            boolean complete =
                    await(
                            limitSeconds,
                            () ->
                                    !tier.failures().isEmpty()
                                            || (clients.served()
                                                    && hosts.stream().allMatch(tier::serves)));
            long completeNanos = System.nanoTime();
            List<String> wrong = new ArrayList<>(tier.failures());
            if (!complete) {
                wrong.addAll(unfinished(tier, hosts, clients));
            } else if (wrong.isEmpty() && ledger != null) {
                wrong.addAll(lost(tier, clients, ledger));
            }
            return new ColdStart(
                    what,
                    wrong.isEmpty() ? (clients.servedNanos() - beganNanos) / 1_000_000 : 0,
                    (completeNanos - beganNanos) / 1_000_000,
                    ledger == null ? 0 : ledger.acknowledged(),
                    String.join("; ", wrong));
        }
    }

    private ColdStart add(ColdStart done) {
        starts.add(done);
        say.accept("%d: %s".formatted(starts.size(), done.summary()));
        return done;
    }

    private List<String> unfinished(ColdTier tier, List<String> hosts, Newcomers clients) {
        List<String> waiting = new ArrayList<>();
        waiting.add("after %d s".formatted(limitSeconds));
        hosts.stream()
                .filter(host -> !tier.serves(host))
                .forEach(host -> waiting.add(host + " does not serve"));
        waiting.addAll(clients.complaints());
        return waiting;
    }

    /// Nothing when the ledger's clients go on, and find what they were told of.
    private static List<String> lost(ColdTier tier, Newcomers clients, Ledger ledger)
            throws SQLException, InterruptedException {
        boolean goesOn = goesOn(ledger, 1);
        ledger.close();
        if (!goesOn) {
            return List.of(notGoingOn(ledger));
        }
        List<String> wrong = new ArrayList<>();
        for (String scheduler : clients.schedulers()) {
            try (Connection connection =
                    DriverManager.getConnection(
                            "jdbc:mysql://%s/ledger".formatted(tier.endpoint(scheduler)),
                            Database.ACCOUNT,
                            Database.ACCOUNT)) {
                int lost = ledger.lost(connection);
                if (lost > 0) {
                    wrong.add(
                            "%d of %d acknowledged entries are missing at %s"
                                    .formatted(lost, ledger.acknowledged(), scheduler));
                }
            }
        }
        wrong.addAll(ledger.anomalies());
        return wrong;
    }

    private static boolean goesOn(Ledger ledger, int entries) throws InterruptedException {
        int noted = ledger.acknowledged();
        return await(LOAD_SECONDS, () -> ledger.acknowledged() >= noted + entries);
    }

    private static String notGoingOn(Ledger ledger) {
        return "the ledger's clients do not go on: " + ledger.report();
    }

    private static boolean await(int seconds, BooleanSupplier condition)
            throws InterruptedException {
        long deadline = System.nanoTime() + seconds * 1_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            Thread.sleep(LOOK_MILLIS);
        }
        return true;
    }
}
