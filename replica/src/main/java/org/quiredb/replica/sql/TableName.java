package org.quiredb.replica.sql;

import java.util.Locale;
import org.quiredb.common.schema.TableDefinition;

/// A table's name as it is looked up: without case.
record TableName(String schema, String table) {
    static TableName of(TableDefinition definition) {
        return of(definition.schema(), definition.name());
    }

    static TableName of(String schema, String table) {
        return new TableName(schema.toLowerCase(Locale.ROOT), table.toLowerCase(Locale.ROOT));
    }
}
