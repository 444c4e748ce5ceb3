package org.quiredb.benchmark;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.replica.engine.StatementMemory;
import org.quiredb.replica.page.LoadAccess;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.SnapshotAccess;
import org.quiredb.replica.result.Keeping;
import org.quiredb.replica.sql.SqlEngine;

/// The tables of a bookstore in an engine.
///
/// Threads: any.
final class StoredBookstore implements AutoCloseable {
    private static final int CHUNK = 1000;

    private final PageStore store = new PageStore();
    private final SqlEngine engine;
    private final String schema;
    private VersionVector tag = VersionVector.EMPTY;

    /// @param plans whether reads are run by plans over pages, else by H2
    StoredBookstore(List<Bookstore.Table> tables, boolean plans) {
        this(tables, plans, Keeping.NONE);
    }

    StoredBookstore(List<Bookstore.Table> tables, boolean plans, Keeping keeping) {
        engine = new SqlEngine(store, StatementMemory.Limits.of(256L << 20), plans, keeping);
        schema = tables.isEmpty() ? "" : tables.getFirst().definition().schema();
        for (int tableId = 1; tableId <= tables.size(); tableId++) {
            Bookstore.Table table = tables.get(tableId - 1);
            engine.apply(new SchemaChange.CreateTable(tableId, table.definition()));
            LoadAccess load = new LoadAccess(store, 1);
            List<List<byte @Nullable []>> rows = table.rows();
            for (int from = 0; from < rows.size(); from += CHUNK) {
                engine.load(load, tableId, rows.subList(from, Math.min(from + CHUNK, rows.size())));
                load.settle();
            }
            load.finish();
            tag = tag.with(tableId, 1);
        }
    }

    /// @throws IllegalStateException when the engine does not answer with rows
    ReplicaReply read(Consumer<byte[]> parts, String sql, SqlValue... values) {
        ReplicaReply reply =
                engine.read(
                        new SnapshotAccess(store, tag),
                        new StatementCall(schema, sql, List.of(values), true, 2, false),
                        parts);
        if (!(reply instanceof ReplicaReply.Rows)) {
            throw new IllegalStateException(sql + ": " + reply);
        }
        return reply;
    }

    /// Of the reads so far.
    double readsByPlans() {
        return engine.figures().getFirst().value();
    }

    void committed(WriteSet writeSet) {
        engine.committed(writeSet);
    }

    @Override
    public void close() {
        engine.close();
    }
}
