package org.quiredb.master.role;

import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.TableDefinition;

/// How many AUTO_INCREMENT values a new master leaves out.
///
/// Its predecessor has given values to transactions that were open. They keep them when they are
/// replayed here, unless somebody else has been given them before.
final class AutoIncrementGap {
    private static final long MAXIMUM = 1_000;

    /// Of what the column has left.
    private static final long SHARE = 1_000;

    private AutoIncrementGap() {}

    /// @param next the value that the table would give next; 1 where it has given none
    static long of(TableDefinition table, long next) {
        if (next <= 1) {
            return 0;
        }
        return table.columns().stream()
                .filter(ColumnDefinition::autoIncrement)
                .mapToLong(column -> (largest(column.type()) - next) / SHARE)
                .map(gap -> Math.clamp(gap, 0, MAXIMUM))
                .sum();
    }

    private static long largest(String type) {
        int bits =
                switch (type.split("[( ]", 2)[0]) {
                    case "tinyint" -> 8;
                    case "smallint" -> 16;
                    case "mediumint" -> 24;
                    case "int" -> 32;
                    case "bigint" -> 64;
                    default -> 1;
                };
        boolean signed = bits == 64 || !type.contains("unsigned");
        return (1L << (signed ? bits - 1 : bits)) - 1;
    }
}
