package org.quiredb.node.config;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.master.commit.Durability;
import org.quiredb.replica.NodeConfiguration.Role;
import org.quiredb.replica.NodeConfiguration.Storage;

/// The replica of this process.
///
/// @param name unique among the replicas
/// @param port where schedulers and joining replicas connect
/// @param groupPort where the other members of the group connect
/// @param failurePortOffset from there to the port where they watch for this one's death, the same
///   for every replica
/// @param group members of the group, this one among them or not; a master that finds none founds
///   it
/// @param role a wish, for a tier in which nobody serves yet: the topology says what it is
/// @param logger when it is not in this process; all of them when there are several
/// @param support where one that joins fetches the data first; when it is missing, one that is
///   master of nothing
/// @param transferMegabytesPerSecond that it sends to those that join at most; 0 for no bound
/// @param warmup of spares, the defaults' when it is missing
/// @param data folder for pages that do not fit into memory, and for the next start; none when it
///   is missing
/// @param poolMegabytes of pages in memory when there is such a folder; 0 for half of the heap
/// @param checkpointMillis between two rounds that write the pages down
/// @param lockWaitMillis how long a statement on the master waits for locks
/// @param lagMillis how long a member may hold this one's commits back while it is a master
/// @param statementMegabytes what one statement may keep of rows that it sorts or groups
/// @param plans whether plain reads are run by plans over page bytes where these cover them
/// @param resultMegabytes what results of plain reads may take that are kept to be shown again; 0
///   for none
/// @param commitMegabytes what the log takes of one transaction
/// @param oldVersionMegabytes what may be held for old tags
/// @param schedulerSilenceMillis after which a scheduler's tags hold nothing
/// @param durability what commits wait for, the same for every replica
/// @param classes conflict classes with a master of their own, the same for every replica
public record ReplicaSection(
        String name,
        Role role,
        @Default("3320") int port,
        @Default("3330") int groupPort,
        @Default("100") int failurePortOffset,
        @Default("[]") List<HostPort> group,
        @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Default("[]")
                List<HostPort> logger,
        @Nullable HostPort support,
        @Default("64") long transferMegabytesPerSecond,
        @Nullable WarmupSection warmup,
        @Nullable Path data,
        @Default("0") long poolMegabytes,
        @Default("10000") long checkpointMillis,
        @Default("10000") long lockWaitMillis,
        @Default("700") long lagMillis,
        @Default("24") int commitMegabytes,
        @Default("256") long statementMegabytes,
        @Default("true") boolean plans,
        @Default("32") long resultMegabytes,
        @Default("256") long oldVersionMegabytes,
        @Default("10000") long schedulerSilenceMillis,
        @Default("logged") Durability durability,
        @Default("[]") List<ClassSection> classes) {
    public ReplicaSection {
        SectionChecks.present("replica.name", name);
        SectionChecks.port("replica.port", port);
        SectionChecks.port("replica.groupPort", groupPort);
        SectionChecks.between("replica.failurePortOffset", failurePortOffset, 1, 10_000);
        SectionChecks.port(
                "replica.groupPort + replica.failurePortOffset", groupPort + failurePortOffset);
        SectionChecks.between("replica.lockWaitMillis", lockWaitMillis, 1, 86_400_000);
        SectionChecks.between(
                "replica.transferMegabytesPerSecond", transferMegabytesPerSecond, 0, 1 << 20);
        SectionChecks.between("replica.poolMegabytes", poolMegabytes, 0, 1 << 24);
        SectionChecks.between("replica.checkpointMillis", checkpointMillis, 10, 86_400_000);
        if (data == null && poolMegabytes > 0) {
            throw new IllegalArgumentException(
                    "replica.poolMegabytes needs replica.data, a folder for the pages that do not fit");
        }
        SectionChecks.between("replica.lagMillis", lagMillis, 100, 86_400_000);
        SectionChecks.between("replica.statementMegabytes", statementMegabytes, 1, 1 << 20);
        SectionChecks.between("replica.resultMegabytes", resultMegabytes, 0, 1 << 20);
        SectionChecks.between("replica.commitMegabytes", commitMegabytes, 1, 512);
        SectionChecks.between("replica.oldVersionMegabytes", oldVersionMegabytes, 1, 1 << 20);
        SectionChecks.between(
                "replica.schedulerSilenceMillis", schedulerSilenceMillis, 1_000, 86_400_000);
        group = List.copyOf(group);
        logger = List.copyOf(logger);
        classes = List.copyOf(classes);
        Set<String> names = new HashSet<>();
        for (ClassSection section : classes) {
            if (!names.add(section.name())) {
                throw new IllegalArgumentException(
                        "replica.classes names class " + section.name() + " twice");
            }
        }
        patterns(classes);
    }

    /// Where members of the group hold connections that tell of a death when they close.
    public int failurePort() {
        return groupPort + failurePortOffset;
    }

    public ClassPatterns patterns() {
        return patterns(classes);
    }

    private static ClassPatterns patterns(List<ClassSection> classes) {
        Map<ConflictClass, List<String>> patterns = new HashMap<>();
        classes.forEach(c -> patterns.put(new ConflictClass(c.name()), c.tables()));
        try {
            return ClassPatterns.of(patterns);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("replica.classes: " + e.getMessage(), e);
        }
    }

    /// What may be held for old tags: an eighth of the heap where that is less than is configured.
    public long oldVersionBytes(long heapBytes) {
        return Math.min(oldVersionMegabytes << 20, heapBytes / 8);
    }

    /// Without a folder everything is in memory only.
    public Optional<Storage> storage() {
        long poolBytes =
                poolMegabytes == 0 ? Runtime.getRuntime().maxMemory() / 2 : poolMegabytes << 20;
        return Optional.ofNullable(data).map(d -> new Storage(d, poolBytes, checkpointMillis));
    }
}
