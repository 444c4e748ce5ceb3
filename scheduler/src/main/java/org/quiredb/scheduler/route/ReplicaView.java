package org.quiredb.scheduler.route;

import org.quiredb.common.version.VersionVector;

/// A replica as the router sees it.
///
/// @param serving connected, and its last heartbeat said so
/// @param inFlight calls of this scheduler that it has not answered
/// @param sharePercent of the reads that it takes as a spare, to keep warm
/// @param running the tag of the newest read sent to it
/// @param local whether it is in this scheduler's process
public record ReplicaView(
        String name,
        Role role,
        boolean serving,
        int sharePercent,
        int inFlight,
        VersionVector running,
        boolean local) {
    public ReplicaView(
            String name,
            Role role,
            boolean serving,
            int sharePercent,
            int inFlight,
            VersionVector running) {
        this(name, role, serving, sharePercent, inFlight, running, false);
    }

    public enum Role {
        MASTER,
        SLAVE,
        SPARE;

        public static Role of(String name) {
            return switch (name) {
                case "master" -> MASTER;
                case "slave" -> SLAVE;
                default -> SPARE;
            };
        }
    }
}
