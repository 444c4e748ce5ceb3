package org.quiredb.scheduler.session.program;

/// Where a program goes on after a step.
sealed interface Flow {
    Flow NEXT = new Next();

    record Next() implements Flow {}

    record Leave(String label) implements Flow {}

    record Iterate(String label) implements Flow {}

    /// At the end of a block, one of whose handlers has run.
    record Exit(BlockScope block) implements Flow {}
}
