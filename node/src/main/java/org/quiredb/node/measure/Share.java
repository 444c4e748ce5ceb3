package org.quiredb.node.measure;

/// How much of one processor a server may use.
///
/// @param percent of one processor
public record Share(int percent) {
    /// Short, so that a server that has used its share up waits for milliseconds only.
    static final int PERIOD_MICROS = 20_000;

    private static final int LEAST_PERCENT = 5; // the system's least quota is 1 ms
    private static final int MOST_PERCENT = 100;

    public Share {
        if (percent < LEAST_PERCENT || percent > MOST_PERCENT) {
            throw new IllegalArgumentException(
                    "--percent must be between %d and %d, not %d"
                            .formatted(LEAST_PERCENT, MOST_PERCENT, percent));
        }
    }

    /// Of each period.
    int quotaMicros() {
        return PERIOD_MICROS / 100 * percent;
    }
}
