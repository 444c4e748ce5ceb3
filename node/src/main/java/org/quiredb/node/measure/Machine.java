package org.quiredb.node.measure;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/// What figures were measured on.
final class Machine {
    private Machine() {}

    static Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("processors", Runtime.getRuntime().availableProcessors());
        if (ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean system) {
            json.put("memoryMegabytes", system.getTotalMemorySize() >> 20);
        }
        json.put("architecture", System.getProperty("os.arch"));
        json.put("java", System.getProperty("java.version"));
        json.put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        return json;
    }
}
