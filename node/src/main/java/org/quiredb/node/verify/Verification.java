package org.quiredb.node.verify;

import java.util.List;

/// What a comparison of the tiers found.
///
/// @param replicas how many replicas were compared
/// @param backends how many backends were compared
/// @param tables how many tables each of them holds
/// @param differences empty when all hold the same rows
public record Verification(
        int replicas, int backends, int tables, long rows, List<Difference> differences) {
    public boolean identical() {
        return differences.isEmpty();
    }

    /// One holder of a table that differs from the first replica.
    ///
    /// @param keys the primary keys of rows that are missing, additional or different, the first
    ///   few
    public record Difference(
            String table, String holder, long rows, long referenceRows, List<String> keys) {
        @Override
        public String toString() {
            return "%s on %s: %d rows, expected %d; differing keys: %s"
                    .formatted(table, holder, rows, referenceRows, String.join("; ", keys));
        }
    }
}
