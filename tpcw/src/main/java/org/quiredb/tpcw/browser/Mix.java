package org.quiredb.tpcw.browser;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.quiredb.tpcw.interaction.InteractionType;
import org.quiredb.tpcw.schema.Resource;

/// The three mixes of the specification.
public enum Mix {
    BROWSING(3),
    SHOPPING(4),
    ORDERING(5);

    private final int percentageColumn;

    Mix(int percentageColumn) {
        this.percentageColumn = percentageColumn;
    }

    /// The share of each interaction that the specification asks for, in percent.
    public Map<InteractionType, Double> percentages() {
        var percentages = new EnumMap<InteractionType, Double>(InteractionType.class);
        List<List<String>> rows = Resource.rows(Mix.class, "mix-percentages.csv");
        for (List<String> row : rows.subList(1, rows.size())) {
            percentages.put(
                    InteractionType.valueOf(row.getFirst()),
                    Double.valueOf(row.get(percentageColumn)));
        }
        return percentages;
    }

    /// The mix of this name, in any case.
    ///
    /// @throws IllegalArgumentException naming the mixes there are
    public static Mix named(String name) {
        for (Mix mix : values()) {
            if (mix.lowerCaseName().equals(name.toLowerCase(Locale.ROOT))) {
                return mix;
            }
        }
        throw new IllegalArgumentException(
                "No mix is called " + name + ": take browsing, shopping or ordering");
    }

    public String lowerCaseName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
