package org.quiredb.replica.tree;

/// What a lock on a range of keys gives its holder.
public enum LockMode {
    /// Nobody else adds, changes or removes anything in the range.
    READ(true, false),

    /// Nobody else reads in the range; others may write there too.
    WRITE(false, true),

    /// Nobody else does anything in the range.
    READ_WRITE(true, true);

    private final boolean reads;
    private final boolean writes;

    LockMode(boolean reads, boolean writes) {
        this.reads = reads;
        this.writes = writes;
    }

    public boolean conflictsWith(LockMode other) {
        return (reads && other.writes) || (writes && other.reads);
    }

    /// Whether one who holds this needs no more for the other.
    public boolean covers(LockMode other) {
        return (reads || !other.reads) && (writes || !other.writes);
    }

    public LockMode and(LockMode other) {
        if (covers(other)) {
            return this;
        }
        return other.covers(this) ? other : READ_WRITE;
    }
}
