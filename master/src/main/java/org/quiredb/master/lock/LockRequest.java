package org.quiredb.master.lock;

import org.quiredb.replica.tree.KeyRange;
import org.quiredb.replica.tree.LockMode;

/// What a transaction asks for in one space of keys.
///
/// @param host whose locks do not stand in its way; the transaction itself where it is nobody's
///   guest
record LockRequest(long transaction, long host, LockSpace space, KeyRange range, LockMode mode) {
    /// Whether what this transaction holds or asks for is no conflict.
    boolean passes(long other) {
        return other == transaction || other == host;
    }

    boolean conflictsWith(LockRequest other) {
        return !passes(other.transaction)
                && mode.conflictsWith(other.mode)
                && range.overlaps(other.range);
    }
}
