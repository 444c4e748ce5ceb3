package org.quiredb.common.schema;

import org.jspecify.annotations.Nullable;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// A column as the backend's information_schema describes it.
///
/// @param type MySQL's full type in lower case: `varchar(20)`, `decimal(17,2)`, `int(10) unsigned`,
///   `datetime(6)`, `enum('a','b')`
/// @param characterSet null for a column without one
/// @param collation null likewise; a name ending in `_ci` compares without case
/// @param defaultExpression as SQL (`'x'`, `0`, `current_timestamp()`), null for none
/// @param onUpdateNow ON UPDATE CURRENT_TIMESTAMP
/// @param generation the expression of a generated column, null for an ordinary one
public record ColumnDefinition(
        String name,
        String type,
        boolean nullable,
        boolean autoIncrement,
        @Nullable String characterSet,
        @Nullable String collation,
        @Nullable String defaultExpression,
        boolean onUpdateNow,
        @Nullable String generation) {
    void encode(ByteWriter writer) {
        writer.string(name).string(type).bool(nullable).bool(autoIncrement);
        writer.optionalString(characterSet).optionalString(collation);
        writer.optionalString(defaultExpression).bool(onUpdateNow).optionalString(generation);
    }

    static ColumnDefinition decode(ByteReader reader) {
        return new ColumnDefinition(
                reader.string(),
                reader.string(),
                reader.bool(),
                reader.bool(),
                reader.optionalString(),
                reader.optionalString(),
                reader.optionalString(),
                reader.bool(),
                reader.optionalString());
    }
}
