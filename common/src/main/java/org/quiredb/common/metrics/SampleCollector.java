package org.quiredb.common.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Asks for samples when it is scraped, so that metrics and labels may come and go.
final class SampleCollector implements MultiCollector {
    private final Supplier<List<Sample>> source;

    SampleCollector(Supplier<List<Sample>> source) {
        this.source = source;
    }

    @Override
    public MetricSnapshots collect() {
        Map<String, List<Sample>> byName =
                source.get().stream()
                        .collect(
                                Collectors.groupingBy(
                                        Sample::name, LinkedHashMap::new, Collectors.toList()));
        return new MetricSnapshots(
                byName.values().stream().map(SampleCollector::snapshot).toList());
    }

    private static MetricSnapshot snapshot(List<Sample> samples) {
        Sample first = samples.getFirst();
        if (first.counter()) {
            var counter = CounterSnapshot.builder().name(first.name()).help(first.help());
            samples.forEach(sample ->
                    counter.dataPoint(
                            CounterDataPointSnapshot.builder()
                                    .labels(labels(sample))
                                    .value(sample.value())
                                    .build()));
            return counter.build();
        }
        var gauge = GaugeSnapshot.builder().name(first.name()).help(first.help());
        samples.forEach(sample ->
                gauge.dataPoint(
                        GaugeDataPointSnapshot.builder()
                                .labels(labels(sample))
                                .value(sample.value())
                                .build()));
        return gauge.build();
    }

    private static Labels labels(Sample sample) {
        return Labels.of(
                sample.labels().keySet().toArray(String[]::new),
                sample.labels().values().toArray(String[]::new));
    }
}
