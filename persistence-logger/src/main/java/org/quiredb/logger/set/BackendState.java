package org.quiredb.logger.set;

/// How a backend stands to the log.
public sealed interface BackendState {
    /// It holds the whole log.
    record Current() implements BackendState {}

    /// It does not answer.
    record Away() implements BackendState {}

    /// It answers, and gets what it lacks.
    record CatchingUp() implements BackendState {}

    /// It cannot catch up: it has to be copied from a current one, the database `quire` included.
    record Stale(String reason) implements BackendState {}

    /// It holds the whole log, and cannot follow it until somebody has seen to it.
    record SetAside(String reason) implements BackendState {}

    /// What a status has for it.
    default int number() {
        return switch (this) {
            case Away() -> 0;
            case CatchingUp() -> 1;
            case Current() -> 2;
            case Stale(String _) -> 3;
            case SetAside(String _) -> 4;
        };
    }
}
