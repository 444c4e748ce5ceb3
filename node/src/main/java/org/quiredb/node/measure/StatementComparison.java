package org.quiredb.node.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// One statement from so many clients, on both servers.
///
/// @param alone by round
/// @param quire by round
record StatementComparison(
        Probe probe,
        int clients,
        List<LoadClients.Answers> alone,
        List<LoadClients.Answers> quire) {
    /// How many times as many answers Quire gives, of the rounds.
    Spread ratio() {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < quire.size(); i++) {
            ratios.add(quire.get(i).perSecond() / alone.get(i).perSecond());
        }
        return Spread.of(ratios);
    }

    Spread perSecond(List<LoadClients.Answers> rounds) {
        return spread(rounds, LoadClients.Answers::perSecond);
    }

    double medianMicros(List<LoadClients.Answers> rounds) {
        return spread(rounds, LoadClients.Answers::medianMicros).median();
    }

    private static Spread spread(
            List<LoadClients.Answers> rounds, ToDoubleFunction<LoadClients.Answers> figure) {
        return Spread.of(rounds.stream().map(figure::applyAsDouble).toList());
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("query", probe.key());
        json.put("clients", clients);
        json.put("ratio", ratio().json());
        json.put("mariadb", json(alone));
        json.put("quire", json(quire));
        return json;
    }

    private static Map<String, Object> json(List<LoadClients.Answers> rounds) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("perSecond", spread(rounds, LoadClients.Answers::perSecond).json());
        json.put("medianMicros", spread(rounds, LoadClients.Answers::medianMicros).json());
        json.put("p99Micros", spread(rounds, LoadClients.Answers::p99Micros).json());
        json.put("retries", rounds.stream().mapToLong(LoadClients.Answers::retries).sum());
        return json;
    }
}
