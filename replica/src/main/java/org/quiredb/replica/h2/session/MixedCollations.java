package org.quiredb.replica.h2.session;

import java.util.List;
import java.util.stream.IntStream;
import org.h2.command.Prepared;
import org.h2.command.dml.Delete;
import org.h2.command.dml.Update;
import org.h2.command.query.Query;
import org.h2.command.query.Select;
import org.h2.command.query.SelectUnion;
import org.h2.expression.Expression;
import org.h2.expression.ExpressionColumn;
import org.h2.expression.condition.ConditionAndOr;
import org.h2.expression.condition.ConditionAndOrN;
import org.h2.expression.condition.ConditionNot;
import org.h2.table.TableFilter;
import org.h2.value.Value;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.binding.H2Changes;

/// Refuses what compares a column that tells cases apart with one that does not: MySQL then tells
/// them apart, H2 does not.
final class MixedCollations {
    private MixedCollations() {}

    static void refuse(Prepared prepared) {
        switch (prepared) {
            case Update update -> refuse(update.getCondition());
            case Delete delete -> refuse(delete.getCondition());
            case Query query -> refuse(query);
            default -> {} // the rows' values alone
        }
    }

    private static void refuse(Query query) {
        if (query instanceof SelectUnion union) {
            refuse(union.getLeft());
            refuse(union.getRight());
        } else if (query instanceof Select select) {
            select.getExpressions().forEach(MixedCollations::refuse);
            refuse(select.getCondition());
            refuse(select.getHaving());
            for (TableFilter filter = select.getTopTableFilter();
                    filter != null;
                    filter = filter.getJoin()) {
                refuse(filter.getJoinCondition());
                refuse(filter.getFilterCondition());
            }
        }
    }

    private static void refuse(@Nullable Expression expression) {
        switch (expression) {
            case null -> {}
            case ConditionAndOr both -> parts(both).forEach(MixedCollations::refuse);
            case ConditionAndOrN all -> parts(all).forEach(MixedCollations::refuse);
            case ConditionNot not -> parts(not).forEach(MixedCollations::refuse);
            default -> {
                if (has(expression, Value.VARCHAR) && has(expression, Value.VARCHAR_IGNORECASE)) {
                    throw H2Changes.mixedCollations();
                }
            }
        }
    }

    private static List<Expression> parts(Expression whole) {
        return IntStream.range(0, whole.getSubexpressionCount())
                .mapToObj(whole::getSubexpression)
                .toList();
    }

    /// Whether a column of this type is in it.
    private static boolean has(Expression expression, int type) {
        return expression instanceof ExpressionColumn column
                ? column.getType().getValueType() == type
                : parts(expression).stream().anyMatch(part -> has(part, type));
    }
}
