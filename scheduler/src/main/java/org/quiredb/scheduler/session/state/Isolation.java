package org.quiredb.scheduler.session.state;

import java.util.Locale;
import java.util.Optional;

/// What an update transaction's plain reads see of others: docs/isolation.md, with examples.
public enum Isolation {
    /// Each of its own state, that of its begin.
    READ_COMMITTED,
    /// All of one state, that of the first.
    REPEATABLE_READ,
    /// The newest state, which they lock.
    SERIALIZABLE;

    /// MySQL's.
    public static final Isolation DEFAULT = REPEATABLE_READ;

    public boolean snapshots() {
        return this != SERIALIZABLE;
    }

    /// @param name as in a variable (`READ-COMMITTED`) or a statement (`READ COMMITTED`)
    public static Optional<Isolation> of(String name) {
        return switch (name.toUpperCase(Locale.ROOT).replace('-', ' ')) {
            case "READ UNCOMMITTED", "READ COMMITTED" -> Optional.of(READ_COMMITTED);
            case "REPEATABLE READ" -> Optional.of(REPEATABLE_READ);
            case "SERIALIZABLE" -> Optional.of(SERIALIZABLE);
            case "DEFAULT" -> Optional.of(DEFAULT);
            default -> Optional.empty();
        };
    }
}
