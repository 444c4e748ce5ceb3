package org.quiredb.replica.execution;

import java.util.Arrays;

/// Rows that wait for their turn: an encoded key, and where they are found again.
///
/// @param order in which they came
@SuppressWarnings("ArrayRecordComponent") // never compared as such
record KeyedRows(byte[] key, long order, long[] locators, Tally tally) {
    /// An object, its two arrays, its place in a list or a map.
    private static final int OBJECT_BYTES = 120;

    static KeyedRows of(byte[] key, long order, RowContext at) {
        return new KeyedRows(key, order, at.locators(), at.tally());
    }

    long bytes() {
        return OBJECT_BYTES + key.length + (long) Long.BYTES * locators.length;
    }

    void restore(RowContext at) {
        at.stand(locators);
        at.tally(tally);
    }

    /// A key that compares as its bytes do.
    static final class Key {
        private final byte[] bytes;
        private final int hash;

        Key(byte[] bytes) {
            this.bytes = bytes;
            this.hash = Arrays.hashCode(bytes);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && Arrays.equals(bytes, key.bytes);
        }
    }
}
