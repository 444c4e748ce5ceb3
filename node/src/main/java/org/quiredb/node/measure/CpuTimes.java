package org.quiredb.node.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// What processes have used of the processors up to a moment.
///
/// @param nanos the moment
/// @param seconds user and system time of each process; none of one that is gone
/// @param idleSeconds of all processors together
record CpuTimes(long nanos, Map<String, Double> seconds, double idleSeconds, double totalSeconds) {
    /// In a second; the kernel's constant for what it tells users.
    private static final double TICKS = 100;

    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final int IDLE = 3;
    private static final int WAITING_FOR_DISK = 4;

    /// Guests' time, the fields after these, is counted among the users' already.
    private static final int MACHINE_FIELDS = 8;

    private static final int USER = 11; // after the state
    private static final int SYSTEM = 12;

    /// What was used between two moments.
    ///
    /// @param percent of one processor, by process
    /// @param idlePercent of all processors
    record Use(Map<String, Double> percent, double idlePercent) {}

    static CpuTimes now(Map<String, Long> processIds) {
        Map<String, Double> seconds = new LinkedHashMap<>();
        processIds.forEach((name, id) -> {
            try {
                seconds.put(
                        name,
                        processSeconds(Files.readString(Path.of("/proc", id.toString(), "stat"))));
            } catch (IOException e) {
                seconds.remove(name); // gone, or a system that does not tell
            }
        });
        double[] machine = machine();
        return new CpuTimes(System.nanoTime(), seconds, machine[0], machine[1]);
    }

    private static double[] machine() {
        try {
            return machineSeconds(Files.readString(Path.of("/proc/stat")));
        } catch (IOException e) {
            return new double[2]; // a system that does not tell
        }
    }

    /// @param stat as in `/proc/PID/stat`; the program's name in it may contain anything
    static double processSeconds(String stat) {
        String[] fields = BLANKS.split(stat.substring(stat.lastIndexOf(')') + 2), -1);
        return (Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM])) / TICKS;
    }

    /// Idle and all.
    ///
    /// @param stat as in `/proc/stat`
    static double[] machineSeconds(String stat) {
        String[] fields = BLANKS.split(stat.lines().findFirst().orElseThrow(), -1);
        double[] seconds =
                IntStream.rangeClosed(1, MACHINE_FIELDS)
                        .mapToDouble(field -> Long.parseLong(fields[field]) / TICKS)
                        .toArray();
        return new double[] {
            seconds[IDLE] + seconds[WAITING_FOR_DISK],
            IntStream.range(0, seconds.length).mapToDouble(field -> seconds[field]).sum()
        };
    }

    Use until(CpuTimes later) {
        double elapsed = Math.max(1, later.nanos - nanos) / 1e9;
        Map<String, Double> percent = new LinkedHashMap<>();
        seconds.forEach((name, before) -> {
            Double after = later.seconds.get(name);
            if (after != null) {
                percent.put(name, 100 * (after - before) / elapsed);
            }
        });
        double total = later.totalSeconds - totalSeconds;
        return new Use(percent, total <= 0 ? 0 : 100 * (later.idleSeconds - idleSeconds) / total);
    }
}
