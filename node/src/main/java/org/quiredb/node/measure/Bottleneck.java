package org.quiredb.node.measure;

import java.util.Map;
import java.util.stream.Collectors;

/// What keeps a system from doing more.
final class Bottleneck {
    static final String MACHINE = "machine";

    /// Locks, disk, round trips, or too few clients.
    static final String NO_PROCESSOR = "waiting";

    private static final double USED_UP = 0.9;
    private static final double HARDLY_IDLE_PERCENT = 5;

    private Bottleneck() {}

    /// The role whose servers use at least nine tenths of their shares on average, the fullest if
    /// there are several; else the machine when it has no time left.
    ///
    /// @param roles of the servers that have shares, by name; none when nobody has
    static String of(CpuTimes.Use use, Map<String, String> roles, Share share) {
        Map<String, Double> byRole =
                roles.entrySet().stream()
                        .filter(server -> use.percent().containsKey(server.getKey()))
                        .collect(
                                Collectors.groupingBy(
                                        Map.Entry::getValue,
                                        Collectors.averagingDouble(server ->
                                                use.percent().getOrDefault(server.getKey(), 0.0)
                                                        / share.percent())));
        return byRole.entrySet().stream()
                .filter(role -> role.getValue() >= USED_UP)
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(use.idlePercent() < HARDLY_IDLE_PERCENT ? MACHINE : NO_PROCESSOR);
    }
}
