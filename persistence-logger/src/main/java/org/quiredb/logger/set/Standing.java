package org.quiredb.logger.set;

/// How a backend stands to the log.
public sealed interface Standing {
    /// It holds the whole log.
    record Current() implements Standing {}

    /// It does not answer.
    record Away() implements Standing {}

    /// It answers, and gets what it lacks.
    record CatchingUp() implements Standing {}

    /// It cannot catch up: it has to be copied from a current one, the database `quire` included.
    record Stale(String reason) implements Standing {}
}
