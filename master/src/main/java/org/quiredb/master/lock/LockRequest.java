package org.quiredb.master.lock;

import org.quiredb.replica.tree.KeyRange;
import org.quiredb.replica.tree.LockMode;

/// What a transaction asks for in one space of keys.
record LockRequest(long transaction, LockSpace space, KeyRange range, LockMode mode) {
    boolean conflictsWith(LockRequest other) {
        return transaction != other.transaction
                && mode.conflictsWith(other.mode)
                && range.overlaps(other.range);
    }
}
