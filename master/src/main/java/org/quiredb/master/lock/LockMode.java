package org.quiredb.master.lock;

/// How a page is locked.
public enum LockMode {
    SHARED,
    EXCLUSIVE;

    boolean conflictsWith(LockMode other) {
        return this == EXCLUSIVE || other == EXCLUSIVE;
    }

    /// Whether one who holds this needs no more for the other.
    boolean covers(LockMode other) {
        return this == EXCLUSIVE || other == SHARED;
    }
}
