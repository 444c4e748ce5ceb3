package org.quiredb.node.cluster;

import java.nio.file.Path;
import org.quiredb.node.config.ProcessConfig;

/// How the processes of a tier share this machine.
///
/// @param folder of their configurations and logs
/// @param metricsPort of the scheduler, those after it of the others; 0 for none
/// @param memoryMegabytes of all their heaps together
/// @param replicas how many of them are replicas
/// @param placement where each of them is
public record ProcessOptions(
        Path folder, int metricsPort, long memoryMegabytes, int replicas, Placement placement) {
    private static final long LEAST = 192;
    private static final long MOST_OF_OTHERS = 1024;

    /// All on loopback.
    public ProcessOptions(Path folder, int metricsPort, long memoryMegabytes, int replicas) {
        this(folder, metricsPort, memoryMegabytes, replicas, Placement.LOOPBACK);
    }

    /// The logger and the scheduler hold no data and get a tenth each, replicas the rest in equal
    /// shares.
    int heapMegabytes(ProcessConfig process) {
        long other = Math.clamp(memoryMegabytes / 10, LEAST, MOST_OF_OTHERS);
        long share = (memoryMegabytes - 2 * other) / replicas;
        return (int) (process.replica() == null ? other : Math.max(LEAST, share));
    }
}
