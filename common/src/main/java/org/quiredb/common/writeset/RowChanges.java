package org.quiredb.common.writeset;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// The changes of rows of one transaction, as bytes: who passes them on need not know what they
/// say. They are in no order: what holds before is what their keys name, and what holds after is
/// all of them.
///
/// Layout of a change: the number of its shape among those met so far; where that is a new one, the
/// shape; then its values, as {@link SqlValue} encodes them.
public final class RowChanges implements Iterable<RowChange> {
    public static final RowChanges NONE = new RowChanges(new byte[0]);

    private final byte[] bytes;

    private RowChanges(byte[] bytes) {
        this.bytes = bytes;
    }

    public static RowChanges of(List<RowChange> changes) {
        Writer writer = new Writer();
        changes.forEach(change -> writer.add(change.shape(), change.values()));
        return writer.changes();
    }

    /// Takes one change after the other.
    ///
    /// Threads: one.
    public static final class Writer {
        private final ByteWriter bytes = new ByteWriter(256);
        private final Map<RowShape, Integer> shapes = new HashMap<>();

        public void add(RowShape shape, List<SqlValue> values) {
            Integer known = shapes.get(shape);
            bytes.varint(known == null ? shapes.size() : known);
            if (known == null) {
                shapes.put(shape, shapes.size());
                shape.encode(bytes);
            }
            values.forEach(value -> value.encode(bytes));
        }

        public int sizeBytes() {
            return bytes.size();
        }

        public RowChanges changes() {
            return bytes.size() == 0 ? NONE : new RowChanges(bytes.toByteArray());
        }
    }

    public boolean isEmpty() {
        return bytes.length == 0;
    }

    public int sizeBytes() {
        return bytes.length;
    }

    /// As they were written. Its steps throw a {@link MangledMessageException} at bytes that no
    /// {@link Writer} wrote.
    @Override
    public Iterator<RowChange> iterator() {
        return new Reading(new ByteReader(bytes));
    }

    public List<RowChange> list() {
        List<RowChange> changes = new ArrayList<>();
        forEach(changes::add);
        return changes;
    }

    private static final class Reading implements Iterator<RowChange> {
        private final ByteReader reader;
        private final List<RowShape> shapes = new ArrayList<>();

        Reading(ByteReader reader) {
            this.reader = reader;
        }

        @Override
        public boolean hasNext() {
            return reader.remaining() > 0;
        }

        @Override
        public RowChange next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            int number = reader.count(shapes.size());
            if (number == shapes.size()) {
                shapes.add(RowShape.decode(reader));
            }
            RowShape shape = shapes.get(number);
            List<SqlValue> values = new ArrayList<>(shape.values());
            for (int i = 0; i < shape.values(); i++) {
                values.add(SqlValue.decode(reader));
            }
            return new RowChange(shape, List.copyOf(values));
        }
    }

    /// Each shape once for each run of changes that have it, without their values.
    ///
    /// @throws MangledMessageException at bytes that no {@link Writer} wrote
    public void forEachShape(Consumer<RowShape> action) {
        ByteReader reader = new ByteReader(bytes);
        List<RowShape> shapes = new ArrayList<>();
        int last = -1;
        while (reader.remaining() > 0) {
            int number = reader.count(shapes.size());
            if (number == shapes.size()) {
                shapes.add(RowShape.decode(reader));
            }
            RowShape shape = shapes.get(number);
            if (number != last) {
                last = number;
                action.accept(shape);
            }
            for (int i = 0; i < shape.values(); i++) {
                SqlValue.skip(reader);
            }
        }
    }

    public void encode(ByteWriter writer) {
        writer.bytes(bytes);
    }

    public static RowChanges decode(ByteReader reader) {
        return new RowChanges(reader.bytes());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RowChanges changes && Arrays.equals(bytes, changes.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return bytes.length + " bytes of row changes";
    }
}
