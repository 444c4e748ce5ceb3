package org.quiredb.logger.set;

import java.util.Comparator;

/// How far a backend's log is: the generation of its last transaction, and the transactions so far.
record Version(long generation, long transactions) implements Comparable<Version> {
    static final Version NONE = new Version(0, 0);

    private static final Comparator<Version> ORDER =
            Comparator.comparingLong(Version::generation).thenComparingLong(Version::transactions);

    @Override
    public int compareTo(Version other) {
        return ORDER.compare(this, other);
    }
}
