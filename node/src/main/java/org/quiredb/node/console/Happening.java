package org.quiredb.node.console;

/// Something that happened in the tier.
///
/// @param id counts up
/// @param at ms since 1970 when it was seen
/// @param node whom it is about, empty for the tier
public record Happening(long id, long at, Weight weight, String node, String text) {
    /// How it concerns who watches.
    public enum Weight {
        /// Something is lost.
        BAD,
        /// Something is not as it should be.
        WARNING,
        /// What was lost is there again, or another has taken its place.
        GOOD,
        NEWS
    }
}
