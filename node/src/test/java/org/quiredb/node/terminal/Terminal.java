package org.quiredb.node.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a terminal of any height shows after some output, for the sequences that screens write.
public final class Terminal {
    private static final Pattern SEQUENCE = Pattern.compile("\033\\[(\\??\\d*)([A-Za-z])");

    private final List<StringBuilder> rows = new ArrayList<>(List.of(new StringBuilder()));
    private int row;
    private int column;

    private Terminal() {}

    /// Its rows, without empty ones at the end.
    ///
    /// @throws IllegalArgumentException at a sequence that is not known
    public static List<String> after(String output) {
        Terminal terminal = new Terminal();
        Matcher sequence = SEQUENCE.matcher(output);
        int at = 0;
        while (sequence.find()) {
            terminal.print(output.substring(at, sequence.start()));
            terminal.obey(sequence.group(1), sequence.group(2));
            at = sequence.end();
        }
        terminal.print(output.substring(at));
        List<String> shown =
                new ArrayList<>(
                        terminal.rows.stream().map(r -> r.toString().stripTrailing()).toList());
        while (!shown.isEmpty() && shown.getLast().isEmpty()) {
            shown.removeLast();
        }
        return shown;
    }

    private void obey(String number, String command) {
        switch (command) {
            case "F" -> {
                row -= Integer.parseInt(number);
                column = 0;
            }
            case "K" -> rows.get(row).setLength(Math.min(column, rows.get(row).length()));
            case "J" -> {
                rows.get(row).setLength(Math.min(column, rows.get(row).length()));
                rows.subList(row + 1, rows.size()).clear();
            }
            case "h", "l" -> {
                if (!number.equals("?7")) {
                    throw new IllegalArgumentException("mode " + number);
                }
            }
            default -> throw new IllegalArgumentException("sequence " + number + command);
        }
    }

    private void print(String text) {
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character == '\n') {
                row++;
                column = 0;
                if (row == rows.size()) {
                    rows.add(new StringBuilder());
                }
            } else {
                StringBuilder line = rows.get(row);
                while (line.length() <= column) {
                    line.append(' ');
                }
                line.setCharAt(column, character);
                column++;
            }
        }
    }
}
