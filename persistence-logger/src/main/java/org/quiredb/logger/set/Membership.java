package org.quiredb.logger.set;

import java.util.List;

/// Which backends are current, by name.
///
/// @param owner the logger that made it and alone writes under it
record Membership(long generation, long owner, List<String> members) {
    static final Membership NONE = new Membership(0, 0, List.of());

    Membership {
        members = members.stream().sorted().toList();
    }

    /// Two are the same when their generation and owner are.
    boolean is(Membership other) {
        return generation == other.generation && owner == other.owner;
    }
}
