package org.quiredb.node.lab;

import java.util.Locale;

/// Which kind of process is killed.
public enum Victim {
    SLAVE,
    MASTER,
    SCHEDULER,
    LOGGER,
    BACKEND,
    SPARE,
    RANDOM;

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
