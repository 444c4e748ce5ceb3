package org.quiredb.replica.binding;

import java.util.List;
import org.quiredb.common.mysql.ColumnFlag;
import org.quiredb.replica.describe.Described;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.kind.Kind;
import org.quiredb.replica.kind.KindRules;
import org.quiredb.replica.kind.Kinds;
import org.quiredb.replica.kind.TreeFacts;
import org.quiredb.replica.kind.Typed;
import org.quiredb.replica.layout.ColumnType;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.Function;
import org.quiredb.sql.tree.TreeWalk;

/// Writes calls of functions for H2: of its own where they mean the same, else of ours.
///
/// Threads: one.
final class H2Calls {
    private final H2Text text;
    private final boolean folds;
    private final Kinds kinds;

    H2Calls(H2Text text, boolean folds, Kinds kinds) {
        this.text = text;
        this.folds = folds;
        this.kinds = kinds;
    }

    void call(Expression.Call call) {
        List<Expression> arguments = call.arguments();
        switch (call.function()) {
            case IF -> {
                if (arguments.size() != 3) {
                    throw Errors.unsupported("IF");
                }
                text.choice(
                        new Expression.Case(
                                null,
                                List.of(new Expression.When(arguments.get(0), arguments.get(1))),
                                arguments.get(2)),
                        kinds.of(call));
            }
            case NOW -> now(digits(arguments));
            case CURDATE -> {
                text.add(H2Text.FUNCTION).add("DATE(");
                now("0");
                text.add(")");
            }
            case UNIX_TIMESTAMP -> {
                if (arguments.isEmpty()) {
                    text.add(H2Text.FUNCTION).add("UNIX_TIMESTAMP(");
                    now("0");
                    text.add(")");
                } else {
                    text.call(H2Text.FUNCTION + "UNIX_TIMESTAMP", arguments);
                }
            }
            case RAND, UUID -> {
                if (!arguments.isEmpty()) {
                    throw Errors.unsupported(call.function() + " of a value");
                }
                text.call(H2Text.FUNCTION + call.function().name(), arguments);
            }
            case COALESCE, IFNULL, ABS -> {
                if (kinds.of(call) == Kind.DOUBLE) {
                    boolean zeroes = call.function() == Function.ABS; // takes its minus away
                    text.add(zeroes ? "(" : "").add(call.function().name()).add("(");
                    text.separated(arguments, text::floating);
                    text.add(zeroes ? ") + CAST(0 AS DOUBLE PRECISION))" : ")");
                } else {
                    text.call(call.function().name(), arguments);
                }
            }
            case LAST_INSERT_ID -> {
                Kind kind = arguments.size() == 1 ? kinds.of(arguments.getFirst()) : Kind.TEXT;
                if (!kind.exact() && !kind.open()) {
                    throw Errors.unsupported("LAST_INSERT_ID of such a value");
                }
                text.call(H2Text.FUNCTION + "LAST_INSERT_ID", arguments);
            }
            case BITS_AND, BITS_OR, BITS_XOR, BITS_LEFT, BITS_RIGHT, BITS_NOT ->
                    text.call(H2Text.FUNCTION + call.function().name(), arguments);
            case TIME, OF_TIME -> {
                text.add("CAST(");
                text.call(H2Text.FUNCTION + call.function().name(), arguments);
                text.add(" AS INTERVAL HOUR(4) TO SECOND(6))");
            }
            case NULLIF -> text.call(call.function().name(), arguments);
            case DAYOFWEEK -> text.call(H2Text.FUNCTION + "DAY_OF_WEEK", arguments);
            case DAYOFYEAR -> text.call(H2Text.FUNCTION + "DAY_OF_YEAR", arguments);
            default -> texts(call, H2Text.FUNCTION + call.function().name());
        }
    }

