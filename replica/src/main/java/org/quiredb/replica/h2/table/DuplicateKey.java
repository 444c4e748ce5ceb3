package org.quiredb.replica.h2.table;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.h2.result.Row;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.mysql.ValueText;
import org.quiredb.replica.h2.value.KeyCodec;
import org.quiredb.replica.h2.value.Values;
import org.quiredb.replica.layout.ColumnType;
import org.quiredb.replica.layout.TableLayout;

/// MariaDB's words for a key that another row has already.
///
/// Pure.
final class DuplicateKey {
    private static final int MOST_BYTES = 64;
    private static final String LEFT_OUT = "...";

    private DuplicateKey() {}

    static String words(TableLayout layout, int index, KeyCodec keys, Row row) {
        StringBuilder entry = new StringBuilder();
        for (int i = 0; i < keys.columnIds().length; i++) {
            entry.append(entry.isEmpty() ? "" : "-")
                    .append(part(layout, keys.columnIds()[i], keys.part(row, i)));
        }
        return "Duplicate entry '%s' for key '%s'"
                .formatted(cut(entry.toString()), layout.definition().indexes().get(index).name());
    }

    private static String part(TableLayout layout, int column, Value value) {
        if (value instanceof ValueNull) {
            return "NULL";
        }
        byte[] text =
                Objects.requireNonNull(
                        ValueText.of(Values.fromH2(value), layout.metadata(column, "")));
        ColumnType type = layout.rows().type(column);
        boolean ofBytes = type.storage() == ColumnType.Storage.BYTES;
        if (!ofBytes && type.mysql() != MySqlType.BIT) {
            return printable(new String(text, StandardCharsets.UTF_8));
        }
        return printable(text, ofBytes && type.mysql() == MySqlType.STRING);
    }

    /// As utf8mb3, which the server makes its messages of.
    private static String printable(String text) {
        StringBuilder printable = new StringBuilder(text.length());
        text.codePoints()
                .forEach(c -> {
                    if (c > Character.MAX_VALUE) {
                        printable.append('?');
                    } else if (Character.isISOControl(c) && c != '\t' && c != '\n' && c != '\r') {
                        printable.append("\\%04X".formatted(c));
                    } else {
                        printable.appendCodePoint(c);
                    }
                });
        return printable.toString();
    }

    /// @param padded with zeroes to its column's width
    private static String printable(byte[] bytes, boolean padded) {
        int length = bytes.length;
        while (padded && length > 1 && bytes[length - 1] == 0) {
            length--;
        }
        StringBuilder printable = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            int b = bytes[i] & 0xFF;
            printable.append(
                    b >= ' ' && b <= '~' ? String.valueOf((char) b) : "\\x%02X".formatted(b));
        }
        return printable.toString();
    }

    private static String cut(String entry) {
        if (entry.getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES) {
            return entry;
        }
        int left = MOST_BYTES - LEFT_OUT.length();
        int end = 0;
        while (true) {
            int c = entry.charAt(end);
            left -= c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
            if (left < 0) {
                return entry.substring(0, end) + LEFT_OUT;
            }
            end++;
        }
    }
}
