package org.quiredb.node.suites;

import java.util.ArrayList;
import java.util.List;

/// A script of sqllogictest: statements and queries in the order in which they are run.
record LogicScript(String name, List<Step> steps) {
    private static final String ENGINE = "mysql";

    /// @param sorted whether the order of its rows is left open
    record Step(String sql, boolean query, boolean sorted) {}

    LogicScript {
        steps = List.copyOf(steps);
    }

    /// Reads a file's lines: records are separated by blank lines, their recorded results passed
    /// over.
    static LogicScript parse(String name, List<String> lines) {
        List<Step> steps = new ArrayList<>();
        List<String> record = new ArrayList<>();
        for (String line : lines) {
            if (line.isBlank()) {
                if (halts(record)) {
                    return new LogicScript(name, steps);
                }
                add(record, steps);
                record.clear();
            } else if (!line.startsWith("#")) {
                record.add(line);
            }
        }
        add(record, steps);
        return new LogicScript(name, steps);
    }

    private static boolean halts(List<String> record) {
        return isForUs(record) && !record.isEmpty() && record.getLast().equals("halt");
    }

    private static void add(List<String> record, List<Step> steps) {
        int at = 0;
        while (at < record.size() && isCondition(record.get(at))) {
            at++;
        }
        if (at == record.size() || !isForUs(record)) {
            return;
        }
        String[] head = record.get(at).split(" +", -1);
        List<String> body = record.subList(at + 1, record.size());
        switch (head[0]) {
            case "statement" -> steps.add(new Step(String.join("\n", body), false, false));
            case "query" -> {
                int results = body.indexOf("----");
                String sql = String.join("\n", results < 0 ? body : body.subList(0, results));
                steps.add(new Step(sql, true, head.length > 2 && !head[2].equals("nosort")));
            }
            default -> {} // says how results are recorded
        }
    }

    private static boolean isCondition(String line) {
        return line.startsWith("onlyif ") || line.startsWith("skipif ");
    }

    private static boolean isForUs(List<String> record) {
        return record.stream()
                .filter(LogicScript::isCondition)
                .allMatch(line -> {
                    String[] words = line.split(" +", -1);
                    return words[0].equals("onlyif") == words[1].equals(ENGINE);
                });
    }
}
