package org.quiredb.replica.page;

import org.jspecify.annotations.Nullable;

/// What one commit did to one page, in a list by ascending commit number.
final class WaitingOperations {
    /// An object with two references and a number, and the array's header.
    private static final long OVERHEAD_BYTES = 40;

    final long commitNumber;
    final byte[] operations;

    /// Set once, under the page's lock.
    @Nullable WaitingOperations next;

    WaitingOperations(long commitNumber, byte[] operations) {
        this.commitNumber = commitNumber;
        this.operations = operations;
    }

    long bytes() {
        return operations.length + OVERHEAD_BYTES;
    }

    /// What the list costs from here up to a commit number.
    static long bytes(@Nullable WaitingOperations first, long upTo) {
        long sum = 0;
        for (WaitingOperations next = first;
                next != null && next.commitNumber <= upTo;
                next = next.next) {
            sum += next.bytes();
        }
        return sum;
    }
}
