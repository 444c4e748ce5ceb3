package org.quiredb.replica.execution;

import org.quiredb.common.wire.ByteWriter;

/// A column's part in a key: what is searched for, or sorted by.
@FunctionalInterface
public interface KeyPart {
    /// What an index cannot be searched by.
    KeyPart OPEN = (key, at) -> Found.OPEN;

    /// What no row has.
    KeyPart NOTHING = (key, at) -> Found.NOTHING;

    enum Found {
        /// It is in the key now.
        APPENDED,
        /// No row has such a value.
        NOTHING,
        /// It sets no bound.
        OPEN
    }

    Found append(ByteWriter key, RowContext at);

    /// The same bytes for every row.
    static KeyPart of(byte[] bytes) {
        return (key, at) -> {
            key.raw(bytes, 0, bytes.length);
            return Found.APPENDED;
        };
    }
}
