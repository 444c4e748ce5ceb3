package org.quiredb.node.measure;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.lab.LabTier;
import org.quiredb.node.status.BackendStatus;
import org.quiredb.tpcw.browser.Mix;
import org.quiredb.tpcw.run.Workload;
import org.quiredb.tpcw.run.WorkloadConfig;
import org.quiredb.tpcw.run.WorkloadResult;

/// InnoDB alone beside a tier with so many slaves: warmed up, then each with its share, in turns.
///
/// Threads: one.
final class Contest {
    static final String ALONE = "innodb";
    static final String BACKEND = "backend";
    private static final String ACCOUNT = "quire";
    private static final int RAMP_UP_SECONDS = 1;
    private static final int WARM_BROWSERS = 32;
    private static final int WARM_BROWSERS_ALONE = 8;

    private final ScalingLab.Plan plan;
    private final int slaves;
    private final EmbeddedBackend alone;
    private final LabTier tier;
    private final @Nullable CpuShares shares;
    private final Map<String, Long> processes;
    private final ScalingLab.Listener listener;
    private long seed;

    /// @param shares null where there is no right to share processors out
    Contest(
            ScalingLab.Plan plan,
            int slaves,
            EmbeddedBackend alone,
            LabTier tier,
            @Nullable CpuShares shares,
            ScalingLab.Listener listener) {
        this.plan = plan;
        this.slaves = slaves;
        this.alone = alone;
        this.tier = tier;
        this.shares = shares;
        this.listener = listener;
        processes = processIds();
    }

    private Map<String, Long> processIds() {
        Map<String, Long> ids = new LinkedHashMap<>(tier.processIds());
        ids.put(ALONE, alone.processId());
        return ids;
    }

    List<Measured> run() throws SQLException, InterruptedException {
        for (Mix mix : plan.mixes()) {
            listener.say("warming up: " + mix.lowerCaseName());
            for (Rival rival : Rival.values()) {
                boolean quire = rival == Rival.QUIRE;
                int seconds = quire ? plan.warmSeconds() : Math.max(1, plan.warmSeconds() / 10);
                load(rival, mix, quire ? WARM_BROWSERS : WARM_BROWSERS_ALONE, seconds, 0);
            }
        }
        Map<String, String> roles = roles();
        if (shares != null) {
            CpuShares groups = shares;
            roles.keySet()
                    .forEach(name ->
                            groups.put(name, processes.getOrDefault(name, 0L), plan.share()));
        }
        List<Measured> all = new ArrayList<>();
        for (Mix mix : plan.mixes()) {
            all.addAll(compare(mix, shares == null ? Map.of() : roles));
        }
        if (!processIds().equals(processes)) {
            throw new IllegalStateException(
                    "a process ended and was begun again, without a share: nothing of this counts; %s became %s"
                            .formatted(processes, processIds()));
        }
        return all;
    }

    /// Of the servers, by name: schedulers and loggers have no shares.
    private Map<String, String> roles() {
        Map<String, String> roles = new LinkedHashMap<>();
        String master = tier.cluster().leader();
        tier.cluster().replicas().keySet().stream()
                .filter(processes::containsKey)
                .forEach(name -> roles.put(name, name.equals(master) ? "master" : "slaves"));
        roles.put(BACKEND, BACKEND);
        roles.put(ALONE, ALONE);
        return roles;
    }

