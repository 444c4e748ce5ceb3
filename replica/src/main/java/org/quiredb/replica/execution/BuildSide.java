package org.quiredb.replica.execution;

import java.util.List;

/// The rows of a table that fulfil its own conditions, where these are an index's bounds: what a
/// table that is looked up by a unique key may be hashed from ({@link HashLookup}).
///
/// @param rows where they are; its bounds are constants
/// @param key of such a row, as it is looked up
public record BuildSide(Access rows, List<KeyPart> key) {
    public BuildSide {
        key = List.copyOf(key);
    }
}
