package org.quiredb.replica.sql;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.ColumnDefinition;

/// What is known of an expression's value.
///
/// @param column of an expression that is a column of a table, else null
/// @param characters which texts beside it have to hold to, null for any
record Typed(Kind kind, @Nullable ColumnType column, BoundForm.@Nullable Form characters) {
    static final Typed UNKNOWN = of(Kind.UNKNOWN);

    static Typed of(Kind kind) {
        return new Typed(kind, null, null);
    }

    static Typed of(ColumnDefinition definition, ColumnType column) {
        String set = definition.characterSet() == null ? "" : definition.characterSet();
        return new Typed(
                Kind.of(column),
                column,
                switch (set.toLowerCase(Locale.ROOT)) {
                    case "latin1" -> BoundForm.Form.LATIN1;
                    case "ascii" -> BoundForm.Form.ASCII;
                    default -> null;
                });
    }
}
