package org.quiredb.replica.execution;

import java.util.Arrays;

/// A key that compares as its bytes do.
final class EncodedKey {
    private final byte[] bytes;
    private final int hash;

    EncodedKey(byte[] bytes) {
        this.bytes = bytes;
        this.hash = Arrays.hashCode(bytes);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EncodedKey key && Arrays.equals(bytes, key.bytes);
    }
}
