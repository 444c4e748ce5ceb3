package org.quiredb.common.writeset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;
import org.quiredb.common.writeset.RowShape.Kind;

class RowChangesTest {
    private static final List<SqlValue> VALUES =
            List.of(
                    SqlValue.NULL,
                    SqlValue.of(0),
                    SqlValue.of(-1),
                    SqlValue.of(Long.MIN_VALUE),
                    SqlValue.of(Long.MAX_VALUE),
                    new SqlValue.IntegerValue(-1, true),
                    new SqlValue.DecimalValue("-0.000000000000000000000000000001"),
                    new SqlValue.DoubleValue(Double.MIN_VALUE),
                    new SqlValue.DoubleValue(0.1f),
                    SqlValue.of(""),
                    SqlValue.of("'\\\0\uD83D\uDE00"),
                    new SqlValue.DateValue(LocalDate.of(0, 1, 1)),
                    new SqlValue.DateTimeValue(LocalDateTime.of(1, 1, 1, 0, 0, 0, 1000)),
                    new SqlValue.DateTimeValue(
                            LocalDateTime.of(9999, 12, 31, 23, 59, 59, 999_999_000)),
                    new SqlValue.TimeValue(Duration.ofHours(-838).minusNanos(1000)));

    private static RowShape shape(Kind kind, List<String> key, String... columns) {
        return new RowShape(kind, "s", "t", key, List.of(columns), "");
    }

    private static RowChanges through(RowChanges changes) {
        ByteWriter writer = new ByteWriter();
        new CommitRecord(7, -9, new Effects(changes, 3, 4)).encode(writer);
        ByteReader reader = new ByteReader(writer.toByteArray());
        CommitRecord record = CommitRecord.decode(reader);
        reader.finish();
        assertThat(record).isEqualTo(new CommitRecord(7, -9, new Effects(changes, 3, 4)));
        return record.rows();
    }

    @Test
    void shapesAreReadWithoutTheirValues() {
        RowShape update = shape(Kind.UPDATE, List.of("id"), "v");
        RowShape delete = shape(Kind.DELETE, List.of("id"));
        List<RowChange> changes = new ArrayList<>();
        for (SqlValue value : VALUES) {
            changes.add(
                    new RowChange(update, List.of(value, new SqlValue.BytesValue(new byte[3]))));
        }
        VALUES.forEach(value -> changes.add(new RowChange(delete, List.of(value))));
        changes.add(changes.getFirst());
        List<RowShape> shapes = new ArrayList<>();

        RowChanges.of(changes).forEachShape(shapes::add);

        assertThat(shapes).containsExactly(update, delete, update);
    }

    @Test
    void everyValueComesBackAsItIs() {
        List<RowChange> changes = new ArrayList<>();
        RowShape update = shape(Kind.UPDATE, List.of("id"), "v");
        for (SqlValue value : VALUES) {
            changes.add(new RowChange(update, List.of(SqlValue.of(1), value)));
        }
        assertThat(through(RowChanges.of(changes)).list()).isEqualTo(changes);
    }

    @Test
    void aShapeIsSaidOnce() {
        RowShape delete = shape(Kind.DELETE, List.of("id"));
        RowShape insert = shape(Kind.INSERT, List.of("id"), "id");
        RowChanges.Writer writer = new RowChanges.Writer();
        for (int i = 0; i < 1000; i++) {
            writer.add(delete, List.of(SqlValue.of(i)));
            writer.add(insert, List.of(SqlValue.of(i)));
        }
        RowChanges changes = writer.changes();
        assertThat(through(changes).list()).hasSize(2000);
        assertThat(changes.sizeBytes()).isLessThan(2000 * 5);
    }

    @Test
    void aRowIsKnownByItsKey() {
        assertThat(
                        new RowChange(
                                        shape(Kind.INSERT, List.of("b", "a"), "a", "b", "c"),
                                        List.of(SqlValue.of(1), SqlValue.of(2), SqlValue.of(3)))
                                .key())
                .containsExactly(SqlValue.of(2), SqlValue.of(1));
        RowChange update =
                new RowChange(
                        shape(Kind.UPDATE, List.of("a"), "c"),
                        List.of(SqlValue.of(1), SqlValue.of(3)));
        assertThat(update.key()).containsExactly(SqlValue.of(1));
        assertThat(update.assigned()).containsExactly(SqlValue.of(3));
        assertThatThrownBy(() -> new RowChange(update.shape(), List.of(SqlValue.of(1))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aRecordOfAnotherVersionIsRefused() {
        ByteWriter older = new ByteWriter();
        older.varint(1).i64(7).list(Collections.nCopies(1, "UPDATE"), ByteWriter::string);
        assertThatThrownBy(() -> CommitRecord.decode(new ByteReader(older.toByteArray())))
                .isInstanceOf(MangledMessageException.class)
                .hasMessageContaining("version 1");
    }
}
