package org.quiredb.master.commit;

import java.util.Locale;

/// What a commit waits for beside the in-sync replicas.
public enum Durability {
    /// The query log, on disk: what is acknowledged outlives everything.
    LOGGED,

    /// Nothing while there is an in-sync replica beside the master; the log follows. What is
    /// acknowledged and not logged yet is lost when all of them die at once.
    REPLICATED;

    /// As in the configuration.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
