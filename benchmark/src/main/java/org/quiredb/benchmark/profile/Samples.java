package org.quiredb.benchmark.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/// Shares of one process's sampled processor time.
///
/// @param threads by group: threads whose names differ in numbers and addresses only
/// @param stages by the innermost package of Quire, or library, that was running
record Samples(Map<String, Double> threads, Map<String, Double> stages) {
    private static final String EVENT = "jdk.CPUTimeSample";
    private static final Pattern ADDRESS = Pattern.compile("\\[.*?]|,.*|\\(.*?\\)");
    private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)*");
    private static final String QUIRE = "org.quiredb.";
    private static final List<String> JAVA = List.of("java.", "javax.", "jdk.", "sun.");
    private static final Map<String, String> LIBRARIES =
            Map.of(
                    "io.netty.", "Netty",
                    "org.h2.", "H2",
                    "org.jgroups.", "JGroups",
                    "com.mysql.", "Connector/J",
                    "com.alibaba.druid.", "Druid's parser",
                    "com.github.benmanes.caffeine.", "Caffeine");

    static Samples read(Path recording) throws IOException {
        Map<String, Double> threads = new HashMap<>();
        Map<String, Double> stages = new HashMap<>();
        double all = 0;
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (event.getEventType().getName().equals(EVENT)) {
                    Duration period = event.getDuration("samplingPeriod");
                    double weight = period.toNanos();
                    threads.merge(group(event.getThread("eventThread")), weight, Double::sum);
                    stages.merge(stage(event), weight, Double::sum);
                    all += weight;
                }
            }
        }
        return new Samples(shares(threads, all), shares(stages, all));
    }

    private static Map<String, Double> shares(Map<String, Double> weights, double all) {
        weights.replaceAll((name, weight) -> all == 0 ? 0 : weight / all);
        return weights;
    }

    static String group(@Nullable RecordedThread thread) {
        if (thread == null) {
            return "(unknown)";
        }
        String name =
                thread.getJavaName() == null
                        ? String.valueOf(thread.getOSName())
                        : thread.getJavaName();
        return group(name);
    }

    static String group(String threadName) {
        String name = ADDRESS.matcher(threadName).replaceAll("");
        String group = NUMBER.matcher(name).replaceAll("#").strip();
        return group.isEmpty() ? "(virtual, unnamed)" : group;
    }

    private static String stage(RecordedEvent event) {
        if (event.getStackTrace() == null) {
            return "(no stack)";
        }
        return event.getStackTrace().getFrames().stream()
                .map(RecordedFrame::getMethod)
                .map(method -> method.getType().getName())
                .filter(type -> JAVA.stream().noneMatch(type::startsWith))
                .findFirst()
                .map(Samples::stage)
                .orElse("(Java)");
    }

    static String stage(String type) {
        for (Map.Entry<String, String> library : LIBRARIES.entrySet()) {
            if (type.startsWith(library.getKey())) {
                return library.getValue();
            }
        }
        int end = type.lastIndexOf('.');
        String name = end < 0 ? type : type.substring(0, end);
        return name.startsWith(QUIRE) ? name.substring(QUIRE.length()) : name;
    }

    static List<Map.Entry<String, Double>> greatest(Map<String, Double> shares, int most) {
        return shares.entrySet().stream()
                .sorted(
                        Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                                .thenComparing(Map.Entry.comparingByKey()))
                .limit(most)
                .toList();
    }
}
