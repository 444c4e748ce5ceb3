package org.quiredb.replica.layout;

import java.util.Locale;
import org.quiredb.common.schema.TableDefinition;

/// A table's name as it is looked up: without case.
public record FoldedTableName(String schema, String table) {
    public static FoldedTableName of(TableDefinition definition) {
        return of(definition.schema(), definition.name());
    }

    public static FoldedTableName of(String schema, String table) {
        return new FoldedTableName(schema.toLowerCase(Locale.ROOT), table.toLowerCase(Locale.ROOT));
    }
}
