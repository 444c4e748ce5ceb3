package org.quiredb.common.writeset;

import java.util.List;
import org.quiredb.common.sql.SqlValue;

/// One row's change.
///
/// @param values those of the shape's key, then those of its columns; of an INSERT the columns'
///   only, of a DELETE the key's
public record RowChange(RowShape shape, List<SqlValue> values) {
    public RowChange {
        if (values.size() != shape.values()) {
            throw new IllegalArgumentException(
                    shape + " has " + shape.values() + " values, not " + values.size());
        }
    }

    /// What names the row: of an INSERT, by its own values.
    public List<SqlValue> key() {
        return switch (shape.kind()) {
            case INSERT ->
                    shape.key().stream()
                            .map(name -> values.get(shape.columns().indexOf(name)))
                            .toList();
            case UPDATE, DELETE, DELETE_LIKE -> values.subList(0, shape.key().size());
            case RAISE -> List.of();
        };
    }

    /// What its columns get.
    public List<SqlValue> assigned() {
        return switch (shape.kind()) {
            case INSERT, RAISE -> values;
            case UPDATE -> values.subList(shape.key().size(), values.size());
            case DELETE, DELETE_LIKE -> List.of();
        };
    }
}
