package org.quiredb.tpcw.browser;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.quiredb.tpcw.interaction.InteractionType;
import org.quiredb.tpcw.random.TpcwRandom;
import org.quiredb.tpcw.schema.Resource;

/// Where browsers of one mix go from each interaction, and how often.
///
/// Invariant: the thresholds of a row rise and end at 9999. Threads: any; immutable.
final class TransitionMatrix {

    private static final int LAST_THRESHOLD = 9999;

    private final Map<InteractionType, NavigableMap<Integer, InteractionType>> rows;

    private TransitionMatrix(Map<InteractionType, NavigableMap<Integer, InteractionType>> rows) {
        this.rows = rows;
    }

    /// Reads the matrix that stands beside this class.
    static TransitionMatrix of(Mix mix) {
        List<List<String>> lines =
                Resource.rows(
                        TransitionMatrix.class, "transitions-" + mix.lowerCaseName() + ".csv");
        List<String> head = lines.getFirst();
        var rows =
                new EnumMap<InteractionType, NavigableMap<Integer, InteractionType>>(
                        InteractionType.class);
        for (List<String> line : lines.subList(1, lines.size())) {
            rows.put(InteractionType.valueOf(line.getFirst()), row(head, line));
        }
        if (rows.size() != InteractionType.values().length) {
            throw new IllegalStateException("The matrix of " + mix + " lacks rows");
        }
        return new TransitionMatrix(rows);
    }

    private static NavigableMap<Integer, InteractionType> row(
            List<String> head, List<String> line) {
        var thresholds = new TreeMap<Integer, InteractionType>();
        int last = 0;
        for (int column = 1; column < head.size(); column++) {
            int threshold = Integer.parseInt(line.get(column));
            if (threshold != 0) {
                if (threshold <= last) {
                    throw new IllegalStateException(
                            "Thresholds after " + line.getFirst() + " do not rise");
                }
                thresholds.put(threshold, InteractionType.valueOf(head.get(column)));
                last = threshold;
            }
        }
        if (last != LAST_THRESHOLD) {
            throw new IllegalStateException(
                    "Thresholds after " + line.getFirst() + " end at " + last);
        }
        return thresholds;
    }

    InteractionType next(InteractionType current, TpcwRandom draw) {
        return row(current).ceilingEntry(draw.between(1, LAST_THRESHOLD)).getValue();
    }

    /// How likely the step is, from 0 to 1.
    double probability(InteractionType from, InteractionType to) {
        int previous = 0;
        for (var threshold : row(from).entrySet()) {
            if (threshold.getValue() == to) {
                return (threshold.getKey() - previous) / (double) LAST_THRESHOLD;
            }
            previous = threshold.getKey();
        }
        return 0;
    }

    private NavigableMap<Integer, InteractionType> row(InteractionType from) {
        NavigableMap<Integer, InteractionType> row = rows.get(from);
        if (row == null) {
            throw new IllegalStateException("No row for " + from);
        }
        return row;
    }
}
