package org.quiredb.replica.h2.statement;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.h2.command.query.Select;
import org.h2.engine.SessionLocal;
import org.h2.expression.Expression;
import org.h2.expression.ExpressionColumn;
import org.h2.expression.Parameter;
import org.h2.expression.condition.CompareLike;
import org.h2.expression.condition.ConditionAndOr;
import org.h2.expression.condition.ConditionAndOrN;
import org.h2.table.TableFilter;
import org.h2.util.HasSQL;
import org.h2.value.Value;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.layout.RowLayout;
import org.quiredb.replica.tree.RowRef;

/// Passes over rows that `column LIKE '%text%'` will refuse, on their bytes, before anything of
/// them is decoded.
///
/// It may let rows through that do not match (H2 checks every row again) but never holds one back
/// that does: letters are compared without case, and a row with a character outside ASCII passes.
/// Threads: the statement's own.
public final class LikeFilter {
    private static final int SQL = HasSQL.DEFAULT_SQL_FLAGS;

    /// A condition of a plan: the column's bytes contain what the pattern says.
    record Search(int column, Expression pattern) {}

    private final RowLayout layout;
    private final int column;
    private final byte[] text;

    private LikeFilter(RowLayout layout, int column, byte[] text) {
        this.layout = layout;
        this.column = column;
        this.text = text;
    }

    /// The searches that every row of the filter has to pass.
    ///
    /// @param rows of the filter's table
    public static List<Search> searches(TableFilter filter, RowLayout rows) {
        List<Search> found = new ArrayList<>(1);
        Select select = filter.getSelect();
        Expression condition = select == null ? null : select.getCondition();
        if (condition != null) {
            collect(condition, filter, rows, found);
        }
        return found;
    }

    /// For the pattern's value in this execution; null when it is of another form.
    static @Nullable LikeFilter of(Search search, RowLayout layout, SessionLocal session) {
        Value value = search.pattern.getValue(session);
        String pattern = value.getString();
        if (pattern == null
                || pattern.length() < 3
                || !pattern.startsWith("%")
                || !pattern.endsWith("%")) {
            return null;
        }
        String text = pattern.substring(1, pattern.length() - 1);
        boolean plain = text.chars().allMatch(c -> c < 0x80 && c != '%' && c != '_' && c != '\\');
        return plain
                ? new LikeFilter(
                        layout,
                        search.column,
                        text.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII))
                : null;
    }

    public boolean passes(RowRef row) {
        byte[] page = row.page();
        int from = layout.variableFrom(page, row.offset(), column);
        int to = layout.variableTo(page, row.offset(), column);
        int last = to - text.length;
        int first = text[0];
        for (int i = from; i < to; i++) {
            int c = page[i];
            if (c < 0) {
                return true;
            }
            if (lower(c) == first && i <= last && matches(page, i)) {
                return true;
            }
        }
        return false;
    }

    private boolean matches(byte[] page, int at) {
        for (int i = 1; i < text.length; i++) {
            if (lower(page[at + i]) != text[i]) {
                return false;
            }
        }
        return true;
    }

    private static int lower(int c) {
        return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
    }

    @SuppressWarnings("ReferenceEquality") // one reading of a table, not one that is like it
    private static void collect(
            Expression condition, TableFilter filter, RowLayout rows, List<Search> found) {
        if (condition instanceof CompareLike like) {
            if (like.getSubexpressionCount() == 2
                    && like.getWhenSQL(new StringBuilder(), SQL).toString().startsWith(" LIKE ")
                    && like.getSubexpression(0) instanceof ExpressionColumn column
                    && column.getTableFilter() == filter
                    && rows.text(column.getColumn().getColumnId())
                    && fixed(like.getSubexpression(1))) {
                found.add(new Search(column.getColumn().getColumnId(), like.getSubexpression(1)));
            }
        } else if (conjunction(condition)) {
            for (int i = 0; i < condition.getSubexpressionCount(); i++) {
                collect(condition.getSubexpression(i), filter, rows, found);
            }
        }
    }

    private static boolean fixed(Expression pattern) {
        return pattern instanceof Parameter || pattern.isConstant();
    }

    /// H2 tells AND from OR only in its text.
    private static boolean conjunction(Expression condition) {
        if (!(condition instanceof ConditionAndOr) && !(condition instanceof ConditionAndOrN)) {
            return false;
        }
        String first =
                condition
                        .getSubexpression(0)
                        .getSQL(new StringBuilder(), SQL, Expression.AUTO_PARENTHESES)
                        .toString();
        return condition
                .getUnenclosedSQL(new StringBuilder(), SQL)
                .toString()
                .startsWith("\n    AND ", first.length());
    }
}
