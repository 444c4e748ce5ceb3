package org.quiredb.master.lock;

import java.util.HashMap;
import java.util.Map;
import org.quiredb.replica.tree.KeyRange;
import org.quiredb.replica.tree.LockMode;

/// A range of keys with those who hold it.
final class HeldRange {
    final KeyRange range;
    final Map<Long, LockMode> holders = new HashMap<>(4);

    HeldRange(KeyRange range) {
        this.range = range;
    }

    boolean covers(long transaction, KeyRange wanted, LockMode mode) {
        LockMode has = holders.get(transaction);
        return has != null && has.covers(mode) && range.contains(wanted);
    }
}
