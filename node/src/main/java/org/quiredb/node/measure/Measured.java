package org.quiredb.node.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.quiredb.tpcw.browser.Mix;

/// What one system did with one mix, beside so many slaves.
///
/// @param peak throughput by browsers, as the peak was looked for
/// @param rounds at the peak, at least one
/// @param limitedBy a role, or what else
record Measured(
        int slaves,
        Mix mix,
        Rival rival,
        Map<Integer, Double> peak,
        List<Round> rounds,
        String limitedBy) {
    Measured {
        rounds = List.copyOf(rounds);
    }

    int browsers() {
        return rounds.getFirst().result().browsers();
    }

    Spread wips() {
        return spread(round -> round.result().wips());
    }

    /// How many times as much as the other one did in the same rounds.
    Spread ratioTo(Measured other) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < rounds.size(); i++) {
            double own = rounds.get(i).result().wips();
            ratios.add(own / other.rounds.get(i).result().wips());
        }
        return Spread.of(ratios);
    }

    long errors() {
        return rounds.stream().mapToLong(round -> round.result().errors()).sum();
    }

    /// Of one processor, by process: the median of the rounds.
    Map<String, Double> percent() {
        return medians(round -> round.use().percent());
    }

    CpuTimes.Use use() {
        return new CpuTimes.Use(percent(), spread(round -> round.use().idlePercent()).median());
    }

    private Spread spread(ToDoubleFunction<Round> figure) {
        return Spread.of(rounds.stream().map(figure::applyAsDouble).toList());
    }

    private Map<String, Double> medians(Function<Round, Map<String, Double>> figures) {
        Map<String, List<Double>> byName = new TreeMap<>();
        for (Round round : rounds) {
            figures.apply(round)
                    .forEach((name, value) ->
                            byName.computeIfAbsent(name, _ -> new ArrayList<>()).add(value));
        }
        Map<String, Double> medians = new LinkedHashMap<>();
        byName.forEach(
                (name, values) -> medians.put(name, Spread.rounded(Spread.of(values).median())));
        return medians;
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("slaves", slaves);
        json.put("mix", mix.lowerCaseName());
        json.put("system", rival.key());
        json.put("browsers", browsers());
        json.put("wips", wips().json());
        json.put(
                "wipsByRound",
                rounds.stream().map(r -> Spread.rounded(r.result().wips())).toList());
        json.put("medianMillis", Spread.rounded(spread(r -> r.result().medianMillis()).median()));
        json.put("p99Millis", Spread.rounded(spread(r -> r.result().p99Millis()).median()));
        json.put("errors", errors());
        json.put("retries", rounds.stream().mapToLong(r -> r.result().retries()).sum());
        json.put("limitedBy", limitedBy);
        json.put("cpuPercent", percent());
        json.put("throttledPercent", medians(Round::throttledPercent));
        json.put("machineIdlePercent", Spread.rounded(use().idlePercent()));
        json.put("backendBacklog", rounds.stream().mapToLong(Round::backlog).max().orElse(0));
        json.put("wipsByBrowsersAtTheSearch", peak);
        return json;
    }
}
