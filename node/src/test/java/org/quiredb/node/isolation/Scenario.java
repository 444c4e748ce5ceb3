package org.quiredb.node.isolation;

import java.util.ArrayList;
import java.util.List;

/// A script of `scenarios.txt` and its like.
///
/// @param level of JDBC, at which it is played
record Scenario(String name, int level, List<Step> steps) {
    /// @param sql empty for the answer to a statement that waited
    record Step(String client, String sql, String answer) {}

    static List<Scenario> all(String text, int level) {
        List<Scenario> all = new ArrayList<>();
        for (String line : text.lines().toList()) {
            if (line.startsWith("== ")) {
                all.add(new Scenario(line.substring(3), level, new ArrayList<>()));
            } else if (!line.isBlank() && !line.startsWith("#")) {
                all.getLast().steps().add(step(line));
            }
        }
        return all;
    }

    private static Step step(String line) {
        int colon = line.indexOf(':');
        int arrow = line.indexOf("->");
        return new Step(
                line.substring(0, colon),
                line.substring(colon + 1, arrow).strip(),
                line.substring(arrow + 2).strip());
    }

    @Override
    public String toString() {
        return name + " at " + level;
    }
}
