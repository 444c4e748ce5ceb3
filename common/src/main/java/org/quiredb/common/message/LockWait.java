package org.quiredb.common.message;

import java.util.List;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// A client whose statement waits for locks that others hold, or wait for before it.
///
/// Clients are named by their connection ids, which KILL takes.
///
/// @param table `schema.name` of the rows or keys
/// @param holders a few of them
/// @param millis since when it waits
public record LockWait(String table, int waiter, List<Integer> holders, long millis) {
    void encode(ByteWriter writer) {
        writer.string(table).i64(waiter).list(holders, (w, holder) -> w.i64(holder)).varint(millis);
    }

    static LockWait decode(ByteReader reader) {
        return new LockWait(
                reader.string(),
                (int) reader.i64(),
                reader.list(r -> (int) r.i64()),
                reader.varint());
    }

    /// As in `client 17 has waited 3.2 s for shop.orders, which client 12 holds`.
    @Override
    public String toString() {
        String who =
                holders.size() == 1
                        ? "client " + holders.getFirst() + " holds"
                        : "clients "
                                + holders.toString().replaceAll("[\\[\\]]", "")
                                + " hold or wait for before it";
        return "client %d has waited %.1f s for %s, which %s"
                .formatted(waiter, millis / 1000.0, table, who);
    }
}