    /// A text is compared without case where the statement's tables have no other text; a column's
    /// letters in another case are as long, and compare as it does.
    private void texts(Expression.Call call, String name) {
        ColumnType column =
                (call.function() == Function.UPPER || call.function() == Function.LOWER)
                                && !call.arguments().isEmpty()
                        ? kinds.typed(call.arguments().getFirst()).column()
                        : null;
        if (column != null && Kind.of(column).text()) {
            text.add("CAST(");
            text.call(name, call.arguments());
            text.add(" AS ").add(column.h2()).add(")");
            return;
        }
        boolean casts = folds && TreeFacts.makesFoldedText(call.function());
        text.add(casts ? "CAST(" : "");
        if (TreeFacts.takesText(call.function())) {
            text.call(name, call.arguments(), this::asText);
        } else {
            text.call(name, call.arguments());
        }
        text.add(casts ? " AS VARCHAR_IGNORECASE)" : "");
    }

    /// H2 collects the texts of the rows, in their order.
    void joined(Expression.Joined joined) {
        text.add(folds ? "CAST(" : "").add(H2Text.FUNCTION + "JOINED('");
        text.add(joined.separator().replace("'", "''")).add("', ");
        text.add(joined.distinct() ? "TRUE" : "FALSE").add(", ARRAY_AGG(");
        String letters = joined.distinct() ? letters(joined.arguments().getFirst()) : "";
        text.add(letters.isEmpty() ? "" : "CAST(").add(H2Text.FUNCTION + "COLLECTED(");
        text.separated(joined.arguments(), this::asText);
        text.add(letters.isEmpty() ? ")" : ") AS " + letters + ")");
        text.rest(joined.order(), null);
        text.add("))").add(folds ? " AS VARCHAR_IGNORECASE)" : "");
    }

    /// In which texts are told apart; empty for what is the same if it is written alike.
    private String letters(Expression argument) {
        Typed type = kinds.typed(argument);
        ColumnType column = type.column();
        if (column != null && type.kind().text()) {
            return column.h2();
        }
        if (type.kind().text() && folds) {
            return "VARCHAR_IGNORECASE";
        }
        if (type.kind().text() || type.kind().floating() || type.kind() == Kind.MEMBER) {
            throw KindRules.unlike("GROUP_CONCAT with DISTINCT", type.kind());
        }
        return "";
    }

    private boolean zerofilled(Expression expression) {
        boolean[] found = new boolean[1];
        new TreeWalk() {
            @Override
            public void expression(Expression part) {
                ColumnType column = kinds.typed(part).column();
                found[0] |= column != null && (column.flags() & ColumnFlag.ZEROFILL) != 0;
                super.expression(part);
            }
        }.expression(expression);
        return found[0];
    }

    /// What is not written as its column shows it, or H2 computes with other digits, is refused.
    private void asText(Expression expression) {
        Typed type = kinds.typed(expression);
        ColumnType column = type.column();
        Described described = type.described();
        boolean fixed =
                expression instanceof Expression.Parameter
                        || expression instanceof Expression.Constant;
        boolean padded =
                zerofilled(expression)
                        || (column != null
                                && type.kind().floating()
                                && column.decimals() < H2Text.FLOATING);
        boolean otherDigits =
                column == null
                        && !fixed
                        && (type.kind().floating()
                                ? described == null || described.decimals() < H2Text.FLOATING
                                : type.kind() == Kind.DECIMAL
                                        && (described == null || !described.decimal()));
        if (padded || otherDigits || type.kind() == Kind.BITS || type.kind() == Kind.YEAR) {
            throw KindRules.unlike("a text", type.kind());
        }
        if (type.kind() == Kind.DECIMAL && column == null && !fixed && described != null) {
            text.rounded(expression, described.decimals());
        } else {
            text.of(expression);
        }
    }

    private static String digits(List<Expression> arguments) {
        if (arguments.isEmpty()) {
            return "0";
        }
        if (arguments.size() == 1
                && arguments.getFirst() instanceof Expression.Constant constant
                && constant.text().matches("[0-6]")) {
            return constant.text();
        }
        throw Errors.unsupported("NOW of such digits");
    }

    private void now(String digits) {
        text.add(H2Text.FUNCTION).add("NOW(").add(digits).add(")");
    }
}
