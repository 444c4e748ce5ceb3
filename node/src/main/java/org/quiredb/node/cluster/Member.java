package org.quiredb.node.cluster;

import java.util.Optional;

/// One process of the tier, begun.
///
/// Threads: any.
sealed interface Member extends AutoCloseable permits MemberInside, MemberProcess {
    /// Why it does not run, in one line; empty while it runs.
    Optional<String> failure();

    /// Ends it without a word to anybody.
    void kill();

    @Override
    void close();
}
