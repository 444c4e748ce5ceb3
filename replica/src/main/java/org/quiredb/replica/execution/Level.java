package org.quiredb.replica.execution;

import java.util.List;

/// A table of a plan, in the order in which they are read.
///
/// @param outer joined to the left: where no row matches, one of NULLs does
/// @param matches what a row has to fulfil to be one of the table's
/// @param after of an outer table: what the row or the NULLs have to fulfil then
public record Level(
        Access access,
        boolean outer,
        List<Late<SearchCondition>> matches,
        List<Late<SearchCondition>> after) {
    public Level {
        matches = List.copyOf(matches);
        after = List.copyOf(after);
    }
}
