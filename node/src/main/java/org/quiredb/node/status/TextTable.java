package org.quiredb.node.status;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/// Rows of text in columns as wide as their widest cell, numbers to the right.
///
/// Threads: one.
public final class TextTable {
    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(String... heading) {
        rows.add(List.of(heading));
    }

    public void row(List<String> cells) {
        rows.add(List.copyOf(cells));
    }

    public void print(PrintWriter out) {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        boolean[] right = new boolean[columns];
        for (int column = 0; column < columns; column++) {
            int at = column;
            widths[at] = rows.stream().mapToInt(row -> row.get(at).length()).max().orElse(0);
            right[at] = rows.stream().skip(1).allMatch(row -> row.get(at).matches("[-\\d,.]+"));
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < columns; column++) {
                String pad = " ".repeat(widths[column] - row.get(column).length());
                line.append(column == 0 ? "" : "  ")
                        .append(right[column] ? pad : "")
                        .append(row.get(column))
                        .append(right[column] ? "" : pad);
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
