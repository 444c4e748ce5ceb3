package org.quiredb.node.measure;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.quiredb.node.status.TextTable;

/// What {@link QueriesLab} measured.
///
/// Threads: any.
public final class QueriesReport {
    private final QueriesLab.Plan plan;
    private final String version;
    private final List<StatementComparison> all;

    QueriesReport(QueriesLab.Plan plan, String version, List<StatementComparison> all) {
        this.plan = plan;
        this.version = version;
        this.all = List.copyOf(all);
    }

    /// A table and what is to be known of it, line by line.
    public String text() {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        TextTable table =
                new TextTable(
                        "QUERY",
                        "CLIENTS",
                        "MARIADB/S",
                        "QUIRE/S",
                        "TIMES",
                        "MIN",
                        "MAX",
                        "MARIADB US",
                        "QUIRE US");
        for (StatementComparison each : all) {
            Spread ratio = each.ratio();
            table.row(
                    List.of(
                            each.probe().key(),
                            Integer.toString(each.clients()),
                            whole(each.perSecond(each.alone()).median()),
                            whole(each.perSecond(each.quire()).median()),
                            hundredths(ratio.median()),
                            hundredths(ratio.least()),
                            hundredths(ratio.greatest()),
                            whole(each.medianMicros(each.alone())),
                            whole(each.medianMicros(each.quire()))));
        }
        table.print(out);
        out.print(
                "medians of %d rounds; US is what a client waits, the median in microseconds; MariaDB %s"
                        .formatted(plan.rounds(), version));
        return text.toString();
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String hundredths(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /// Under the names that docs/benchmarks.md tells.
    public Map<String, Object> json() {
        Map<String, Object> least = new LinkedHashMap<>();
        Map<String, Map<String, Object>> byClients = new LinkedHashMap<>();
        for (StatementComparison each : all) {
            double ratio = each.ratio().rounded();
            least.merge(each.probe().key(), ratio, (a, b) -> Math.min((double) a, (double) b));
            byClients
                    .computeIfAbsent(each.probe().key(), _ -> new LinkedHashMap<>())
                    .put(Integer.toString(each.clients()), ratio);
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("ratio", least);
        json.put("ratioByClients", byClients);
        json.put("clients", plan.clients());
        json.put("millis", plan.millis());
        json.put("warmMillis", plan.warmMillis());
        json.put("rounds", plan.rounds());
        json.put("mariadb", version);
        json.put("machine", Machine.json());
        json.put("results", all.stream().map(StatementComparison::json).toList());
        return json;
    }
}
