package org.quiredb.scheduler.session;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.quiredb.common.mysql.PacketWriter;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.JsonCheck;
import org.quiredb.common.schema.TableDefinition;

/// What MariaDB's extended metadata say of a table's column: pairs of a kind and a text. Of the
/// types that they name the tier holds UUID and those of geometries.
final class ExtendedType {
    private static final byte[] NOTHING = {};
    private static final int TYPE = 0;
    private static final int FORMAT = 1;

    private ExtendedType() {}

    /// Empty where there is nothing to say.
    static byte[] of(TableDefinition table, String column) {
        return table.columns().stream()
                .filter(c -> c.name().equalsIgnoreCase(column))
                .findFirst()
                .map(c -> of(table, c))
                .orElse(NOTHING);
    }

    private static byte[] of(TableDefinition table, ColumnDefinition column) {
        String type = column.type().toLowerCase(Locale.ROOT);
        if (type.equals("uuid") || (column.geometry() && !type.equals("geometry"))) {
            return entry(TYPE, type);
        }
        boolean json =
                column.collation() != null
                        && table.checks().stream()
                                .anyMatch(c ->
                                        c.ofColumn()
                                                && c.name().equalsIgnoreCase(column.name())
                                                && JsonCheck.of(column, c));
        return json ? entry(FORMAT, "json") : NOTHING;
    }

    private static byte[] entry(int kind, String text) {
        return new PacketWriter(16)
                .int1(kind)
                .lenencBytes(text.getBytes(StandardCharsets.UTF_8))
                .toByteArray();
    }
}
