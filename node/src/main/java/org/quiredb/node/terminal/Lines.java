package org.quiredb.node.terminal;

import java.util.ArrayList;
import java.util.List;

/// Text in lines of at most so many characters.
final class Lines {
    private static final int INDENT = 4;

    private Lines() {}

    /// Breaks between words where there are any; what goes on is indented below what it belongs to.
    static List<String> wrapped(String text, int width) {
        List<String> lines = new ArrayList<>();
        text.lines().forEach(line -> wrap(line.stripTrailing(), width, lines));
        return lines.isEmpty() ? List.of("") : lines;
    }

    private static void wrap(String line, int width, List<String> lines) {
        int leading = line.length() - line.stripLeading().length();
        String indent = " ".repeat(Math.min(leading + INDENT, width / 2));
        String rest = line;
        while (rest.length() > width) {
            int space = rest.lastIndexOf(' ', width);
            int end = space > indent.length() ? space : width;
            lines.add(rest.substring(0, end).stripTrailing());
            rest = indent + rest.substring(end).strip();
        }
        lines.add(rest);
    }
}
