package org.quiredb.replica.layout;

import java.util.Locale;
import org.quiredb.common.schema.TableDefinition;

/// A table's name as it is looked up: without case.
public record TableName(String schema, String table) {
    public static TableName of(TableDefinition definition) {
        return of(definition.schema(), definition.name());
    }

    public static TableName of(String schema, String table) {
        return new TableName(schema.toLowerCase(Locale.ROOT), table.toLowerCase(Locale.ROOT));
    }
}
