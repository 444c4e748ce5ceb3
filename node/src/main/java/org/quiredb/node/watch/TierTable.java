package org.quiredb.node.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.quiredb.node.terminal.Screen;

/// A meter's rows as lines.
public final class TierTable {
    private static final int MOST_ROWS = 12;
    private static final int BAR = 16;
    private static final int NAME = 16;
    private static final int STATE = 14;

    private TierTable() {}

    /// A small table that fits a terminal of 80 columns and 24 lines.
    public static List<String> lines(TierMeter meter) {
        return lines(meter.rows(), Screen.hasBlocks() ? "█" : "#");
    }

    static List<String> lines(List<TierMeter.Row> rows, String mark) {
        double highest = rows.stream().mapToDouble(TierMeter.Row::readsPerSecond).max().orElse(0);
        List<String> lines = new ArrayList<>();
        lines.add(line("NODE", "ROLE", "STATE", "READS/S", "", "LAG"));
        for (TierMeter.Row row : rows.subList(0, Math.min(MOST_ROWS, rows.size()))) {
            double reads = row.readsPerSecond();
            int bar = highest <= 0 ? 0 : (int) Math.round(BAR * Math.max(0, reads) / highest);
            lines.add(
                    line(
                            row.name(),
                            row.role(),
                            row.state(),
                            reads < 0 ? "" : "%,.0f".formatted(reads),
                            mark.repeat(bar),
                            row.lag() < 0 ? "" : "%,d".formatted(row.lag())));
        }
        if (rows.size() > MOST_ROWS) {
            lines.add("and %d more: ./quire status".formatted(rows.size() - MOST_ROWS));
        }
        return lines;
    }

    private static String line(
            String name, String role, String state, String reads, String bar, String lag) {
        return "%-16s %-8s %-14s %9s %-16s %7s"
                .formatted(cut(name, NAME), role, cut(state, STATE), reads, bar, lag)
                .stripTrailing();
    }

    private static String cut(String text, int width) {
        return text.length() <= width ? text : text.substring(0, width - 1) + "~";
    }

    /// Who read how much, and the longest lag of a replica: `reads/s slave-1 2,113, slave-2 1,998,
    /// lag 0`.
    public static String inShort(TierMeter meter) {
        List<TierMeter.Row> rows = meter.rows();
        String reads =
                rows.stream()
                        .filter(row -> row.readsPerSecond() >= 1)
                        .map(row -> "%s %,.0f".formatted(row.name(), row.readsPerSecond()))
                        .collect(Collectors.joining(", "));
        long lag =
                rows.stream()
                        .filter(row -> !Objects.equals(row.role(), "backend"))
                        .mapToLong(TierMeter.Row::lag)
                        .max()
                        .orElse(0);
        return "reads/s %s; lag %,d".formatted(reads.isEmpty() ? "none" : reads, Math.max(0, lag));
    }
}
