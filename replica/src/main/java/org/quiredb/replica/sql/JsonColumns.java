package org.quiredb.replica.sql;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.h2.util.json.JSONStringSource;
import org.h2.util.json.JSONValidationTargetWithoutUniqueKeys;
import org.h2.value.Value;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.TableDefinition;

/// The columns of a table that take JSON only: MySQL's type, or MariaDB's, which is a text with a
/// CHECK that H2 does not run.
///
/// Threads: any.
final class JsonColumns {
    private final TableDefinition table;
    private final Map<Integer, String> columns = new HashMap<>();

    JsonColumns(TableDefinition definition) {
        table = definition;
        for (int i = 0; i < definition.columns().size(); i++) {
            ColumnDefinition column = definition.columns().get(i);
            String check = "json_valid(`" + column.name().toLowerCase(Locale.ROOT) + "`)";
            boolean checked =
                    definition.checks().stream()
                            .anyMatch(c -> c.toLowerCase(Locale.ROOT).strip().equals(check));
            if (checked || column.type().equalsIgnoreCase("json")) {
                columns.put(i, column.name());
            }
        }
    }

    /// @throws QuireException for a text that is no JSON
    void check(int column, Value value) {
        String name = columns.get(column);
        if (name != null && !isJson(value.getString())) {
            throw new QuireException(
                    ErrorCode.CONSTRAINT_FAILED,
                    "CONSTRAINT `%s.%s` failed for `%s`.`%s`"
                            .formatted(table.name(), name, table.schema(), table.name()));
        }
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
