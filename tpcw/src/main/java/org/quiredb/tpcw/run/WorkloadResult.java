package org.quiredb.tpcw.run;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.quiredb.tpcw.browser.BookstoreSize;
import org.quiredb.tpcw.browser.Mix;

/// What a run measured. All but errors refers to the measured time only; errors count from the
/// start.
///
/// @param measuredSeconds length of the measurement
/// @param wips web interactions per second
/// @param medianMillis response time of all interactions
/// @param p99Millis its 99th percentile
/// @param errors interactions that failed for good
/// @param errorMessages the first few of them
/// @param retries transactions run again after a deadlock or a lock wait
/// @param updateCommits update transactions committed
/// @param readCommits read-only transactions committed
/// @param updateInteractions interactions that committed an update transaction
/// @param byInteraction one for each of the fourteen
public record WorkloadResult(
        Mix mix,
        BookstoreSize size,
        int browsers,
        double measuredSeconds,
        double wips,
        double medianMillis,
        double p99Millis,
        long interactions,
        long errors,
        List<String> errorMessages,
        long retries,
        long updateCommits,
        long readCommits,
        long updateInteractions,
        List<InteractionResult> byInteraction) {

    public long commits() {
        return updateCommits + readCommits;
    }

    /// The share of interactions that wrote, from 0 to 1.
    public double updateShare() {
        return interactions == 0 ? 0 : updateInteractions / (double) interactions;
    }

    /// The largest distance between an interaction's share and what the mix asks for, in percentage
    /// points.
    public double mixDeviationPercent() {
        return byInteraction.stream()
                .mapToDouble(InteractionResult::deviationPercent)
                .max()
                .orElse(0);
    }

    /// Whether 90 % of each type kept to its limit.
    public boolean withinLimits() {
        return byInteraction.stream().allMatch(InteractionResult::withinLimit);
    }

    /// Median response times by code.
    public Map<String, Double> wirtP50Millis() {
        return figures(InteractionResult::wirtP50Millis);
    }

    /// 99th percentiles of the response times by code.
    public Map<String, Double> wirtP99Millis() {
        return figures(InteractionResult::wirtP99Millis);
    }

    private Map<String, Double> figures(ToDoubleFunction<InteractionResult> figure) {
        var figures = new TreeMap<String, Double>();
        for (InteractionResult result : byInteraction) {
            figures.put(result.type().name(), figure.applyAsDouble(result));
        }
        return figures;
    }
}
