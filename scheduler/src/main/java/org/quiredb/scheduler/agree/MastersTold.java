package org.quiredb.scheduler.agree;

import java.util.HashSet;
import java.util.Set;

/// Which masters have told what is stable since an epoch wants to know.
///
/// Threads: any; guarded by this.
public final class MastersTold {
    private long epoch;
    private final Set<String> names = new HashSet<>();

    /// @param ofEpoch that wanted to know when the master was asked
    public synchronized void add(long ofEpoch, String name) {
        if (ofEpoch != epoch) {
            names.clear();
            epoch = ofEpoch;
        }
        names.add(name);
    }

    public synchronized boolean has(long ofEpoch, String name) {
        return ofEpoch == epoch && names.contains(name);
    }
}
