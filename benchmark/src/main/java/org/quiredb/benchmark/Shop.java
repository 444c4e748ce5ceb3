package org.quiredb.benchmark;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.engine.StatementMemory;
import org.quiredb.replica.page.LoadAccess;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.SnapshotAccess;
import org.quiredb.replica.sql.SqlEngine;

/// A table of items, shaped as TPC-W's, in an engine of its own.
final class Shop implements AutoCloseable {
    static final int ITEM = 1;
    static final int SUBJECTS = 1000;
    private static final int CHUNK = 1000;

    final PageStore store;
    final SqlEngine engine;

    /// @param items rows with keys 1 to `items`; each subject has `items` / {@link #SUBJECTS} of
    ///   them
    Shop(int items) {
        this(items, new PageStore());
    }

    Shop(int items, PageStore store) {
        this(items, store, true);
    }

    /// @param plans whether reads are run by plans over pages, else by H2
    Shop(int items, PageStore store, boolean plans) {
        this.store = store;
        engine = new SqlEngine(store, StatementMemory.Limits.of(256L << 20), plans);
        engine.apply(new SchemaChange.CreateSchema("shop"));
        engine.apply(new SchemaChange.CreateTable(ITEM, item(items)));
        LoadAccess load = new LoadAccess(store, 1);
        for (int from = 1; from <= items; from += CHUNK) {
            List<List<byte @Nullable []>> rows = new ArrayList<>();
            for (int key = from; key < from + CHUNK && key <= items; key++) {
                rows.add(row(key));
            }
            engine.load(load, ITEM, rows);
            load.settle();
        }
        load.finish();
    }

    /// The state after the given commit.
    PageAccess at(long commitNumber) {
        return new SnapshotAccess(store, VersionVector.EMPTY.with(ITEM, commitNumber));
    }

    /// @throws IllegalStateException when the engine does not answer with rows
    ReplicaReply read(PageAccess access, StatementCall call, Consumer<byte[]> parts) {
        ReplicaReply reply = engine.read(access, call, parts);
        if (!(reply instanceof ReplicaReply.Rows)) {
            throw new IllegalStateException(call.sql() + ": " + reply);
        }
        return reply;
    }

    static StatementCall call(String sql, SqlValue... values) {
        return new StatementCall("shop", sql, List.of(values), true, 2, false);
    }

    private static TableDefinition item(int items) {
        return new TableDefinition(
                "shop",
                "item",
                List.of(
                        column("i_id", "int(11)", true),
                        column("i_title", "varchar(60)", false),
                        column("i_subject", "int(11)", false),
                        column("i_cost", "decimal(15,2)", false),
                        column("i_stock", "int(11)", false)),
                List.of(
                        new IndexDefinition("PRIMARY", true, List.of("i_id")),
                        new IndexDefinition("i_subject", false, List.of("i_subject"))),
                List.of(),
                List.of(),
                items + 1L);
    }

    private static ColumnDefinition column(String name, String type, boolean autoIncrement) {
        String collation = type.startsWith("varchar") ? "utf8mb4_general_ci" : null;
        return new ColumnDefinition(
                name, type, false, autoIncrement, null, collation, null, false, null);
    }

    private static List<byte @Nullable []> row(int key) {
        List<byte @Nullable []> row = new ArrayList<>();
        for (String value :
                List.of(
                        String.valueOf(key),
                        "The title of the book with number " + key,
                        String.valueOf(key % SUBJECTS),
                        "19." + (10 + key % 80),
                        String.valueOf(10 + key % 20))) {
            row.add(value.getBytes(StandardCharsets.UTF_8));
        }
        return row;
    }

    @Override
    public void close() {
        engine.close();
    }
}
