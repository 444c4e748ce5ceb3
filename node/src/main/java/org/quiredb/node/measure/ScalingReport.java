package org.quiredb.node.measure;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.quiredb.node.status.TextTable;
import org.quiredb.tpcw.browser.Mix;

/// What {@link ScalingLab} measured.
///
/// Threads: any.
public final class ScalingReport {
    private final ScalingLab.Plan plan;
    private final boolean shares;
    private final AloneServer server;
    private final List<Measured> all;

    ScalingReport(ScalingLab.Plan plan, boolean shares, AloneServer server, List<Measured> all) {
        this.plan = plan;
        this.shares = shares;
        this.server = server;
        this.all = List.copyOf(all);
    }

    /// Interactions that failed for good.
    public long errors() {
        return all.stream().mapToLong(Measured::errors).sum();
    }

    private Measured of(int slaves, Mix mix, Rival rival) {
        return all.stream()
                .filter(m -> m.slaves() == slaves && m.mix() == mix && m.rival() == rival)
                .findFirst()
                .orElseThrow();
    }

    private Spread ratio(int slaves, Mix mix, Rival to) {
        return of(slaves, mix, Rival.QUIRE).ratioTo(of(slaves, mix, to));
    }

    /// A table and what is to be known of it, line by line.
    public String text() {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        TextTable table =
                new TextTable(
                        "MIX",
                        "SLAVES",
                        "SYSTEM",
                        "BROWSERS",
                        "WIPS",
                        "MIN",
                        "MAX",
                        "TIMES",
                        "MIN",
                        "MAX",
                        "LIMITED BY");
        for (Measured each : all) {
            table.row(row(each));
        }
        table.print(out);
        out.println();
        out.println("processor time, percent of one processor, median of the rounds:");
        for (Measured each : all) {
            out.printf(
                    Locale.ROOT,
                    "  %s, %d slaves, %s: %s; machine idle %.0f %%%n",
                    each.mix().lowerCaseName(),
                    each.slaves(),
                    each.rival().title(),
                    percents(each),
                    each.use().idlePercent());
        }
        out.printf(
                Locale.ROOT,
                "%s, %s; InnoDB: MariaDB %s, flushed at every commit, pool %d MB, data %d MB",
                shares
                        ? "every server has %d %% of a processor".formatted(plan.share().percent())
                        : "servers have NO shares of their own",
                errors() == 0 ? "no errors" : errors() + " ERRORS",
                server.version(),
                server.bufferPoolBytes() >> 20,
                server.dataBytes() >> 20);
        return text.toString();
    }

    private static String percents(Measured each) {
        StringBuilder percents = new StringBuilder();
        each.percent()
                .forEach((name, percent) ->
                        percents.append(percents.isEmpty() ? "" : ", ")
                                .append("%s %.1f".formatted(name, percent)));
        return percents.toString();
    }

    private List<String> row(Measured each) {
        Spread wips = each.wips();
        Spread times = each.ratioTo(of(each.slaves(), each.mix(), Rival.SERIALISABLE));
        return List.of(
                each.mix().lowerCaseName(),
                Integer.toString(each.slaves()),
                each.rival().title(),
                Integer.toString(each.browsers()),
                tenths(wips.median()),
                tenths(wips.least()),
                tenths(wips.greatest()),
                tenths(times.median()),
                tenths(times.least()),
                tenths(times.greatest()),
                each.limitedBy());
    }

    private static String tenths(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /// Under the names that docs/benchmarks.md tells; ratios are those with the most slaves.
    public Map<String, Object> json() {
        int most = plan.slaves().getLast();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("ratio", byMix(mix -> ratio(most, mix, Rival.SERIALISABLE).rounded()));
        json.put("limitedBy", byMix(mix -> of(most, mix, Rival.QUIRE).limitedBy()));
        json.put("ratioSpread", byMix(mix -> ratio(most, mix, Rival.SERIALISABLE).json()));
        json.put(
                "ratioReadCommitted",
                byMix(mix -> ratio(most, mix, Rival.READ_COMMITTED).rounded()));
        json.put(
                "ratioReadCommittedSpread",
                byMix(mix -> ratio(most, mix, Rival.READ_COMMITTED).json()));
        json.put("ratioBySlaves", bySlaves());
        json.put("shares", shares);
        json.put("percent", plan.share().percent());
        json.put("periodMicros", Share.PERIOD_MICROS);
        json.put("slaves", plan.slaves());
        json.put("seconds", plan.seconds());
        json.put("warmSeconds", plan.warmSeconds());
        json.put("rounds", plan.rounds());
        json.put("items", plan.items());
        json.put("customers", plan.customers());
        json.put("errors", errors());
        json.put("innodb", server.json());
        json.put("machine", Machine.json());
        json.put("results", all.stream().map(Measured::json).toList());
        return json;
    }

    private Map<String, Object> bySlaves() {
        Map<String, Object> ratios = new LinkedHashMap<>();
        for (int slaves : plan.slaves()) {
            ratios.put(
                    Integer.toString(slaves),
                    byMix(mix -> ratio(slaves, mix, Rival.SERIALISABLE).rounded()));
        }
        return ratios;
    }

    private Map<String, Object> byMix(Function<Mix, Object> figure) {
        Map<String, Object> figures = new LinkedHashMap<>();
        plan.mixes().forEach(mix -> figures.put(mix.lowerCaseName(), figure.apply(mix)));
        return figures;
    }
}
