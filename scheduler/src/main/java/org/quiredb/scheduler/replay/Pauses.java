package org.quiredb.scheduler.replay;

/// Between two tries with a master that may not know yet that it is one, or not any more.
final class Pauses {
    private static final long FIRST_MILLIS = 10;
    private static final long MOST_MILLIS = 160;

    private long millis = FIRST_MILLIS;

    long next() {
        long now = millis;
        millis = Math.min(2 * now, MOST_MILLIS);
        return now;
    }
}
