package org.quiredb.node.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.quiredb.node.verify.Verification;
import org.quiredb.tpcw.run.InteractionResult;
import org.quiredb.tpcw.run.WorkloadResult;

/// A run's figures, for people and as JSON.
final class WorkloadReport {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private WorkloadReport() {}

    static Map<String, Object> of(WorkloadResult result) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("mix", result.mix().name().toLowerCase(Locale.ROOT));
        report.put("items", result.size().items());
        report.put("customers", result.size().customers());
        report.put("browsers", result.browsers());
        report.put("seconds", result.measuredSeconds());
        report.put("wips", result.wips());
        report.put("interactions", result.interactions());
        report.put("errors", result.errors());
        report.put("errorMessages", result.errorMessages());
        report.put("retries", result.retries());
        report.put("commits", result.updateCommits());
        report.put("updateShare", result.updateShare());
        report.put("mixDeviationPercent", result.mixDeviationPercent());
        report.put("wirtP50Millis", result.wirtP50Millis());
        report.put("wirtP99Millis", result.wirtP99Millis());
        report.put("withinLimits", result.withinLimits());
        return report;
    }

    static Map<String, Object> of(Verification verification) {
        return Map.of(
                "identical", verification.identical(),
                "tables", verification.tables(),
                "rows", verification.rows(),
                "replicas", verification.replicas(),
                "backends", verification.backends());
    }

    /// The figures that are asked for first, in lines of at most 100 characters.
    static List<String> lines(String title, WorkloadResult result) {
        InteractionResult slowest =
                result.byInteraction().stream()
                        .max(Comparator.comparingDouble(InteractionResult::wirtP99Millis))
                        .orElseThrow();
        List<String> lines = new ArrayList<>();
        lines.add(
                "%s: %,.1f WIPS (web interactions/s), %s mix, %d browsers, %.0f s"
                        .formatted(
                                title,
                                result.wips(),
                                result.mix().name().toLowerCase(Locale.ROOT),
                                result.browsers(),
                                result.measuredSeconds()));
        lines.add("");
        lines.add(
                DemoSummary.figure(
                        "latency",
                        "median %.1f ms, p99 %.1f ms; slowest %s, p99 %.1f ms"
                                .formatted(
                                        result.medianMillis(),
                                        result.p99Millis(),
                                        slowest.type().title(),
                                        slowest.wirtP99Millis())));
        lines.add(
                DemoSummary.figure(
                        "interactions",
                        "%,d, %s; %s repeated after a deadlock"
                                .formatted(
                                        result.interactions(),
                                        DemoSummary.count(result.errors(), "error"),
                                        DemoSummary.count(result.retries(), "transaction"))));
        result.errorMessages().forEach(message -> lines.add("  error: " + message));
        lines.add(
                DemoSummary.figure(
                        "commits",
                        "%,d updates, by %.0f %% of the interactions"
                                .formatted(result.updateCommits(), 100 * result.updateShare())));
        return lines;
    }

    /// Each of the fourteen interactions, two to a line.
    static List<String> interactions(WorkloadResult result) {
        List<String> cells =
                result.byInteraction().stream()
                        .map(i ->
                                "%-21s %9.1f %9.1f"
                                        .formatted(
                                                i.type().title(),
                                                i.wirtP50Millis(),
                                                i.wirtP99Millis()))
                        .toList();
        String heading = "%-21s %9s %9s".formatted("", "median ms", "p99 ms");
        List<String> lines = new ArrayList<>(List.of("", "  " + heading + "    " + heading));
        int half = (cells.size() + 1) / 2;
        for (int i = 0; i < half; i++) {
            String right = i + half < cells.size() ? "    " + cells.get(i + half) : "";
            lines.add("  " + cells.get(i) + right);
        }
        return lines;
    }

    static void write(Path file, Object report) throws IOException {
        JSON.writeValue(file.toFile(), report);
    }
}
