package org.quiredb.node.coldstart;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// What a tier consists of; each process is a host of its own. There are three replicas.
///
/// @param embedded whether the only database runs in the first logger's process
/// @param pages whether replicas keep their pages on disk
record Layout(int loggers, int backends, int schedulers, boolean embedded, boolean pages) {
    static final int SLAVES = 2;
    static final String BACKEND = "backend";

    Layout {
        if (embedded && backends != 1) {
            throw new IllegalArgumentException("one process runs one database");
        }
    }

    /// Every one.
    static List<Layout> all() {
        List<Layout> all = new ArrayList<>();
        for (int bits = 0; bits < 16; bits++) {
            int loggers = 1 + (bits & 1);
            int schedulers = 1 + (bits >> 1 & 1);
            int backends = 1 + (bits >> 2 & 1);
            boolean embedded = (bits >> 3 & 1) == 1;
            if (!embedded || backends == 1) {
                all.add(
                        new Layout(
                                loggers,
                                backends,
                                schedulers,
                                embedded,
                                Integer.bitCount(bits) % 2 == 1));
            }
        }
        return all;
    }

    /// The databases that are processes of their own.
    List<String> databases() {
        return embedded
                ? List.of()
                : IntStream.rangeClosed(1, backends)
                        .mapToObj(i -> i == 1 ? BACKEND : BACKEND + "-" + i)
                        .toList();
    }

    @Override
    public String toString() {
        return "%s, %s, %s, pages %s"
                .formatted(
                        count(loggers, "logger"),
                        embedded ? "embedded backend" : count(backends, "backend"),
                        count(schedulers, "scheduler"),
                        pages ? "on disk" : "in memory");
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
