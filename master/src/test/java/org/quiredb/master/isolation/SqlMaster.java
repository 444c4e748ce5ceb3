package org.quiredb.master.isolation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.mysql.PacketReader;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.master.lock.LockManager;
import org.quiredb.master.transaction.PageChanges;
import org.quiredb.master.transaction.UpdateTransaction;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.sql.SqlEngine;

/// A master's update transactions over real SQL, with two slaves that get the page operations; no
/// network and no log.
///
/// `t` has a primary key `id`, an indexed `k` and `v`; `u` has a unique `k`; `free` has no primary
/// key. Threads: any; each client one.
final class SqlMaster implements AutoCloseable {
    static final int TABLES = 3;
    private static final int ROW_PACKET_HEADER = 4;

    private final PageStore store = new PageStore();
    private final List<PageStore> slaves = List.of(new PageStore(), new PageStore());
    private final SqlEngine engine = new SqlEngine(store);
    private final LockManager locks = new LockManager();
    private final ReentrantLock sequence = new ReentrantLock();
    private final AtomicLong ids = new AtomicLong();
    private final List<Transcript> committed = new ArrayList<>();

    /// A statement with what the client saw of it.
    record Step(String sql, String result) {}

    /// A committed transaction.
    record Transcript(List<Step> steps) {}

    SqlMaster() {
        engine.apply(new SchemaChange.CreateSchema("s"));
        IndexDefinition primary = new IndexDefinition("PRIMARY", true, List.of("id"));
        create(1, "t", List.of(primary, new IndexDefinition("by_k", false, List.of("k"))));
        create(2, "u", List.of(primary, new IndexDefinition("one_k", true, List.of("k"))));
        create(3, "free", List.of(new IndexDefinition("by_k", false, List.of("k"))));
    }

    private void create(int tableId, String name, List<IndexDefinition> indexes) {
        List<ColumnDefinition> columns =
                List.of(column("id", false), column("k", true), column("v", true));
        TableDefinition definition =
                new TableDefinition("s", name, columns, indexes, List.of(), List.of(), 0);
        engine.apply(new SchemaChange.CreateTable(tableId, definition));
    }

    private static ColumnDefinition column(String name, boolean nullable) {
        return new ColumnDefinition(
                name, "int(11)", nullable, false, null, null, null, false, null);
    }

    Client client() {
        return new Client(10_000);
    }

    /// Whether someone waits for a lock now.
    boolean someoneWaits() {
        return locks.figures().waitingNow() > 0;
    }

    /// In commit order.
    List<Transcript> committed() {
        return committed;
    }

    /// Every page of a table on the master, then on each slave.
    List<List<byte[]>> pages(int tableId) {
        List<List<byte[]>> all = new ArrayList<>();
        List<PageStore> stores = new ArrayList<>(List.of(store));
        stores.addAll(slaves);
        for (PageStore one : stores) {
            List<byte[]> pages = new ArrayList<>();
            one.forEachPage(tableId, 1, page -> pages.add(page.newest().bytes()));
            all.add(pages);
        }
        return all;
    }

    @Override
    public void close() {
        engine.close();
    }

    /// A session with a transaction always open.
    final class Client {
        private final long waitMillis;
        private UpdateTransaction transaction;
        private List<Step> steps = new ArrayList<>();

        Client(long waitMillis) {
            this.waitMillis = waitMillis;
            this.transaction = begin();
        }

        private UpdateTransaction begin() {
            return new UpdateTransaction(
                    ids.incrementAndGet(), store, locks, table -> {}, waitMillis);
        }

        /// The rows, each in brackets, or the number of affected rows, or the error's number; after
        /// a deadlock the transaction is over.
        String run(String sql) {
            List<byte[]> parts = new ArrayList<>();
            StatementCall call = new StatementCall("s", sql, List.of(), false, 0, false);
            transaction.beginStatement();
            String result;
            try {
                result = text(engine.update(transaction, call, parts::add), parts);
            } catch (QuireException e) {
                result = "error " + e.code().number();
                if (e.code() == ErrorCode.DEADLOCK) {
                    rollBack();
                    return result;
                }
            }
            if (result.startsWith("error")) {
                transaction.undoStatement();
            }
            steps.add(new Step(sql, result));
            return result;
        }

        void commit() {
            sequence.lock();
            try {
                committed.add(new Transcript(List.copyOf(steps)));
                PageChanges pages = transaction.pageChanges();
                List<PageChange> changes = pages.pageChanges();
                long number = committed.size();
                pages.writers().forEach(w -> store.publish(w.pageId(), w.bytes(), number));
                pages.release();
                transaction.counterChanges().forEach(c -> store.counters(c.tableId()).apply(c));
                slaves.forEach(slave -> changes.forEach(c -> slave.enqueue(c, number)));
            } finally {
                sequence.unlock();
            }
            rollBack();
        }

        void rollBack() {
            transaction.release();
            transaction = begin();
            steps = new ArrayList<>();
        }
    }

    private static String text(ReplicaReply reply, List<byte[]> parts) {
        return switch (reply) {
            case ReplicaReply.Updated updated -> String.valueOf(updated.affectedRows());
            case ReplicaReply.Failed failed -> "error " + failed.number();
            default -> rows(parts);
        };
    }

    /// Packets of a text result: the count of columns, their definitions, an EOF, rows, an EOF.
    private static String rows(List<byte[]> parts) {
        List<byte[]> payloads = new ArrayList<>();
        for (byte[] part : parts) {
            for (int at = 0; at < part.length; ) {
                int length =
                        (part[at] & 0xFF)
                                | (part[at + 1] & 0xFF) << 8
                                | (part[at + 2] & 0xFF) << 16;
                at += ROW_PACKET_HEADER;
                payloads.add(Arrays.copyOfRange(part, at, at + length));
                at += length;
            }
        }
        int columns = payloads.getFirst()[0];
        StringBuilder text = new StringBuilder();
        for (byte[] payload : payloads.subList(2 + columns, payloads.size() - 1)) {
            text.append(row(payload, columns));
        }
        return text.toString();
    }

    private static String row(byte[] payload, int columns) {
        PacketReader reader = new PacketReader(payload);
        List<String> values = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            values.add(
                    payload[payload.length - reader.remaining()] == (byte) 0xFB
                            ? nullValue(reader)
                            : new String(reader.lenencBytes(), StandardCharsets.UTF_8));
        }
        return "(" + String.join(" ", values) + ")";
    }

    private static String nullValue(PacketReader reader) {
        reader.int1();
        return "NULL";
    }
}
