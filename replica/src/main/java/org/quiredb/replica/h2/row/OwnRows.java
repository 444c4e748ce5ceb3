package org.quiredb.replica.h2.row;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.engine.OverlayLimits;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.replica.tree.RecordAccess;
import org.quiredb.replica.tree.WriteBuffer;

/// The rows of a transaction as it has left them, each whole, by the keys that they had before it:
/// what is laid over a backend's state, where the log would name changed columns only.
///
/// Threads: the transaction's.
public final class OwnRows implements WriteBuffer.RowVisitor {
    private final IntFunction<TableLayout> tables;
    private final OverlayLimits limits;
    private final IntConsumer unnamed;
    private final RowChanges.Writer writer = new RowChanges.Writer();
    private RowEffects.@Nullable Shapes current;
    private int rows;

    private OwnRows(IntFunction<TableLayout> tables, OverlayLimits limits, IntConsumer unnamed) {
        this.tables = tables;
        this.limits = limits;
        this.unnamed = unnamed;
    }

    /// @param unnamed gets the tables of rows that no key tells: they are found by all that they
    ///   hold
    /// @throws QuireException NOT_SUPPORTED_YET past the limits
    public static RowChanges of(
            RecordAccess transaction,
            IntFunction<TableLayout> tables,
            OverlayLimits limits,
            IntConsumer unnamed) {
        OwnRows own = new OwnRows(tables, limits, unnamed);
        transaction.buffer().forEachRow(transaction, own);
        return own.writer.changes();
    }

    @Override
    public void row(int tableId, byte @Nullable [] before, byte @Nullable [] after) {
        if (before == null && after == null) {
            return; // it came and went
        }
        RowEffects.Shapes shapes = shapes(tableId);
        requireRoom();
        if (before != null && !shapes.named) {
            unnamed.accept(tableId);
        }
        if (after == null) {
            delete(shapes, before);
        } else if (before == null) {
            insert(shapes, after);
        } else if (!shapes.named
                || shapes.unique.stream()
                        .anyMatch(i -> !shapes.layout.rows().same(before, after, i))) {
            delete(shapes, before);
            insert(shapes, after);
        } else {
            update(shapes, before, after);
        }
    }

    private void requireRoom() {
        if (++rows > limits.rows() || writer.sizeBytes() > limits.bytes()) {
            throw Errors.unsupported(
                    "what only the backend runs, after changes of more than %d rows or %d MiB (scheduler.limits.overlayRows)"
                            .formatted(limits.rows(), limits.bytes() >> 20));
        }
    }

    private void delete(RowEffects.Shapes shapes, byte @Nullable [] row) {
        if (row != null) {
            writer.add(shapes.delete, RowEffects.values(shapes.layout, shapes.key, row));
        }
    }

    private void insert(RowEffects.Shapes shapes, byte[] row) {
        writer.add(shapes.insert, shapes.inserted(row));
    }

    private void update(RowEffects.Shapes shapes, byte[] before, byte[] after) {
        List<Integer> others = new ArrayList<>(shapes.stored);
        others.removeAll(shapes.key);
        if (others.isEmpty()) {
            return;
        }
        List<SqlValue> values = RowEffects.values(shapes.layout, shapes.key, before);
        values.addAll(shapes.given(others, after));
        writer.add(shapes.update(others), values);
    }

    private RowEffects.Shapes shapes(int tableId) {
        RowEffects.Shapes last = current;
        if (last == null || last.layout.tableId() != tableId) {
            last = RowEffects.Shapes.keyed(tables.apply(tableId));
            current = last;
        }
        return last;
    }
}
