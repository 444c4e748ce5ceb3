package org.quiredb.replica.execution;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A table of a plan, in the order in which they are read.
///
/// @param outer joined to the left: where no row matches, one of NULLs does
/// @param matches what a row has to fulfil to be one of the table's
/// @param after of an outer table: what the row or the NULLs have to fulfil then
/// @param buildSide of one that is looked up by a unique key; null where no index finds the rows
///   that match
public record Level(
        Access access,
        boolean outer,
        List<Late<SearchCondition>> matches,
        List<Late<SearchCondition>> after,
        @Nullable BuildSide buildSide) {
    public Level {
        matches = List.copyOf(matches);
        after = List.copyOf(after);
    }

    /// The rows of a table that fulfil its own conditions, where these are an index's bounds: what
    /// a table that is looked up by a unique key may be hashed from ({@link HashLookup}).
    ///
    /// @param rows where they are; its bounds are constants
    /// @param key of such a row, as it is looked up
    public record BuildSide(Access rows, List<KeyPart> key) {
        public BuildSide {
            key = List.copyOf(key);
        }
    }
}
