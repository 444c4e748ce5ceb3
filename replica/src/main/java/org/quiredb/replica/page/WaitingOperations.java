package org.quiredb.replica.page;

import org.jspecify.annotations.Nullable;

/// What one commit did to one page, in a list by ascending commit number.
final class WaitingOperations {
    private static final int OVERHEAD_BYTES = 48;

    final long commitNumber;
    final byte[] operations;

    /// Set once, under the page's lock.
    @Nullable WaitingOperations next;

    WaitingOperations(long commitNumber, byte[] operations) {
        this.commitNumber = commitNumber;
        this.operations = operations;
    }

    /// With what the list itself takes.
    long sizeBytes() {
        return (long) OVERHEAD_BYTES + operations.length;
    }
}
