package org.quiredb.benchmark.profile;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What a process has used of the processors, by Linux's account.
///
/// @param millis of all its threads
/// @param compilerMillis of those in which the JVM compiles; 0 for another program
/// @param collectorMillis of those in which it collects garbage
record ProcessorTime(double millis, double compilerMillis, double collectorMillis) {
    private static final double TICK_MILLIS = 10; // Linux tells users hundredths of a second
    private static final int USER = 11; // after the state
    private static final int SYSTEM = 12;
    private static final List<String> COMPILERS = List.of("C1 ", "C2 ");
    private static final List<String> COLLECTORS = List.of("G1 ", "GC ", "VM ");

    static final ProcessorTime NONE = new ProcessorTime(0, 0, 0);

    static ProcessorTime of(long processId) throws IOException {
        Path process = Path.of("/proc", Long.toString(processId));
        double compilers = 0;
        double collectors = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path thread : threads) {
                compilers += millis(thread, COMPILERS);
                collectors += millis(thread, COLLECTORS);
            }
        }
        double all = millis(Files.readString(process.resolve("stat")));
        return new ProcessorTime(all, compilers, collectors);
    }

    /// Of a thread whose name begins so.
    private static double millis(Path thread, List<String> names) {
        try {
            String name = Files.readString(thread.resolve("comm"));
            return names.stream().anyMatch(name::startsWith)
                    ? millis(Files.readString(thread.resolve("stat")))
                    : 0;
        } catch (IOException e) {
            return 0; // it has ended
        }
    }

    /// @param stat as in `/proc/PID/stat`; the program's name in it may contain anything
    static double millis(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return TICK_MILLIS * (Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM]));
    }

    /// Without compilers and collector.
    double programMillis() {
        return Math.max(0, millis - compilerMillis - collectorMillis);
    }

    ProcessorTime since(ProcessorTime before) {
        return new ProcessorTime(
                millis - before.millis,
                Math.max(0, compilerMillis - before.compilerMillis),
                Math.max(0, collectorMillis - before.collectorMillis));
    }
}
