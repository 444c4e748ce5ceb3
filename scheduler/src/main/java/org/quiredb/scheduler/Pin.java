package org.quiredb.scheduler;

import org.quiredb.common.version.VersionVector;

/// A tag that is kept readable on every replica until the pin is closed.
public interface Pin extends AutoCloseable {
    VersionVector tag();

    @Override
    void close();
}
