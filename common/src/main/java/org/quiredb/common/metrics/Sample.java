package org.quiredb.common.metrics;

import java.util.Map;

/// One value of a metric at the time of asking.
///
/// @param name as it is exposed, without `_total`, which counters get
/// @param counter it only grows while its process lives
/// @param labels names and values, in a fixed order for all samples of a name
public record Sample(
        String name, String help, boolean counter, Map<String, String> labels, double value) {}
