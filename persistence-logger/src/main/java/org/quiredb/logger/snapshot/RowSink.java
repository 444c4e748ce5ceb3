package org.quiredb.logger.snapshot;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Takes a table's rows one by one.
@FunctionalInterface
public interface RowSink {
    /// @param row one value per column in definition order, as the text protocol shows it
    void row(List<byte @Nullable []> row);
}
