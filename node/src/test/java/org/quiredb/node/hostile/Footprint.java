package org.quiredb.node.hostile;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What this process, and the tier in it, has taken of the machine.
///
/// @param heapMegabytes after a collection
record Footprint(int threads, int descriptors, long heapMegabytes) {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final int COLLECTIONS = 3;

    static Footprint now() throws IOException {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        long bytes = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
            return new Footprint(
                    Thread.getAllStackTraces().size(), (int) descriptors.count(), bytes >> 20);
        }
    }

    /// Files that are open now, libraries and devices included.
    static Set<Path> openFiles() throws IOException {
        Set<Path> files = new TreeSet<>();
        try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
            for (Path descriptor : descriptors.toList()) {
                try {
                    Path file = Files.readSymbolicLink(descriptor);
                    if (file.isAbsolute()) {
                        files.add(file);
                    }
                } catch (IOException e) {
                    // it was closed meanwhile
                }
            }
        }
        return files;
    }
}
