package org.quiredb.replica.h2.session;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.h2.command.query.Select;
import org.h2.engine.SessionLocal;
import org.h2.expression.Expression;
import org.h2.expression.ExpressionColumn;
import org.h2.expression.Parameter;
import org.h2.expression.ValueExpression;
import org.h2.expression.condition.BetweenPredicate;
import org.h2.expression.condition.CompareLike;
import org.h2.expression.condition.Comparison;
import org.h2.expression.condition.ConditionAndOr;
import org.h2.expression.condition.ConditionAndOrN;
import org.h2.expression.condition.ConditionInConstantSet;
import org.h2.expression.condition.ConditionInList;
import org.h2.expression.condition.ConditionNot;
import org.h2.expression.condition.NullPredicate;
import org.h2.expression.function.CastSpecification;
import org.h2.message.DbException;
import org.h2.table.TableFilter;
import org.h2.value.DataType;
import org.h2.value.TypeInfo;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.jspecify.annotations.Nullable;

/// The conditions of a query, of which each is computed for many rows.
///
/// H2 makes a number of a row's text to compare it with one, and fails where the text is none;
/// MySQL takes 0 and goes on. A query that may fail so is to have its whole result before a packet
/// of it goes out.
///
/// Threads: its session's.
final class RowConditions {
    private enum Kind {
        TEXT,
        NUMBER,
        TIME,
        BYTES,
        OTHER
    }

    /// What is compared with one another.
    private final List<List<Expression>> compared = new ArrayList<>();

    private RowConditions() {}

    /// Null where a condition is of a kind that may fail for other reasons.
    static @Nullable RowConditions of(Select select) {
        RowConditions conditions = new RowConditions();
        return conditions.add(select.getCondition())
                        && conditions.addJoins(select.getTopTableFilter())
                ? conditions
                : null;
    }

    private boolean addJoins(@Nullable TableFilter first) {
        for (TableFilter filter = first; filter != null; filter = filter.getJoin()) {
            if (!add(filter.getFilterCondition())
                    || !add(filter.getJoinCondition())
                    || !addJoins(filter.getNestedJoin())) {
                return false;
            }
        }
        return true;
    }

    private boolean add(@Nullable Expression condition) {
        return switch (condition) {
            case null -> true;
            case ConditionAndOr both -> parts(both).stream().allMatch(this::add);
            case ConditionAndOrN all -> parts(all).stream().allMatch(this::add);
            case ConditionNot not -> parts(not).stream().allMatch(this::add);
            case NullPredicate test -> parts(test).stream().allMatch(RowConditions::simple);
            case CompareLike like -> parts(like).stream().allMatch(RowConditions::simple);
            case Comparison comparison -> compares(comparison);
            case BetweenPredicate between -> compares(between);
            case ConditionInList list -> compares(list);
            case ConditionInConstantSet set -> compares(set);
            case ExpressionColumn column -> kind(column.getType()) == Kind.NUMBER;
            default -> condition.isConstant();
        };
    }

    private boolean compares(Expression comparison) {
        List<Expression> parts = parts(comparison);
        compared.add(parts);
        return parts.stream().allMatch(RowConditions::simple);
    }

    private static List<Expression> parts(Expression whole) {
        return IntStream.range(0, whole.getSubexpressionCount())
                .mapToObj(whole::getSubexpression)
                .toList();
    }

    private static boolean simple(Expression operand) {
        return operand instanceof ExpressionColumn || fixed(operand);
    }

    /// The same for every row.
    private static boolean fixed(Expression operand) {
        return operand instanceof Parameter
                || operand instanceof ValueExpression
                || (operand instanceof CastSpecification cast && fixed(cast.getSubexpression(0)));
    }

    /// With the values that are bound now.
    boolean failAtNoRow(SessionLocal session) {
        return compared.stream().allMatch(operands -> comparable(operands, session));
    }

    private static boolean comparable(List<Expression> operands, SessionLocal session) {
        TypeInfo type = null;
        for (Expression operand : operands) {
            if (operand instanceof ExpressionColumn column) {
                if (type != null && kind(type) != kind(column.getType())) {
                    return false;
                }
                type = column.getType();
            }
        }
        for (Expression operand : operands) {
            if (type != null && fixed(operand) && !comparable(type, operand, session)) {
                return false;
            }
        }
        return true;
    }

    /// A value is made what the column is, unless the column is a text.
    private static boolean comparable(TypeInfo column, Expression fixed, SessionLocal session) {
        try {
            Value value = fixed.getValue(session);
            if (value instanceof ValueNull || kind(value.getType()) == kind(column)) {
                return true;
            }
            if (kind(column) == Kind.TEXT) {
                return false;
            }
            return value.convertTo(column, session) != null;
        } catch (DbException e) {
            return false;
        }
    }

    private static Kind kind(TypeInfo info) {
        int type = info.getValueType();
        return DataType.isCharacterStringType(type)
                ? Kind.TEXT
                : DataType.isNumericType(type) || type == Value.BOOLEAN
                        ? Kind.NUMBER
                        : DataType.isDateTimeType(type)
                                ? Kind.TIME
                                : DataType.isBinaryStringType(type) ? Kind.BYTES : Kind.OTHER;
    }
}
