package org.quiredb.replica.h2.table;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.h2.engine.SessionLocal;
import org.h2.message.DbException;
import org.h2.result.SearchRow;
import org.h2.value.TypeInfo;
import org.h2.value.Value;
import org.h2.value.ValueBigint;
import org.h2.value.ValueNull;
import org.h2.value.ValueNumeric;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.replica.h2.value.DatesAndTimes;
import org.quiredb.replica.h2.value.KeyCodec;
import org.quiredb.replica.h2.value.Values;
import org.quiredb.replica.layout.ColumnType;
import org.quiredb.replica.layout.RowLayout;
import org.quiredb.replica.layout.StringKey;

/// Bounds of a search, which may be wider than asked but never narrower: H2 checks every row again.
final class KeyBounds {
    private final RowLayout layout;
    private final int[] columnIds;

    KeyBounds(RowLayout layout, int[] columnIds) {
        this.layout = layout;
        this.columnIds = columnIds;
    }

    /// @param other what the other bound is made of
    byte @Nullable [] bound(
            @Nullable SearchRow row,
            @Nullable SearchRow other,
            boolean lower,
            SessionLocal session) {
        if (row == null) {
            return null;
        }
        ByteWriter key = new ByteWriter(columnIds.length * 9);
        for (int column : columnIds) {
            Value value = row.getValue(column);
            if (value != null && lower && beginsTexts(column, value, other)) {
                StringKey.appendStart(
                        key.u8(1), layout.type(column).collation(), value.getString());
                break;
            }
            if (value == null || !append(key, column, value, lower, session)) {
                break;
            }
        }
        return key.size() == 0 ? null : key.toByteArray();
    }

    /// Whether H2 may look for the texts that begin with this one (`LIKE 'a%'`) from it on: those
    /// that go on with what is below a space lie before it.
    private boolean beginsTexts(int column, Value value, @Nullable SearchRow other) {
        Value last = other == null ? null : other.getValue(column);
        ColumnType type = layout.type(column);
        boolean texts =
                type.storage() == ColumnType.Storage.STRING
                        || type.storage() == ColumnType.Storage.FOLDED_STRING;
        return texts
                && Values.isText(value.getType())
                && (last == null || !value.getString().equals(last.getString()));
    }

    /// Whether both bounds are whole numbers, and the same: no rounding makes them differ.
    @SuppressWarnings(
            "ReferenceEquality") // cheap; equal values that are not the same just cost more
    boolean isPoint(@Nullable SearchRow first, @Nullable SearchRow last) {
        if (first == null || last == null) {
            return false;
        }
        for (int column : columnIds) {
            Value value = first.getValue(column);
            if (value != last.getValue(column) || (value != null && !isWhole(value))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isWhole(Value value) {
        return value.getValueType() == Value.BIGINT || value.getValueType() == Value.INTEGER;
    }

    /// Whether the value could be made one of the column's type.
    boolean append(ByteWriter key, int column, Value value, boolean lower, SessionLocal session) {
        ColumnType type = layout.type(column);
        try {
            Value converted = convert(type, value, lower, session);
            if (converted == null) {
                return false;
            }
            KeyCodec.append(key, type, converted);
            return true;
        } catch (DbException | ArithmeticException e) {
            return false; // no value of the type is meant: the whole range is looked at
        }
    }

    private static @Nullable Value convert(
            ColumnType type, Value value, boolean lower, SessionLocal session) {
        if (value instanceof ValueNull) {
            return value;
        }
        RoundingMode rounding = lower ? RoundingMode.FLOOR : RoundingMode.CEILING;
        boolean string =
                value.getValueType() == Value.VARCHAR
                        || value.getValueType() == Value.VARCHAR_IGNORECASE
                        || value.getValueType() == Value.CHAR;
        return switch (type.storage()) {
            case INTEGER -> integer(type, value, rounding);
            case DECIMAL, BIG_DECIMAL ->
                    ValueNumeric.get(number(value).setScale(type.decimals(), rounding));
            case FLOAT, DOUBLE -> value.convertTo(TypeInfo.TYPE_DOUBLE, session);
            case DATE -> value.convertTo(TypeInfo.TYPE_DATE, session);
            case TIMESTAMP -> value.convertTo(TypeInfo.TYPE_TIMESTAMP, session);
            case TIME ->
                    value.getValueType() == Value.INTERVAL_HOUR_TO_SECOND
                            ? value
                            : string ? DatesAndTimes.parseTime(value.getString()) : null;
            case STRING, FOLDED_STRING -> string ? value : null;
            case BYTES -> value.getValueType() == Value.VARBINARY ? value : null;
            case UUID -> value.getValueType() == Value.UUID ? value : null;
        };
    }

    /// Beyond the column's values it is the nearest of them.
    private static Value integer(ColumnType type, Value value, RoundingMode rounding) {
        int unused = Long.SIZE - 8 * type.width();
        if (isWhole(value) && value.getLong() << unused >> unused == value.getLong()) {
            return value;
        }
        BigDecimal nearest =
                number(value)
                        .max(BigDecimal.valueOf(Long.MIN_VALUE >> unused))
                        .min(BigDecimal.valueOf(Long.MAX_VALUE >> unused));
        return ValueBigint.get(nearest.setScale(0, rounding).longValueExact());
    }

    private static BigDecimal number(Value value) {
        return value.getBigDecimal();
    }
}
