package org.quiredb.replica.h2.row;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.writeset.CounterChange;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.common.writeset.RowShape;
import org.quiredb.common.writeset.RowShape.Kind;
import org.quiredb.replica.engine.ChangeLimits;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.h2.value.StoredValues;
import org.quiredb.replica.layout.ColumnType;
import org.quiredb.replica.layout.EnumTexts;
import org.quiredb.replica.layout.RowLayout;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.replica.tree.RecordAccess;
import org.quiredb.replica.tree.WriteBuffer;

/// What a transaction's buffer does to rows, in the form of the log ({@link RowChanges}).
///
/// A row before it was changed is read from its page: the transaction has it locked.
///
/// Threads: the transaction's.
public final class RowEffects implements WriteBuffer.RowVisitor {
    private final IntFunction<TableLayout> tables;
    private final ChangeLimits limits;
    private final RowChanges.Writer writer = new RowChanges.Writer();
    private final Map<Integer, Long> largestInserted = new HashMap<>();
    private @Nullable Shapes current;

    private RowEffects(IntFunction<TableLayout> tables, ChangeLimits limits) {
        this.tables = tables;
        this.limits = limits;
    }

    /// @throws QuireException TRANSACTION_TOO_LARGE or ROW_TOO_LARGE past the limits
    public static RowChanges of(
            RecordAccess transaction,
            List<CounterChange> counters,
            IntFunction<TableLayout> tables,
            ChangeLimits limits) {
        RowEffects effects = new RowEffects(tables, limits);
        transaction.buffer().forEachRow(transaction, effects);
        counters.forEach(effects::raise);
        return effects.writer.changes();
    }

    @Override
    public void row(int tableId, byte @Nullable [] before, byte @Nullable [] after) {
        Shapes shapes = shapes(tableId);
        int sizeBytes = writer.sizeBytes();
        if (before == null && after != null) {
            insert(shapes, after);
        } else if (before != null && after == null) {
            delete(shapes, before);
        } else if (before != null && after != null) {
            update(shapes, before, after);
        }
        int mostBytes = shapes.named ? limits.rowBytes() : limits.unkeyedRowBytes();
        if (writer.sizeBytes() - sizeBytes > mostBytes) {
            throw new QuireException(
                    ErrorCode.ROW_TOO_LARGE,
                    "A row changes by more than the %d KiB that fit into a packet of every backend (max_allowed_packet)"
                            .formatted(mostBytes >> 10));
        }
        if (writer.sizeBytes() > limits.transactionBytes()) {
            throw new QuireException(
                    ErrorCode.TRANSACTION_TOO_LARGE,
                    "The transaction changes more than the %d MiB that the log takes in one piece (replica.commitMegabytes); it is rolled back, commit in smaller ones"
                            .formatted(limits.transactionBytes() >> 20));
        }
    }

    private Shapes shapes(int tableId) {
        Shapes last = current;
        if (last == null || last.layout.tableId() != tableId) {
            last = new Shapes(tables.apply(tableId));
            current = last;
        }
        return last;
    }

    private void insert(Shapes shapes, byte[] row) {
        writer.add(shapes.insert, shapes.inserted(row));
        int counted = shapes.layout.autoIncrement();
        if (counted >= 0) {
            largestInserted.merge(
                    shapes.layout.tableId(),
                    StoredValues.of(shapes.layout.rows(), row, 0, counted).getLong(),
                    Math::max);
        }
    }

    private void delete(Shapes shapes, byte[] row) {
        writer.add(shapes.delete, values(shapes.layout, shapes.key, row));
    }

    private void update(Shapes shapes, byte[] before, byte[] after) {
        RowLayout rows = shapes.layout.rows();
        List<Integer> changed = new ArrayList<>();
        boolean changes = false;
        boolean unique = !shapes.named;
        for (int i = 0; i < rows.columns(); i++) {
            boolean same = rows.same(before, after, i);
            changes |= !same;
            unique |= !same && shapes.unique.contains(i);
            if (shapes.isStored(i) && (!same || shapes.column(i).onUpdateNow())) {
                changed.add(i);
            }
        }
        if (changes && unique) {
            delete(shapes, before);
            insert(shapes, after);
        } else if (changes && !changed.isEmpty()) { // else generated ones alone, of a moment
            List<SqlValue> values = values(shapes.layout, shapes.key, before);
            values.addAll(shapes.given(changed, after));
            writer.add(shapes.update(changed), values);
        }
    }

    /// Values of AUTO_INCREMENT that no row has any more are given no second time either.
    private void raise(CounterChange counter) {
        long last = counter.nextAutoIncrement() - 1;
        if (last > largestInserted.getOrDefault(counter.tableId(), 0L)) {
            writer.add(shapes(counter.tableId()).raise(), List.of(SqlValue.of(last)));
        }
    }

