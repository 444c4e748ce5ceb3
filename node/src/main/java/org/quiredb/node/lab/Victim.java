package org.quiredb.node.lab;

import java.util.Locale;

/// Which kind of process is struck.
public enum Victim {
    SLAVE,
    MASTER,
    SCHEDULER,
    LOGGER,
    BACKEND,
    SPARE,
    RANDOM,
    /// All processes at once, the backend too: a power failure.
    EVERYTHING;

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
