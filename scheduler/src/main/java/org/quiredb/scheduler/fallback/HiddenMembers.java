package org.quiredb.scheduler.fallback;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.ShownValues;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.fallback.Evaluated.Row;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// What an ENUM or SET with the member '' may hold and its text does not show: none of the members,
/// or that one among others. A row is changed by its texts, which would make another value of it.
final class HiddenMembers {
    /// No member has a comma and one of these.
    private static final String MARK = "\u0001,\u0001";

    private HiddenMembers() {}

    /// What to select of a column: the mark in the place of such a value.
    ///
    /// @param name as SQL
    static String selected(String name, ColumnDefinition column) {
        String type = column.type().toLowerCase(Locale.ROOT);
        boolean set = type.startsWith("set(");
        int empty = set || type.startsWith("enum(") ? emptyMember(column) : -1;
        if (empty < 0) {
            return ShownValues.selected(name, column);
        }
        String hidden =
                set ? "%s & %s".formatted(name, Long.toUnsignedString(1L << empty)) : name + " = 0";
        return "IF(%s, '%s', %s)".formatted(hidden, MARK, name);
    }

    /// @return from 0, negative for none
    private static int emptyMember(ColumnDefinition column) {
        int at = 0;
        for (Token token : Tokens.of(column.type()).list()) {
            if (token instanceof Token.Constant constant) {
                if (constant.value().equals(SqlValue.of(""))) {
                    return at;
                }
                at++;
            }
        }
        return -1;
    }

    /// @throws NotLaidException where a row is to hold such a value that it did not hold before
    static void requireNone(List<Row> rows) throws NotLaidException {
        SqlValue mark = SqlValue.of(MARK);
        for (Row row : rows) {
            List<SqlValue> after = row.after() == null ? List.of() : row.after();
            for (int i = 0; i < after.size(); i++) {
                if (after.get(i).equals(mark) && !mark.equals(before(row, i))) {
                    throw new NotLaidException(
                            false,
                            "it stores what the texts of %s.%s, which has the member '', do not show"
                                    .formatted(row.table().name(), row.columns().get(i).name()));
                }
            }
        }
    }

    private static @Nullable SqlValue before(Row row, int column) {
        return row.before() == null ? null : row.before().get(column);
    }
}
