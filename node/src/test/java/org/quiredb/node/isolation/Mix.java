package org.quiredb.node.isolation;

import java.util.Random;

/// What the clients of one history do, all of it from its seed.
///
/// @param schemas in use, each a conflict class where classes are schemas
/// @param keys of each sort in each schema
/// @param padded whether each row has a page of its own
/// @param transactions of each client, more where a fault is not over yet
/// @param longest transaction, in operations
/// @param readOnlyPercent of the transactions
/// @param readPercent of the operations of an update transaction
/// @param lockingPercent of the reads of an update transaction
/// @param changelessPercent of the update transactions, which read, lock and touch only
/// @param backendPercent of the reads of read-only transactions, for the backend to answer
record Mix(
        long seed,
        int schemas,
        int keys,
        boolean padded,
        int transactions,
        int longest,
        int readOnlyPercent,
        int readPercent,
        int lockingPercent,
        int changelessPercent,
        int backendPercent,
        Fault fault) {
    enum Fault {
        NONE,
        SLAVE_DIES,
        MASTER_DIES,
        /// The master and then the next one.
        BOTH_DIE,
        /// The backend's appliers stand still for a while.
        BACKEND_WAITS
    }

    static Mix of(long seed, boolean faults) {
        Random random = new Random(seed);
        return new Mix(
                seed,
                random.nextInt(1, Tables.SCHEMAS + 1),
                random.nextInt(1, Tables.MOST_KEYS + 1),
                random.nextBoolean(),
                random.nextInt(8) == 0 ? 150 : 30,
                random.nextInt(2, 7),
                random.nextInt(20, 70),
                random.nextInt(20, 70),
                random.nextInt(0, 40),
                random.nextInt(10, 50),
                random.nextInt(4) == 0 ? 60 : 5,
                fault(random, faults));
    }

    private static Fault fault(Random random, boolean faults) {
        int choice = random.nextInt(8);
        return !faults || choice >= Fault.values().length ? Fault.NONE : Fault.values()[choice];
    }

    /// The choices of one client.
    Random client(int process) {
        return new Random(seed * 31 + process);
    }
}
