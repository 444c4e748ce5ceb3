package org.quiredb.replica.h2.table;

import java.util.ArrayList;
import java.util.List;
import org.h2.result.Row;
import org.h2.value.Value;
import org.h2.value.ValueBigint;
import org.h2.value.ValueNull;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.h2.conversion.Assignment;
import org.quiredb.replica.h2.conversion.JsonColumns;
import org.quiredb.replica.h2.statement.Statement;
import org.quiredb.replica.h2.value.DatesAndTimes;
import org.quiredb.replica.layout.ColumnType.Storage;
import org.quiredb.replica.layout.TableLayout;

/// What MySQL's strict mode demands of a row before it is stored, and AUTO_INCREMENT.
final class NewRow {
    private final TableLayout layout;
    private final int autoIncrement;
    private final boolean countsByPrefix;
    private final List<Assignment> assignments = new ArrayList<>();
    private final JsonColumns json;

    NewRow(TableLayout layout) {
        this.layout = layout;
        this.autoIncrement = layout.autoIncrement();
        this.countsByPrefix = layout.definition().countsByPrefix();
        this.json = new JsonColumns(layout.definition());
        List<ColumnDefinition> columns = layout.definition().columns();
        String table =
                "`%s`.`%s`".formatted(layout.definition().schema(), layout.definition().name());
        for (int i = 0; i < columns.size(); i++) {
            assignments.add(
                    new Assignment(table, columns.get(i), layout.rows().type(i), layout.names(i)));
        }
    }

    /// Before H2 fills in defaults: the errors of missing values, which a server finds before those
    /// of NULLs that are given, and the AUTO_INCREMENT value. A server takes as many as there are
    /// rows once the first of them is whole.
    void fill(Statement statement, Row row) {
        boolean first = statement.row() == 1;
        if (autoIncrement >= 0 && !first) {
            number(statement, row);
        }
        for (int i = 0; i < layout.rows().columns(); i++) {
            if (i != autoIncrement && row.getValue(i) == null) {
                if (column(i).required()) {
                    throw unlessIgnored(statement, withoutDefault(i));
                }
                if (firstMember(i)) {
                    row.setValue(i, assignments.get(i).take(ValueBigint.get(1), false));
                }
            }
        }
        refuseNulls(statement, row, autoIncrement);
        if (autoIncrement >= 0 && first) {
            number(statement, row);
        }
    }

    /// SET column = DEFAULT, which an ENUM without one does not take either.
    void refuseDefaults(Row row) {
        for (int i = 0; i < layout.rows().columns(); i++) {
            if (row.getValue(i) == null && (column(i).required() || firstMember(i))) {
                throw withoutDefault(i);
            }
        }
    }

    private boolean firstMember(int i) {
        ColumnDefinition column = column(i);
        return column.enumeration()
                && !column.nullable()
                && column.defaultExpression() == null
                && column.generation() == null;
    }

    private QuireException withoutDefault(int i) {
        return new QuireException(
                ErrorCode.FIELD_HAS_NO_DEFAULT,
                "Field '" + column(i).name() + "' doesn't have a default value");
    }

    void refuseNulls(Statement statement, Row row) {
        refuseNulls(statement, row, -1);
    }

    private void refuseNulls(Statement statement, Row row, int except) {
        for (int i = 0; i < layout.rows().columns(); i++) {
            boolean none = row.getValue(i) instanceof ValueNull;
            if (none && i != except && !column(i).nullable()) {
                throw unlessIgnored(
                        statement,
                        new QuireException(
                                ErrorCode.COLUMN_CANNOT_BE_NULL,
                                "Column '" + column(i).name() + "' cannot be null"));
            }
        }
    }

    /// Before H2 converts the values, which leaves it nothing to convert.
    void convert(Statement statement, Row row) {
        for (int i = 0; i < layout.rows().columns(); i++) {
            Value value = row.getValue(i);
            if (value != null && !(value instanceof ValueNull)) {
                json.refuseUnwritten(i, value);
                boolean checked = !statement.modes().checksUnchecked();
                row.setValue(i, json.written(i, converted(statement, i, value), checked));
            }
        }
    }

    /// What becomes of a date of zeroes in modes without any is for the backend to say.
    void refuseZeroes(Statement statement, Row row) {
        if (!statement.modes().noZeroDates() || statement.modes().checked()) {
            return;
        }
        for (int i = 0; i < layout.rows().columns(); i++) {
            Storage storage = layout.rows().type(i).storage();
            boolean date = storage == Storage.DATE || storage == Storage.TIMESTAMP;
            Value value = row.getValue(i);
            if (date && !(value instanceof ValueNull) && DatesAndTimes.hasZero(value)) {
                throw Errors.unsupported("a date of zeroes in this sql_mode");
            }
        }
    }

    private Value converted(Statement statement, int i, Value value) {
        try {
            Value taken = assignments.get(i).take(value, statement.modes().checked());
            if (assignments.get(i).cuts(value)) {
                statement.note(
                        ErrorCode.DATA_TRUNCATED.number(),
                        "Data truncated for column '%s' at row %d"
                                .formatted(column(i).name(), statement.row()));
            }
            return taken;
        } catch (QuireException e) {
            throw unlessIgnored(
                    statement,
                    e.code() == ErrorCode.NOT_SUPPORTED_YET
                            ? e
                            : new QuireException(
                                    e.code(), e.getMessage() + " at row " + statement.row(), e));
        }
    }

    /// IGNORE has another value stored instead, with a warning.
    private static QuireException unlessIgnored(Statement statement, QuireException error) {
        return statement.passesOver()
                ? Errors.unsupported("IGNORE of: " + error.getMessage())
                : error;
    }

    private void number(Statement statement, Row row) {
        Value given = row.getValue(autoIncrement);
        statement.autoIncrement().begins();
        if (given == null
                || given instanceof ValueNull
                || (given.getLong() == 0 && !statement.modes().zeroIsAValue())) {
            if (countsByPrefix) {
                throw Errors.unsupported("AUTO_INCREMENT behind other columns of a key");
            }
            long value = statement.autoIncrement().generate(layout.counters());
            statement.access().autoIncrementUsed(layout.tableId(), value + 1);
            row.setValue(
                    autoIncrement,
                    assignments.get(autoIncrement).take(ValueBigint.get(value), false));
        } else if (given.getLong() > 0) {
            statement.autoIncrement().explicit(given.getLong());
        }
    }

    /// The row stays: a value that was given for it is not generated any more.
    void stored(Statement statement, Row row) {
        if (autoIncrement >= 0 && row.getValue(autoIncrement).getLong() > 0) {
            long next = row.getValue(autoIncrement).getLong() + 1;
            layout.counters().raiseAutoIncrement(next);
            statement.access().autoIncrementUsed(layout.tableId(), next);
        }
    }

    private ColumnDefinition column(int i) {
        return layout.definition().columns().get(i);
    }
}
