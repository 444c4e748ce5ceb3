package org.quiredb.sql.tree;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.SqlValue;

/// What the in-memory tier can evaluate: what has no place here is left to the backend.
///
/// Names keep the statement's letters; an empty name is one that the statement leaves out.
public sealed interface Expression {
    record Column(String schema, String table, String name) implements Expression {}

    /// A `?` of the normalised text.
    ///
    /// @param index counted from 0
    record Parameter(int index) implements Expression {}

    /// A constant that stays in the text.
    ///
    /// @param text in standard SQL
    record Constant(SqlValue value, String text) implements Expression {}

    /// NULL, TRUE or FALSE.
    record Word(Keyword keyword) implements Expression {
        public enum Keyword {
            NULL,
            TRUE,
            FALSE
        }
    }

    record Unary(UnaryOperator operator, Expression operand) implements Expression {}

    record Binary(BinaryOperator operator, Expression left, Expression right)
            implements Expression {}

    /// AND of at least two.
    record Every(List<Expression> conditions) implements Expression {
        public Every {
            conditions = List.copyOf(conditions);
        }
    }

    /// OR of at least two.
    record Any(List<Expression> conditions) implements Expression {
        public Any {
            conditions = List.copyOf(conditions);
        }
    }

    /// `operand IS [NOT] what`.
    record Is(Expression operand, boolean not, What what) implements Expression {
        public enum What {
            NULL,
            TRUE,
            FALSE,
            UNKNOWN
        }
    }

    record Between(Expression operand, Expression low, Expression high, boolean not)
            implements Expression {}

    record In(Expression operand, List<Expression> list, boolean not) implements Expression {
        public In {
            list = List.copyOf(list);
        }
    }

    record InQuery(Expression operand, Query query, boolean not) implements Expression {}

    record Exists(Query query, boolean not) implements Expression {}

    /// @param binary of the bytes: `LIKE BINARY`
    record Like(
            Expression operand,
            Expression pattern,
            @Nullable Expression escape,
            boolean not,
            boolean binary)
            implements Expression {}

    /// @param operand null where each WHEN is a condition
    /// @param otherwise null without ELSE
    record Case(@Nullable Expression operand, List<When> whens, @Nullable Expression otherwise)
            implements Expression {
        public Case {
            whens = List.copyOf(whens);
        }
    }

    record When(Expression condition, Expression result) {}

    record Call(Function function, List<Expression> arguments) implements Expression {
        public Call {
            arguments = List.copyOf(arguments);
        }
    }

    /// @param arguments none for `COUNT(*)`
    record Aggregate(Function function, boolean distinct, List<Expression> arguments)
            implements Expression {
        public Aggregate {
            arguments = List.copyOf(arguments);
        }
    }

    /// `GROUP_CONCAT([DISTINCT] arguments [ORDER BY ...] SEPARATOR separator)`.
    record Joined(
            boolean distinct, List<Expression> arguments, List<Query.Order> order, String separator)
            implements Expression {
        public Joined {
            arguments = List.copyOf(arguments);
            order = List.copyOf(order);
        }
    }

    /// A moment and an interval: `moment + INTERVAL amount unit`.
    ///
    /// @param unit in capitals, a single one
    /// @param back minus
    record Moved(Expression moment, Expression amount, String unit, boolean back)
            implements Expression {
        /// Those that are single ones.
        public static final Set<String> UNITS =
                Set.of(
                        "MICROSECOND",
                        "SECOND",
                        "MINUTE",
                        "HOUR",
                        "DAY",
                        "WEEK",
                        "MONTH",
                        "QUARTER",
                        "YEAR");
    }

    /// `left operator ALL (query)`, or ANY.
    record Quantified(Expression left, BinaryOperator operator, boolean all, Query query)
            implements Expression {}

    /// A query in place of a value.
    record Scalar(Query query) implements Expression {}

    record Row(List<Expression> values) implements Expression {
        public Row {
            values = List.copyOf(values);
        }
    }

    /// `VALUES(column)`, what an INSERT would have given the column.
    record Inserted(String column) implements Expression {}

    /// The word DEFAULT as a value.
    record Default() implements Expression {}
}