    static List<SqlValue> values(TableLayout table, List<Integer> columns, byte[] row) {
        List<SqlValue> values = new ArrayList<>(columns.size());
        for (int column : columns) {
            SqlValue value = StoredValues.shown(table.rows(), row, 0, column);
            boolean bits = table.rows().type(column).mysql() == MySqlType.BIT;
            values.add(
                    bits && value instanceof SqlValue.IntegerValue(long number, var signed)
                            ? new SqlValue.IntegerValue(number, true)
                            : value);
        }
        return values;
    }

    /// A table's changes by kind.
    static final class Shapes {
        final TableLayout layout;
        final List<Integer> stored = new ArrayList<>();
        final List<Integer> key = new ArrayList<>();
        final Set<Integer> unique = new HashSet<>();
        private final Map<Integer, EnumTexts> enums = new HashMap<>();

        /// Whether it has such a key of columns that are not generated.
        final boolean named;

        final RowShape insert;
        final RowShape delete;

        Shapes(TableLayout layout) {
            this(
                    layout,
                    layout.definition().indexes().stream()
                            .filter(IndexDefinition::primary)
                            .findFirst());
        }

        /// Of rows that are told by their table's key, primary or not.
        static Shapes keyed(TableLayout layout) {
            return new Shapes(layout, layout.definition().rowKey());
        }

        private Shapes(TableLayout layout, Optional<IndexDefinition> names) {
            this.layout = layout;
            for (int i = 0; i < layout.rows().columns(); i++) {
                if (isStored(i)) {
                    stored.add(i);
                }
                EnumTexts members = column(i).enumeration() ? EnumTexts.of(column(i)) : null;
                if (members != null) {
                    enums.put(i, members);
                }
            }
            for (IndexDefinition index : layout.definition().indexes()) {
                if (index.unique() || index.primary()) {
                    index.columns().forEach(name -> unique.add(layout.column(name)));
                }
            }
            names.ifPresent(index -> index.columns().forEach(name -> key.add(layout.column(name))));
            named = names.isPresent() && stored.containsAll(key);
            if (!named) {
                key.clear();
                key.addAll(stored);
            }
            insert = shape(Kind.INSERT, named ? key : List.of(), stored);
            delete =
                    named
                            ? shape(Kind.DELETE, key, List.of())
                            : shape(Kind.DELETE_LIKE, key, texts());
        }

        /// Of a new row, which is found by its key again.
        ///
        /// @throws QuireException NOT_SUPPORTED_YET where a part of that is an ENUM without a
        ///   member
        List<SqlValue> inserted(byte[] row) {
            List<Integer> finds = named ? key : stored;
            for (int i : finds) {
                if (withoutMember(i, row)) {
                    throw unnamed(i);
                }
            }
            return given(stored, row);
        }

        /// As a strict server takes them.
        List<SqlValue> given(List<Integer> columns, byte[] row) {
            List<SqlValue> values = values(layout, columns, row);
            for (int at = 0; at < columns.size(); at++) {
                int i = columns.get(at);
                if (withoutMember(i, row)) {
                    String none = Objects.requireNonNull(enums.get(i)).none();
                    if (none == null) {
                        throw unnamed(i);
                    }
                    values.set(at, new SqlValue.StringValue(none));
                }
            }
            return values;
        }

        private QuireException unnamed(int i) {
            return Errors.unsupported(
                    "a row without a member in the ENUM %s, which is a part of its key, or whose members are 0 to 00000, or in a wide character set"
                            .formatted(column(i).name()));
        }

        private boolean withoutMember(int i, byte[] row) {
            EnumTexts members = enums.get(i);
            return members != null
                    && !members.texts().contains("")
                    && !layout.rows().isNull(row, 0, i)
                    && layout.rows().variableFrom(row, 0, i) == layout.rows().variableTo(row, 0, i);
        }

        RowShape update(List<Integer> columns) {
            return shape(Kind.UPDATE, key, columns);
        }

        /// Generated columns are computed by whoever stores the row.
        boolean isStored(int column) {
            return column(column).generation() == null;
        }

        ColumnDefinition column(int i) {
            return layout.definition().columns().get(i);
        }

        RowShape raise() {
            return shape(Kind.RAISE, List.of(), List.of(layout.autoIncrement()));
        }

        private List<Integer> texts() {
            return stored.stream()
                    .filter(i -> {
                        ColumnType type = layout.rows().type(i);
                        return type.text()
                                || type.mysql() == MySqlType.JSON
                                || type.mysql() == MySqlType.GEOMETRY;
                    })
                    .toList();
        }

        private List<String> names(List<Integer> columns) {
            List<String> names = new ArrayList<>(columns.size());
            for (int i : columns) {
                names.add(column(i).name());
            }
            return names;
        }

        private RowShape shape(Kind kind, List<Integer> names, List<Integer> columns) {
            return new RowShape(
                    kind,
                    layout.definition().schema(),
                    layout.definition().name(),
                    names(names),
                    names(columns),
                    columns.contains(layout.autoIncrement()) && kind != Kind.UPDATE
                            ? column(layout.autoIncrement()).name()
                            : "");
        }
    }
}
