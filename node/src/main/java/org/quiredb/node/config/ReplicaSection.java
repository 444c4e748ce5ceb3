package org.quiredb.node.config;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.NodeConfiguration.Role;

/// The replica of this process.
///
/// @param name unique among the replicas
/// @param port where schedulers and joining replicas connect
/// @param groupPort where the other members of the group connect
/// @param group members of the group, this one among them or not; a master that finds none founds
///   it
/// @param role a wish, for a tier in which nobody serves yet: the topology says what it is
/// @param logger when it is not in this process
/// @param support where one that joins fetches the data, the master when it is missing
/// @param lockWaitMillis how long a statement on the master waits for locks
/// @param classes conflict classes with a master of their own, the same for every replica
public record ReplicaSection(
        String name,
        Role role,
        @Default("3320") int port,
        @Default("3330") int groupPort,
        @Default("[]") List<HostPort> group,
        @Nullable HostPort logger,
        @Nullable HostPort support,
        @Default("10000") long lockWaitMillis,
        @Default("[]") List<ClassSection> classes) {
    public ReplicaSection {
        Checks.present("replica.name", name);
        Checks.port("replica.port", port);
        Checks.port("replica.groupPort", groupPort);
        Checks.between("replica.lockWaitMillis", lockWaitMillis, 1, 86_400_000);
        group = List.copyOf(group);
        classes = List.copyOf(classes);
        Set<String> names = new HashSet<>();
        for (ClassSection section : classes) {
            if (!names.add(section.name())) {
                throw new IllegalArgumentException(
                        "replica.classes names class " + section.name() + " twice");
            }
        }
    }
}
