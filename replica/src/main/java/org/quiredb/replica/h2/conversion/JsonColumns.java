package org.quiredb.replica.h2.conversion;

import java.util.HashMap;
import java.util.Map;
import org.h2.util.json.JSONStringSource;
import org.h2.util.json.JSONValidationTargetWithoutUniqueKeys;
import org.h2.value.DataType;
import org.h2.value.Value;
import org.h2.value.ValueVarchar;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.schema.CheckDefinition;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.JsonCheck;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.replica.engine.Errors;

/// The columns of a table that take JSON only: MySQL's type, or MariaDB's, which is a text with a
/// CHECK that H2 does not run.
///
/// Threads: any.
public final class JsonColumns {
    private final TableDefinition table;
    private final Map<Integer, CheckDefinition> checks = new HashMap<>();
    private final Map<Integer, String> columnsOfMySql = new HashMap<>();

    public JsonColumns(TableDefinition definition) {
        table = definition;
        for (int i = 0; i < definition.columns().size(); i++) {
            ColumnDefinition column = definition.columns().get(i);
            if (column.type().equalsIgnoreCase("json")) {
                columnsOfMySql.put(i, column.name());
                continue;
            }
            for (CheckDefinition check : definition.checks()) {
                if (JsonCheck.of(column, check)) {
                    checks.putIfAbsent(i, check);
                }
            }
        }
    }

    /// MySQL makes JSON of texts only.
    public void refuseUnwritten(int column, Value value) {
        String name = columnsOfMySql.get(column);
        if (name != null && !DataType.isStringType(value.getValueType())) {
            throw invalid(name, "not a JSON text, may need CAST", 0);
        }
    }

    /// The value as the column keeps it.
    ///
    /// @param checked whether MariaDB's CHECK holds
    /// @throws QuireException for a text that is no JSON
    public Value written(int column, Value value, boolean checked) {
        String ofMySql = columnsOfMySql.get(column);
        if (ofMySql != null) {
            return ofMySql(ofMySql, value.getString());
        }
        CheckDefinition check = checks.get(column);
        if (checked && check != null && !isJson(value.getString())) {
            throw Errors.failed(table, check);
        }
        return value;
    }

    private Value ofMySql(String name, String text) {
        try {
            return ValueVarchar.get(JsonText.of(text));
        } catch (JsonText.Invalid e) {
            if (e.tooDeep()) {
                throw new QuireException(
                        ErrorCode.JSON_TOO_DEEP, "The JSON document exceeds the maximum depth.", e);
            }
            throw invalid(name, "Invalid value.", e.position());
        }
    }

    private QuireException invalid(String column, String why, int position) {
        return new QuireException(
                ErrorCode.INVALID_JSON_TEXT,
                "Invalid JSON text: \"%s\" at position %d in value for column '%s.%s'."
                        .formatted(why, position, table.name(), column));
    }

    @SuppressWarnings("UnusedException") // the answer is all that is asked for
    private static boolean isJson(String text) {
        try {
            JSONStringSource.parse(text, new JSONValidationTargetWithoutUniqueKeys());
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }
}
