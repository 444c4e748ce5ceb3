package org.quiredb.node.measure;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The middle and the ends of what was measured several times.
public record Spread(double median, double least, double greatest) {
    /// @throws IllegalArgumentException when there is nothing
    static Spread of(Collection<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        if (sorted.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured");
        }
        int half = sorted.size() / 2;
        double median =
                sorted.size() % 2 == 1
                        ? sorted.get(half)
                        : (sorted.get(half - 1) + sorted.get(half)) / 2;
        return new Spread(median, sorted.getFirst(), sorted.getLast());
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("median", rounded(median));
        json.put("min", rounded(least));
        json.put("max", rounded(greatest));
        return json;
    }

    /// The median, as reports tell it.
    double rounded() {
        return rounded(median);
    }

    /// To what a measurement can tell: four digits.
    static double rounded(double value) {
        if (value == 0 || !Double.isFinite(value)) {
            return 0;
        }
        double scale = Math.pow(10, 3 - Math.floor(Math.log10(Math.abs(value))));
        return Math.round(value * scale) / scale;
    }
}
