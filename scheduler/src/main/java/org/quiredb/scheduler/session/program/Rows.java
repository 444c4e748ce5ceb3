package org.quiredb.scheduler.session.program;

import java.util.ArrayList;
import java.util.List;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.ReadResult;

/// A result in the text protocol that a program keeps for itself, of so many bytes at most.
///
/// Threads: one at a time, as the result's packets come one after the other.
final class Rows implements Output {
    private static final long MOST_BYTES = 16L << 20;

    private final ReadResult result = new ReadResult(this::row);
    private final List<byte[]> rows = new ArrayList<>();

    @Override
    public void relay(byte[] whole, Runnable written) {
        result.take(whole);
        written.run();
    }

    private void row(byte[] payload) {
        if (bytes() <= MOST_BYTES) {
            rows.add(payload);
        }
    }

    @Override
    public void ok(
            long affectedRows, long lastInsertId, int statusFlags, int warnings, String info) {}

    /// @throws QuireException where it was too large
    Rows whole() {
        if (bytes() > MOST_BYTES) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire does not support a cursor, or values for variables, of more than "
                            + MOST_BYTES
                            + " bytes in such a procedure");
        }
        return this;
    }

    long bytes() {
        return result.bytes();
    }

    int columns() {
        return result.columns().size();
    }

    int size() {
        return rows.size();
    }

    List<Value> row(int number) {
        return result.row(rows.get(number), Value.NULL, Value::of);
    }
}
