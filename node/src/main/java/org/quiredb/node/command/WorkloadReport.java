package org.quiredb.node.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.quiredb.node.verify.Verification;
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

    static void print(PrintWriter out, String title, WorkloadResult result) {
        out.printf(
                "%s%n  %.1f WIPS, %,d interactions in %.0f s, %,d update commits, %d errors, %d retries, mix deviation %.2f points%n",
                title,
                result.wips(),
                result.interactions(),
                result.measuredSeconds(),
                result.updateCommits(),
                result.errors(),
                result.retries(),
                result.mixDeviationPercent());
        result.errorMessages().forEach(message -> out.println("  error: " + message));
        Map<String, Double> p99 = result.wirtP99Millis();
        result.wirtP50Millis()
                .forEach((code, p50) ->
                        out.printf(
                                "  %s  median %8.2f ms   p99 %8.2f ms%n",
                                code, p50, p99.get(code)));
        out.flush();
    }

    static void write(Path file, Object report) throws IOException {
        JSON.writeValue(file.toFile(), report);
    }
}