    private List<Measured> compare(Mix mix, Map<String, String> roles)
            throws SQLException, InterruptedException {
        Map<Rival, PeakSearch> peaks = new EnumMap<>(Rival.class);
        for (Rival rival : Rival.values()) {
            peaks.put(rival, peak(rival, mix));
        }
        Map<Rival, List<Round>> rounds = new EnumMap<>(Rival.class);
        for (int round = 1; round <= plan.rounds(); round++) {
            for (Map.Entry<Rival, PeakSearch> each : peaks.entrySet()) {
                Rival rival = each.getKey();
                Round done = measure(rival, mix, each.getValue().best());
                rounds.computeIfAbsent(rival, _ -> new ArrayList<>()).add(done);
                listener.say(
                        "%s, round %d: %s %.1f WIPS"
                                .formatted(
                                        mix.lowerCaseName(),
                                        round,
                                        rival.title(),
                                        done.result().wips()));
            }
        }
        List<Measured> all = new ArrayList<>();
        rounds.forEach((rival, done) -> {
            Measured measured =
                    new Measured(
                            slaves,
                            mix,
                            rival,
                            Objects.requireNonNull(peaks.get(rival)).measured(),
                            done,
                            "");
            all.add(
                    new Measured(
                            slaves,
                            mix,
                            rival,
                            measured.peak(),
                            done,
                            Bottleneck.of(measured.use(), taking(rival, roles), plan.share())));
        });
        return all;
    }

    /// Only the servers that the system consists of.
    private static Map<String, String> taking(Rival rival, Map<String, String> roles) {
        Map<String, String> own = new LinkedHashMap<>(roles);
        own.keySet().removeIf(name -> name.equals(ALONE) == (rival == Rival.QUIRE));
        return own;
    }

    private PeakSearch peak(Rival rival, Mix mix) throws SQLException, InterruptedException {
        PeakSearch search =
                new PeakSearch(rival == Rival.QUIRE ? 2 * slaves : 2, plan.mostBrowsers());
        while (!search.isOver()) {
            search.measured(
                    load(rival, mix, search.next(), plan.searchSeconds(), RAMP_UP_SECONDS).wips());
        }
        return search;
    }

    private Round measure(Rival rival, Mix mix, int browsers)
            throws SQLException, InterruptedException {
        List<CpuTimes> times = new ArrayList<>();
        Map<String, CpuShares.Throttled> before = throttled();
        WorkloadResult result =
                Workload.run(
                        config(rival, mix, browsers, plan.seconds(), RAMP_UP_SECONDS),
                        second -> {
                            listener.second(second);
                            if (second.elapsedSeconds() >= RAMP_UP_SECONDS) {
                                times.add(CpuTimes.now(processes));
                            }
                        });
        Map<String, Double> throttled = new LinkedHashMap<>();
        throttled()
                .forEach((name, after) ->
                        throttled.put(
                                name,
                                after.percentSince(
                                        before.getOrDefault(name, CpuShares.Throttled.NEVER))));
        return new Round(
                result,
                times.getFirst().until(times.getLast()),
                throttled,
                rival == Rival.QUIRE ? backlog() : 0);
    }

    private Map<String, CpuShares.Throttled> throttled() {
        return shares == null ? Map.of() : shares.throttled();
    }

    private long backlog() {
        return tier.cluster().backends().stream().mapToLong(BackendStatus::backlog).max().orElse(0);
    }

    private WorkloadResult load(Rival rival, Mix mix, int browsers, int seconds, int rampUp)
            throws SQLException, InterruptedException {
        return Workload.run(config(rival, mix, browsers, seconds, rampUp), listener::second);
    }

    private WorkloadConfig config(Rival rival, Mix mix, int browsers, int seconds, int rampUp) {
        return new WorkloadConfig(
                url(rival),
                ACCOUNT,
                ACCOUNT,
                mix,
                browsers,
                seconds,
                rampUp,
                0,
                ++seed,
                OptionalInt.of(plan.items()),
                OptionalInt.of(plan.customers()));
    }

    private String url(Rival rival) {
        String isolation = alone.jdbcUrl() + "tpcw?sessionVariables=transaction_isolation='%s'";
        return switch (rival) {
            case SERIALISABLE -> isolation.formatted("SERIALIZABLE");
            case READ_COMMITTED -> isolation.formatted("READ-COMMITTED");
            case QUIRE -> tier.url("tpcw");
        };
    }
}
