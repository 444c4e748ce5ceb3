package org.quiredb.benchmark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.util.Statistics;

/// Runs the benchmarks and ends with one table of all, in the form of docs/benchmarks.md: medians
/// over every iteration of every fork, with the least and the greatest.
///
/// A program; its arguments are JMH's.
final class Benchmarks {
    private static final String ALLOCATION = "gc.alloc.rate.norm";

    private Benchmarks() {}

    public static void main(String[] arguments)
            throws CommandLineOptionException, RunnerException, IOException {
        CommandLineOptions options = new CommandLineOptions(arguments);
        if (options.shouldHelp()) {
            options.showHelp();
            return;
        }
        Collection<RunResult> results =
                new Runner(
                                new OptionsBuilder()
                                        .parent(options)
                                        .addProfiler(GCProfiler.class)
                                        .build())
                        .run();
        System.out.println();
        System.out.println("| benchmark | median | least to greatest | allocated |");
        System.out.println("|---|---|---|---|");
        for (RunResult result : results) {
            System.out.println(row(result));
        }
    }

    private static String row(RunResult run) {
        Result<?> time = run.getPrimaryResult();
        Statistics spread = time.getStatistics();
        Result<?> allocation = run.getSecondaryResults().get(ALLOCATION);
        return String.format(
                Locale.ROOT,
                "| `%s` | %.2f us | %.2f to %.2f | %s |",
                name(run),
                spread.getPercentile(50),
                spread.getMin(),
                spread.getMax(),
                allocation == null ? "" : bytes(allocation.getStatistics().getPercentile(50)));
    }

    private static String name(RunResult run) {
        String full = run.getParams().getBenchmark();
        String name = full.substring(full.lastIndexOf('.', full.lastIndexOf('.') - 1) + 1);
        List<String> values = new ArrayList<>();
        for (String key : run.getParams().getParamsKeys()) {
            values.add(run.getParams().getParam(key));
        }
        return values.isEmpty() ? name : name + "(" + String.join(", ", values) + ")";
    }

    private static String bytes(double bytes) {
        return bytes < 10_000
                ? String.format(Locale.ROOT, "%.0f B", bytes)
                : String.format(Locale.ROOT, "%.1f KB", bytes / 1024);
    }
}
