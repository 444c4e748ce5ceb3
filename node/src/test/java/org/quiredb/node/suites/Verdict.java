package org.quiredb.node.suites;

import java.util.List;

/// What came of one test.
sealed interface Verdict {
    /// Both gave the same.
    record Passed() implements Verdict {}

    /// The MariaDB alone does not pass it here either.
    record NotCounted(String reason) implements Verdict {}

    /// @param causes grouped, each once
    /// @param shown the first lines that differ, for people
    record Failed(List<String> causes, List<String> shown) implements Verdict {}
}
