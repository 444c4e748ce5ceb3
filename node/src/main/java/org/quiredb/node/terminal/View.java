package org.quiredb.node.terminal;

import java.util.List;

/// How things stand now.
///
/// @param picture for a terminal, line by line, each below 100 characters; drawn over what was
///   there
/// @param line the same in short, for where there is none; empty when it is not worth a line
public record View(List<String> picture, String line) {
    /// The same for both.
    public static View of(String line) {
        return new View(List.of(line), line);
    }

    public View {
        picture = List.copyOf(picture);
    }
}
