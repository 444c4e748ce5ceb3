package org.quiredb.logger;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.quiredb.common.message.SnapshotPart;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.logger.log.LogOutcome;
import org.quiredb.logger.log.LogWork;
import org.quiredb.logger.log.LogWriter;
import org.quiredb.logger.snapshot.BackendSnapshot;
import org.quiredb.logger.snapshot.RowChunks;

/// Snapshots of a current backend at known positions of every class.
///
/// Threads: any, one call each.
final class SnapshotReader {
    private final LoggedClasses classes;
    private final LogWriter log;
    private final long waitMillis;

    SnapshotReader(LoggedClasses classes, LogWriter log, long waitMillis) {
        this.classes = classes;
        this.log = log;
        this.waitMillis = waitMillis;
    }

    /// A whole current backend after everything that is logged now.
    void snapshot(Consumer<byte[]> parts) throws SQLException {
        for (Map.Entry<LoggedClass, Long> tail : classes.tails().entrySet()) {
            tail.getKey().awaitApplied(tail.getValue(), waitMillis);
        }
        try (BackendSnapshot snapshot = BackendSnapshot.open(classes.following())) {
            var reader = snapshot.schema();
            List<TableDefinition> tables = snapshot.hold(reader.tables());
            if (!(log.submit(new LogWork.TakeTableIdsAnew(tables.size()))
                    instanceof LogOutcome.TableIds(int first))) {
                throw new IllegalStateException("the log gives no table ids");
            }
            send(snapshot, reader.schemas(), tables, first, parts);
            for (TableDefinition table : tables) {
                RowChunks chunks = new RowChunks(table, part -> parts.accept(part.encode()));
                snapshot.rows(table, chunks);
                chunks.finish();
            }
        }
    }

    static void send(
            BackendSnapshot snapshot,
            List<String> schemas,
            List<TableDefinition> tables,
            int firstTableId,
            Consumer<byte[]> parts) {
        parts.accept(
                new SnapshotPart.Schema(snapshot.positions(), schemas, tables, firstTableId)
                        .encode());
    }
}
