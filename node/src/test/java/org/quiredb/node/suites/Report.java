package org.quiredb.node.suites;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What came of a run: `verdicts.txt` (a line for each test), `failures.txt` (the first lines that
/// differ) and `causes.txt` (in how many tests each cause stands, in how many before all others,
/// which may follow from it, and in how many alone).
final class Report implements AutoCloseable {
    private final Path folder;
    private final PrintStream verdicts;
    private final PrintStream failures;
    private final Map<String, List<String>> causes = new TreeMap<>();
    private final Map<String, Integer> first = new TreeMap<>();
    private final Map<String, Integer> alone = new TreeMap<>();
    private final Map<String, Integer> reasons = new TreeMap<>();
    private int passed;
    private int failed;
    private int notCounted;

    Report(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
        verdicts = print("verdicts.txt");
        failures = print("failures.txt");
    }

    void add(String name, Verdict verdict) throws IOException {
        switch (verdict) {
            case Verdict.Passed() -> {
                passed++;
                verdicts.println("passed " + name);
            }
            case Verdict.NotCounted(String reason) -> {
                notCounted++;
                reasons.merge(reason, 1, Integer::sum);
                verdicts.println("not counted " + name + ": " + reason);
            }
            case Verdict.Failed(List<String> all, List<String> shown) -> {
                failed++;
                verdicts.println("failed " + name + ": " + String.join(" | ", all));
                failures.println("== " + name);
                shown.forEach(failures::println);
                all.forEach(
                        cause -> causes.computeIfAbsent(cause, c -> new ArrayList<>()).add(name));
                first.merge(all.getFirst(), 1, Integer::sum);
                if (all.size() == 1) {
                    alone.merge(all.getFirst(), 1, Integer::sum);
                }
            }
        }
        table();
    }

    int counted() {
        return passed + failed;
    }

    void print() throws IOException {
        System.out.print(Files.readString(folder.resolve("causes.txt")));
    }

    /// Written after each test, so that a run that is broken off has told what it knows.
    private void table() throws IOException {
        try (PrintStream out = print("causes.txt")) {
            out.printf(
                    "%d passed, %d failed (%.1f %% of %d), %d not counted%n",
                    passed,
                    failed,
                    counted() == 0 ? 0 : 100.0 * passed / counted(),
                    counted(),
                    notCounted);
            out.println("tests first  only  cause");
            causes.entrySet().stream()
                    .sorted(
                            Comparator.comparingInt(
                                    (Map.Entry<String, List<String>> e) -> -e.getValue().size()))
                    .forEach(e ->
                            out.printf(
                                    "%5d %5d %5d  %s (%s)%n",
                                    e.getValue().size(),
                                    first.getOrDefault(e.getKey(), 0),
                                    alone.getOrDefault(e.getKey(), 0),
                                    e.getKey(),
                                    String.join(
                                            " ",
                                            e.getValue()
                                                    .subList(
                                                            0, Math.min(6, e.getValue().size())))));
            out.println("not counted:");
            reasons.entrySet().stream()
                    .sorted(
                            Comparator.comparingInt(
                                    (Map.Entry<String, Integer> e) -> -e.getValue()))
                    .forEach(e -> out.printf("%5d  %s%n", e.getValue(), e.getKey()));
        }
    }

    private PrintStream print(String name) throws IOException {
        return new PrintStream(
                Files.newOutputStream(folder.resolve(name)), true, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        verdicts.close();
        failures.close();
    }
}
