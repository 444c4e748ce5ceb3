package org.quiredb.logger.apply;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.common.writeset.RowShape;

/// What consecutive commits do to rows when they are carried out as one: a row that is inserted and
/// changed is inserted as it became, one that is inserted and deleted does not come up.
///
/// A row is known by the bytes of its key; of a table without a primary key, of all its values.
///
/// Threads: one.
final class NetChanges {
    /// Of one commit.
    static final List<Set<RowShape.Kind>> KINDS_IN_ORDER =
            List.of(
                    Set.of(RowShape.Kind.DELETE, RowShape.Kind.DELETE_LIKE),
                    Set.of(RowShape.Kind.UPDATE),
                    Set.of(RowShape.Kind.INSERT, RowShape.Kind.RAISE));

    private final Map<String, Table> tables = new LinkedHashMap<>();

    /// What becomes of one table. Its deletes come first, its inserts last.
    static final class Table {
        private final Map<ByteBuffer, Row> rows = new LinkedHashMap<>();
        private @Nullable RowChange raise;

        private void add(RowChange change) {
            if (change.shape().kind() == RowShape.Kind.RAISE) {
                raise(change);
                return;
            }
            ByteBuffer key = key(change);
            Row row = rows.computeIfAbsent(key, k -> new Row());
            switch (change.shape().kind()) {
                case INSERT -> row.inserts.add(change);
                case UPDATE -> row.update(change);
                case DELETE, DELETE_LIKE -> row.delete(change, this::taken);
                case RAISE -> throw new IllegalStateException();
            }
            if (row.isEmpty()) {
                rows.remove(key);
            }
        }

        /// The row of a value of AUTO_INCREMENT does not come up, but the value was given.
        private void taken(RowChange insert) {
            RowShape shape = insert.shape();
            if (!shape.counter().isEmpty()) {
                SqlValue value = insert.values().get(shape.columns().indexOf(shape.counter()));
                List<String> counter = List.of(shape.counter());
                RowShape raises =
                        new RowShape(
                                RowShape.Kind.RAISE,
                                shape.schema(),
                                shape.table(),
                                List.of(),
                                counter,
                                shape.counter());
                raise(new RowChange(raises, List.of(value)));
            }
        }

        private void raise(RowChange change) {
            if (raise == null || number(raise).compareTo(number(change)) < 0) {
                raise = change;
            }
        }

        private static BigDecimal number(RowChange raise) {
            return switch (raise.values().getFirst()) {
                case SqlValue.IntegerValue(long number, boolean unsigned) ->
                        new BigDecimal(
                                unsigned ? Long.toUnsignedString(number) : Long.toString(number));
                case SqlValue.DecimalValue(String text) -> new BigDecimal(text);
                case SqlValue other ->
                        throw new IllegalStateException("a value of AUTO_INCREMENT is " + other);
            };
        }

        List<RowChange> deletes() {
            return rows.values().stream().flatMap(row -> row.deletes.stream()).toList();
        }

        List<RowChange> updates() {
            List<RowChange> updates = new ArrayList<>();
            for (Row row : rows.values()) {
                if (row.update != null) {
                    updates.add(row.update);
                }
            }
            return updates;
        }

        List<RowChange> inserts() {
            return rows.values().stream().flatMap(row -> row.inserts.stream()).toList();
        }

        @Nullable RowChange raise() {
            return raise;
        }
    }

    /// One row; several only where a table without a primary key holds some that are alike.
    private static final class Row {
        final List<RowChange> deletes = new ArrayList<>();
        final List<RowChange> inserts = new ArrayList<>();
        @Nullable RowChange update;

        boolean isEmpty() {
            return deletes.isEmpty() && inserts.isEmpty() && update == null;
        }

        void delete(RowChange change, Consumer<RowChange> notInserted) {
            if (inserts.isEmpty()) {
                deletes.add(change);
                update = null;
            } else {
                notInserted.accept(inserts.removeLast());
            }
        }

        void update(RowChange change) {
            if (inserts.isEmpty()) {
                update = update == null ? change : both(update, change);
            } else {
                inserts.addLast(inserted(inserts.removeLast(), change));
            }
        }

        private static RowChange both(RowChange first, RowChange second) {
            RowShape shape = second.shape();
            Map<String, SqlValue> assigned = new LinkedHashMap<>();
            assign(assigned, first);
            assign(assigned, second);
            List<SqlValue> values = new ArrayList<>(second.key());
            values.addAll(assigned.values());
            return new RowChange(
                    new RowShape(
                            shape.kind(),
                            shape.schema(),
                            shape.table(),
                            shape.key(),
                            List.copyOf(assigned.keySet()),
                            shape.counter()),
                    values);
        }

        private static RowChange inserted(RowChange insert, RowChange update) {
            Map<String, SqlValue> assigned = new LinkedHashMap<>();
            assign(assigned, insert);
            assign(assigned, update);
            return new RowChange(insert.shape(), List.copyOf(assigned.values()));
        }

        private static void assign(Map<String, SqlValue> assigned, RowChange change) {
            List<String> columns = change.shape().columns();
            for (int i = 0; i < columns.size(); i++) {
                assigned.put(columns.get(i), change.assigned().get(i));
            }
        }
    }

    /// One commit's. They are in no order: a row may take the key that another one leaves, which is
    /// left first.
    void add(RowChanges changes) {
        List<RowChange> all = changes.list();
        for (Set<RowShape.Kind> kinds : KINDS_IN_ORDER) {
            for (RowChange change : all) {
                if (kinds.contains(change.shape().kind())) {
                    add(change);
                }
            }
        }
    }

    void add(RowChange change) {
        RowShape shape = change.shape();
        tables.computeIfAbsent(shape.schema() + '\0' + shape.table(), t -> new Table()).add(change);
    }

    Collection<Table> tables() {
        return tables.values();
    }

    private static ByteBuffer key(RowChange change) {
        boolean whole = change.shape().key().isEmpty();
        ByteWriter writer = new ByteWriter(32);
        (whole ? change.values() : change.key()).forEach(value -> value.encode(writer));
        return ByteBuffer.wrap(writer.toByteArray());
    }
}
