package org.quiredb.node.status;

import java.util.List;
import org.quiredb.common.message.NodeStatus;

/// What the active logger tells of one backend.
///
/// @param name host:port
/// @param standing `current` when it holds the whole log
/// @param applied commits of all classes
/// @param backlog stable commits that it has yet to apply
public record BackendStatus(String name, String standing, long applied, long backlog) {
    private static final String PREFIX = "backend.standing.";
    private static final List<String> STANDINGS =
            List.of("away", "catching up", "current", "stale", "set aside");

    /// In the order of the configuration; none of a node that is no active logger.
    public static List<BackendStatus> of(NodeStatus logger) {
        return logger.figures().stream()
                .filter(figure -> figure.name().startsWith(PREFIX))
                .map(figure -> of(logger, figure))
                .toList();
    }

    private static BackendStatus of(NodeStatus logger, NodeStatus.Figure standing) {
        String name = standing.name().substring(PREFIX.length());
        return new BackendStatus(
                name,
                STANDINGS.get((int) standing.value()),
                (long) logger.figure("backend.applied." + name),
                (long) logger.figure("backend.backlog." + name));
    }

    public boolean current() {
        return standing.equals("current");
    }
}
