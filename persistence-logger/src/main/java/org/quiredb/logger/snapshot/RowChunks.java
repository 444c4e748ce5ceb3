package org.quiredb.logger.snapshot;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.SnapshotPart;
import org.quiredb.common.schema.TableDefinition;

/// Gathers a table's rows into parts of bounded size.
///
/// Threads: one.
public final class RowChunks implements RowSink {
    private static final int MAXIMUM_ROWS = 500;
    private static final int MAXIMUM_BYTES = 256 << 10;

    private final TableDefinition table;
    private final Consumer<SnapshotPart> parts;
    private List<List<byte @Nullable []>> rows = new ArrayList<>();
    private int sizeBytes;

    public RowChunks(TableDefinition table, Consumer<SnapshotPart> parts) {
        this.table = table;
        this.parts = parts;
    }

    @Override
    public void row(List<byte @Nullable []> row) {
        rows.add(row);
        for (byte @Nullable [] value : row) {
            sizeBytes += value == null ? 1 : value.length + 5;
        }
        if (rows.size() == MAXIMUM_ROWS || sizeBytes >= MAXIMUM_BYTES) {
            flush();
        }
    }

    /// Passes on the rows gathered, if any.
    public void finish() {
        if (!rows.isEmpty()) {
            flush();
        }
    }

    /// Passes on the rows gathered, even none: a part that says that the table has changed.
    public void flush() {
        parts.accept(new SnapshotPart.Rows(table.schema(), table.name(), rows));
        rows = new ArrayList<>();
        sizeBytes = 0;
    }
}
