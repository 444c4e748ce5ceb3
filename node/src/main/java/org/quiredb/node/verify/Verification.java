package org.quiredb.node.verify;

import java.util.List;

/// What a comparison of the tiers found.
///
/// @param replicas how many replicas were compared
/// @param backends how many backends were compared
/// @param compared each other table that the tier has, with its rows
/// @param differences empty when all hold the same rows
/// @param changed tables whose definition was changed meanwhile, which are not compared
public record Verification(
        int replicas,
        int backends,
        List<Compared> compared,
        List<Difference> differences,
        List<String> changed) {
    public record Compared(String table, long rows) {}

    public boolean identical() {
        return differences.isEmpty();
    }

    public int tables() {
        return compared.size();
    }

    public long rows() {
        return compared.stream().mapToLong(Compared::rows).sum();
    }

    /// One holder of a table that differs from the first replica.
    ///
    /// @param differing how many rows are missing, additional or different
    /// @param keys the first few of their primary keys
    /// @param repaired how many of them were put right afterwards
    public record Difference(
            String table,
            String holder,
            long rows,
            long referenceRows,
            long differing,
            List<String> keys,
            long repaired) {
        @Override
        public String toString() {
            return "%s on %s: %d rows, expected %d; %d differ%s; keys: %s%s"
                    .formatted(
                            table,
                            holder,
                            rows,
                            referenceRows,
                            differing,
                            repaired == 0 ? "" : ", %d put right".formatted(repaired),
                            String.join("; ", keys),
                            differing > keys.size() ? "; ..." : "");
        }
    }
}
