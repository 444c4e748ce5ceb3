package org.quiredb.common.schema;

import java.util.Locale;
import java.util.Set;
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
/// @param required whether a new row has to name it: also a nullable one whose default was dropped
/// @param invisible no part of `*`, nor of an INSERT that names no columns
public record ColumnDefinition(
        String name,
        String type,
        boolean nullable,
        boolean autoIncrement,
        @Nullable String characterSet,
        @Nullable String collation,
        @Nullable String defaultExpression,
        boolean onUpdateNow,
        @Nullable String generation,
        boolean required,
        boolean invisible) {
    private static final Set<String> GEOMETRIES =
            Set.of(
                    "geometry",
                    "point",
                    "linestring",
                    "polygon",
                    "multipoint",
                    "multilinestring",
                    "multipolygon",
                    "geometrycollection");

    /// A visible one whose default was not dropped.
    public ColumnDefinition(
            String name,
            String type,
            boolean nullable,
            boolean autoIncrement,
            @Nullable String characterSet,
            @Nullable String collation,
            @Nullable String defaultExpression,
            boolean onUpdateNow,
            @Nullable String generation) {
        this(
                name,
                type,
                nullable,
                autoIncrement,
                characterSet,
                collation,
                defaultExpression,
                onUpdateNow,
                generation,
                !nullable && defaultExpression == null && generation == null && !enumeration(type),
                false);
    }

    /// This one after `ALTER COLUMN ... DROP DEFAULT`.
    public ColumnDefinition withoutDefault() {
        return new ColumnDefinition(
                name,
                type,
                nullable,
                autoIncrement,
                characterSet,
                collation,
                null,
                onUpdateNow,
                generation,
                !enumeration(),
                invisible);
    }

    /// This one as `INVISIBLE` makes it.
    public ColumnDefinition hidden() {
        return new ColumnDefinition(
                name,
                type,
                nullable,
                autoIncrement,
                characterSet,
                collation,
                defaultExpression,
                onUpdateNow,
                generation,
                required,
                true);
    }

    public boolean visible() {
        return !invisible;
    }

    /// One without a default takes its first member, or NULL, where a row does not name it.
    public boolean enumeration() {
        return enumeration(type);
    }

    /// Kept as MariaDB keeps it: four bytes of SRID, then WKB.
    public boolean geometry() {
        return GEOMETRIES.contains(type.toLowerCase(Locale.ROOT).split("[( ]", 2)[0]);
    }

    private static boolean enumeration(String type) {
        return type.toLowerCase(Locale.ROOT).startsWith("enum(");
    }

    void encode(ByteWriter writer) {
        writer.string(name).string(type).bool(nullable).bool(autoIncrement);
        writer.optionalString(characterSet).optionalString(collation);
        writer.optionalString(defaultExpression).bool(onUpdateNow).optionalString(generation);
        writer.bool(required).bool(invisible);
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
                reader.optionalString(),
                reader.bool(),
                reader.bool());
    }
}
