package org.quiredb.replica.sql;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.h2.result.Row;
import org.h2.value.Value;
import org.h2.value.ValueBigint;
import org.h2.value.ValueInteger;
import org.h2.value.ValueNull;
import org.h2.value.ValueVarchar;
import org.h2.value.ValueVarcharIgnoreCase;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.schema.ColumnDefinition;

/// What MySQL's strict mode demands of a row before it is stored, and AUTO_INCREMENT.
final class NewRow {
    private final TableLayout layout;
    private final int autoIncrement;
    private final Map<Integer, Members> members = new HashMap<>();

    NewRow(TableLayout layout) {
        this.layout = layout;
        this.autoIncrement = layout.autoIncrement();
        List<ColumnDefinition> columns = layout.definition().columns();
        for (int i = 0; i < columns.size(); i++) {
            Members of = Members.of(columns.get(i));
            if (of != null) {
                members.put(i, of);
            }
        }
    }

    /// Before H2 fills in defaults: the AUTO_INCREMENT value, and the errors of missing values.
    void fill(Statement statement, Row row) {
        if (autoIncrement >= 0) {
            number(statement, row);
        }
        refuseNulls(statement, row);
        for (int i = 0; i < layout.rows().columns(); i++) {
            if (row.getValue(i) == null && !statement.ignore() && required(i)) {
                throw new QuireException(
                        ErrorCode.FIELD_HAS_NO_DEFAULT,
                        "Field '" + column(i).name() + "' doesn't have a default value");
            }
        }
    }

    void refuseNulls(Statement statement, Row row) {
        for (int i = 0; i < layout.rows().columns(); i++) {
            if (row.getValue(i) instanceof ValueNull
                    && !column(i).nullable()
                    && !statement.ignore()) {
                throw new QuireException(
                        ErrorCode.COLUMN_CANNOT_BE_NULL,
                        "Column '" + column(i).name() + "' cannot be null");
            }
        }
    }

    /// After H2 converted the values: the ranges that H2's wider types do not have, and CHAR's
    /// trailing spaces.
    void check(Row row) {
        for (int i = 0; i < layout.rows().columns(); i++) {
            Value value = row.getValue(i);
            if (value == null || value instanceof ValueNull) {
                continue;
            }
            ColumnType type = layout.rows().type(i);
            Members of = members.get(i);
            if (of != null) {
                row.setValue(i, member(i, type, of, value.getString()));
            } else if (type.mysql() == MySqlType.YEAR) {
                row.setValue(i, year(i, value.getInt()));
            } else if (type.minimum() != null || type.maximum() != null) {
                checkRange(i, type, value.getBigDecimal());
            } else if (type.text() && type.mysql() == MySqlType.BLOB) {
                checkBytes(i, type, value.getString());
            } else if (type.text()
                    && type.mysql() == MySqlType.STRING
                    && value.getString().endsWith(" ")) {
                row.setValue(i, stripped(type, value.getString().stripTrailing()));
            }
        }
    }

    /// TEXT types are limited in bytes.
    private void checkBytes(int i, ColumnType type, String text) {
        long most = type.length() / 4;
        if (text.length() > most / 3 && text.getBytes(StandardCharsets.UTF_8).length > most) {
            throw tooLong(i);
        }
    }

    private Value member(int i, ColumnType type, Members members, String text) {
        String canonical = members.canonical(text);
        if (canonical == null) {
            throw new QuireException(
                    ErrorCode.DATA_TRUNCATED,
                    "Data truncated for column '" + column(i).name() + "' at row 1");
        }
        return stripped(type, canonical);
    }

    private Value year(int i, int number) {
        int year =
                number > 0 && number < 70
                        ? 2000 + number
                        : number < 100 && number > 0 ? 1900 + number : number;
        if (year != 0 && (year < 1901 || year > 2155)) {
            throw outOfRange(i);
        }
        return ValueInteger.get(year);
    }

    private static Value stripped(ColumnType type, String text) {
        return type.storage() == ColumnType.Storage.FOLDED_STRING
                ? ValueVarcharIgnoreCase.get(text)
                : ValueVarchar.get(text);
    }

    private void checkRange(int i, ColumnType type, BigDecimal number) {
        BigDecimal minimum = type.minimum();
        BigDecimal maximum = type.maximum();
        if ((minimum != null && number.compareTo(minimum) < 0)
                || (maximum != null && number.compareTo(maximum) > 0)) {
            throw type.mysql() == MySqlType.BIT ? tooLong(i) : outOfRange(i);
        }
    }

    private QuireException outOfRange(int i) {
        return new QuireException(
                ErrorCode.OUT_OF_RANGE,
                "Out of range value for column '" + column(i).name() + "' at row 1");
    }

    private QuireException tooLong(int i) {
        return new QuireException(
                ErrorCode.DATA_TOO_LONG,
                "Data too long for column '" + column(i).name() + "' at row 1");
    }

    private void number(Statement statement, Row row) {
        Value given = row.getValue(autoIncrement);
        if (given == null
                || given instanceof ValueNull
                || (given.getLong() == 0 && !statement.modes.zeroIsAValue())) {
            long value = statement.generate(layout.counters());
            statement.access.autoIncrementUsed(layout.tableId(), value + 1);
            row.setValue(autoIncrement, ValueBigint.get(value));
        } else if (given.getLong() > 0) {
            statement.explicit(given.getLong());
            layout.counters().raiseAutoIncrement(given.getLong() + 1);
            statement.access.autoIncrementUsed(layout.tableId(), given.getLong() + 1);
        }
    }

    private boolean required(int i) {
        ColumnDefinition column = column(i);
        return !column.nullable()
                && column.defaultExpression() == null
                && column.generation() == null;
    }

    private ColumnDefinition column(int i) {
        return layout.definition().columns().get(i);
    }
}
