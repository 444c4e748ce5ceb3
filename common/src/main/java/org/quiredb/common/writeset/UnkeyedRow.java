package org.quiredb.common.writeset;

import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.quiredb.common.sql.SqlValue;

/// Rows to be deleted from a table without a primary key that nothing tells apart.
///
/// Each kind that is looked for by itself is a scan, unless it finds an index. Many may be looked
/// for in one, in a list that the server sorts. In a list a text is compared by its bytes alone:
/// MariaDB does not convert what it compares there, so that the text itself would not be found in a
/// column of another character set, or another one would.
///
/// @param count how many of them go
public record UnkeyedRow(RowChange row, int count) {
    /// To MySQL no text equals a value of its type JSON. What may be one is compared by its bytes
    /// only.
    private static final Pattern JSON =
            Pattern.compile("'(\\\\?[\\[{\"\\-0-9]|(true|false|null)')");

    /// A longer text is not said twice.
    private static final int INDEXABLE_CHARACTERS = 1000;

    private static final String BYTES = "CAST(CONVERT(%s USING utf8mb4) AS BINARY)";

    private String table() {
        return quote(row.shape().schema()) + "." + quote(row.shape().table());
    }

    private static String quote(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    private int columns() {
        return row.shape().key().size();
    }

    private String column(int i) {
        return quote(row.shape().key().get(i));
    }

    private String literal(int i) {
        return row.key().get(i).literal();
    }

    private boolean isNull(int i) {
        return row.key().get(i) instanceof SqlValue.Null;
    }

    private boolean isText(int i) {
        return row.shape().columns().contains(row.shape().key().get(i));
    }

    /// A server compares a geometry with nothing that is written, but for its digits.
    private boolean isGeometry(int i) {
        return isText(i) && row.key().get(i) instanceof SqlValue.BytesValue;
    }

    private String bytesOf(int i) {
        return (isGeometry(i) ? "HEX(%s)" : BYTES).formatted(column(i));
    }

    private String bytes(int i) {
        return (isGeometry(i) ? "HEX(%s)" : "CAST(%s AS BINARY)").formatted(literal(i));
    }

    private static boolean indexable(String literal) {
        return literal.length() < INDEXABLE_CHARACTERS && !JSON.matcher(literal).lookingAt();
    }

    /// The statement that deletes so many and no more, where the table holds more of the kind.
    public String delete() {
        StringJoiner conditions = new StringJoiner(" AND ");
        for (int i = 0; i < columns(); i++) {
            if (isNull(i) || !isText(i) || (!isGeometry(i) && indexable(literal(i)))) {
                conditions.add(column(i) + " <=> " + literal(i));
            }
            if (!isNull(i) && isText(i)) {
                conditions.add(bytesOf(i) + " <=> " + bytes(i));
            }
        }
        return "DELETE FROM %s WHERE %s LIMIT %d".formatted(table(), conditions, count);
    }

    /// The beginning of a statement of many, which those share that are NULL in the same columns.
    public String beginOfList() {
        StringBuilder nulls = new StringBuilder();
        StringJoiner compared = new StringJoiner(", ", "(", ")");
        for (int i = 0; i < columns(); i++) {
            if (isNull(i)) {
                nulls.append(column(i)).append(" IS NULL AND ");
            } else {
                compared.add(isText(i) ? bytesOf(i) : column(i));
            }
        }
        return "DELETE FROM " + table() + " WHERE " + nulls + compared + " IN (";
    }

    public String inList() {
        StringJoiner values = new StringJoiner(", ", "(", ")");
        for (int i = 0; i < columns(); i++) {
            if (!isNull(i)) {
                values.add(isText(i) ? bytes(i) : literal(i));
            }
        }
        return values.toString();
    }
}
