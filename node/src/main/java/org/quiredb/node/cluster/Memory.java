package org.quiredb.node.cluster;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.quiredb.common.message.NodeStatus;

/// What a tier's replicas keep in memory: `pageBytes` by replica, and `heapUsedBytes` after a
/// collection, by replica or of this JVM when they are all in it.
final class Memory {
    private static final Pattern USED = Pattern.compile("used (\\d+)K");

    private Memory() {}

    static Map<String, Object> of(List<NodeStatus> replicas) {
        Map<String, Long> pages = new LinkedHashMap<>();
        Map<String, Long> heaps = new LinkedHashMap<>();
        long self = ProcessHandle.current().pid();
        for (NodeStatus replica : replicas) {
            pages.put(replica.name(), (long) replica.figure("pages.bytes"));
            if (replica.processId() != self) {
                heapOf(replica.processId()).ifPresent(bytes -> heaps.put(replica.name(), bytes));
            }
        }
        if (replicas.stream().anyMatch(replica -> replica.processId() == self)) {
            System.gc();
            heaps.put("all", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return Map.of("pageBytes", pages, "heapUsedBytes", heaps);
    }

    /// By the JDK's `jcmd`; empty when only a runtime is there.
    private static OptionalLong heapOf(long pid) {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        if (!Files.isExecutable(jcmd)) {
            return OptionalLong.empty();
        }
        try {
            run(jcmd, pid, "GC.run");
            Matcher used = USED.matcher(run(jcmd, pid, "GC.heap_info"));
            return used.find()
                    ? OptionalLong.of(Long.parseLong(used.group(1)) * 1024)
                    : OptionalLong.empty();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    private static String run(Path jcmd, long pid, String command) throws IOException {
        Process process =
                new ProcessBuilder(jcmd.toString(), String.valueOf(pid), command)
                        .redirectErrorStream(true)
                        .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
