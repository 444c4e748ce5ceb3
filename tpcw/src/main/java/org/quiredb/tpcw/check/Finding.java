package org.quiredb.tpcw.check;

/// A condition and how often it is broken.
public record Finding(String condition, long violations) {

    public boolean holds() {
        return violations == 0;
    }
}
