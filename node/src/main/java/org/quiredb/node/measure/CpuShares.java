package org.quiredb.node.measure;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// Control groups, one for each server, that let it use its share of a processor and no more.
///
/// They are below one group, `quire-lab-PID`, of this process's. Closing removes all; what a
/// process before this one left because it was killed is removed by the next one.
///
/// Threads: one.
final class CpuShares implements AutoCloseable {
    private static final String PREFIX = "quire-lab-";
    private static final String PROCESSES = "cgroup.procs";
    private static final String ENABLED = "cgroup.subtree_control";
    private static final Pattern BLANK = Pattern.compile(" ");
    private static final long REMOVAL_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Path place;
    private final Path all;
    private final boolean unified;
    private final List<Path> groups = new ArrayList<>();

    /// How often a server wanted more than its share.
    ///
    /// @param periods in which it ran
    /// @param throttled those of them in which its share was used up
    record Throttled(long periods, long throttled) {
        static final Throttled NEVER = new Throttled(0, 0);

        /// In percent of the periods since an earlier moment.
        double percentSince(Throttled earlier) {
            long ran = periods - earlier.periods;
            return ran <= 0 ? 0 : 100.0 * (throttled - earlier.throttled) / ran;
        }

        /// @param lines of a group's `cpu.stat`
        static Throttled of(List<String> lines) {
            return new Throttled(figure(lines, "nr_periods"), figure(lines, "nr_throttled"));
        }

        private static long figure(List<String> lines, String name) {
            return lines.stream()
                    .map(BLANK::split)
                    .filter(parts -> parts.length == 2 && parts[0].equals(name))
                    .mapToLong(parts -> Long.parseLong(parts[1]))
                    .findFirst()
                    .orElse(0);
        }
    }

    private CpuShares(Path place, boolean unified) throws IOException {
        this.place = place;
        this.unified = unified;
        removeLeft(place);
        if (unified) {
            enable(place);
        }
        all = Files.createDirectory(place.resolve(PREFIX + ProcessHandle.current().pid()));
        try {
            if (unified) {
                enable(all);
            }
            Path trial = Files.createDirectory(all.resolve("trial"));
            try {
                limit(trial, new Share(100));
            } finally {
                Files.delete(trial);
            }
        } catch (IOException e) {
            Files.delete(all);
            throw e;
        }
    }

    /// Nothing where this process may not share processors out.
    static Optional<CpuShares> open() {
        try {
            return Hierarchy.of(
                            Files.readAllLines(Path.of("/proc/self/mounts")),
                            Files.readAllLines(Path.of("/proc/self/cgroup")))
                    .flatMap(CpuShares::open);
        } catch (IOException e) {
            return Optional.empty(); // a system without them
        }
    }

    static Optional<CpuShares> open(Hierarchy hierarchy) {
        for (Path place : hierarchy.places()) {
            try {
                return Optional.of(new CpuShares(place, hierarchy.unified()));
            } catch (IOException e) {
                // the next place may allow what this one does not
            }
        }
        return Optional.empty();
    }

    /// In version 2 a group has what the one above it passes on.
    private static void enable(Path group) throws IOException {
        Path enabled = group.resolve(ENABLED);
        if (!Files.exists(enabled)
                || !List.of(Files.readString(enabled).split("\\s")).contains("cpu")) {
            Files.writeString(enabled, "+cpu");
        }
    }

    /// @param name of the server, as a file may be called
    void put(String name, long processId, Share share) {
        Path group = all.resolve(name);
        try {
            if (!groups.contains(group)) {
                Files.createDirectory(group);
                groups.add(group);
            }
            limit(group, share);
            Files.writeString(group.resolve(PROCESSES), Long.toString(processId));
        } catch (IOException e) {
            throw failed("%s cannot be given its share".formatted(name), e);
        }
    }

    private void limit(Path group, Share share) throws IOException {
        if (unified) {
            Files.writeString(
                    group.resolve("cpu.max"),
                    "%d %d".formatted(share.quotaMicros(), Share.PERIOD_MICROS));
        } else {
            Files.writeString(
                    group.resolve("cpu.cfs_period_us"), Integer.toString(Share.PERIOD_MICROS));
            Files.writeString(
                    group.resolve("cpu.cfs_quota_us"), Integer.toString(share.quotaMicros()));
        }
    }

    /// So far, by server.
    Map<String, Throttled> throttled() {
        Map<String, Throttled> throttled = new LinkedHashMap<>();
        for (Path group : groups) {
            try {
                throttled.put(
                        group.getFileName().toString(),
                        Throttled.of(Files.readAllLines(group.resolve("cpu.stat"))));
            } catch (IOException e) {
                throw failed("what %s was refused cannot be read".formatted(group), e);
            }
        }
        return throttled;
    }

    /// Those who still run are free again.
    void lift() {
        for (Path group : groups) {
            remove(group, place);
        }
        groups.clear();
    }

    @Override
    public void close() {
        lift();
        remove(all, place);
    }

    private static void removeLeft(Path place) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(place, PREFIX + "*")) {
            for (Path group : left) {
                String owner = group.getFileName().toString().substring(PREFIX.length());
                if (ProcessHandle.of(Long.parseLong(owner)).isEmpty()) {
                    try (DirectoryStream<Path> groups =
                            Files.newDirectoryStream(group, Files::isDirectory)) {
                        groups.forEach(each -> remove(each, place));
                    }
                    remove(group, place);
                }
            }
        }
    }

    /// Its processes go to where they cannot be refused anything; one that ends just now is still
    /// in it for a moment.
    private static void remove(Path group, Path above) {
        long deadline = System.nanoTime() + REMOVAL_NANOS;
        while (true) {
            try {
                for (String process : Files.readAllLines(group.resolve(PROCESSES))) {
                    boolean _ = release(process, above);
                }
                Files.delete(group);
                return;
            } catch (IOException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw failed("the control group %s cannot be removed".formatted(group), e);
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    private static boolean release(String process, Path above) {
        try {
            Files.writeString(above.resolve(PROCESSES), process);
            return true;
        } catch (IOException e) {
            return false; // it has ended
        }
    }

    private static QuireException failed(String what, IOException cause) {
        return new QuireException(
                ErrorCode.TIER_UNAVAILABLE, what + ": " + cause.getMessage(), cause);
    }
}
