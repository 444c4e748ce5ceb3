package org.quiredb.replica.kind;

import java.util.List;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.Function;

/// The kinds of what functions give.
///
/// Those of ours look at the values that they are called with; here is what H2 computes itself.
final class FunctionKinds {
    private FunctionKinds() {}

    /// @param part gives a part's type
    static Kind of(
            Expression.Call call,
            KindRules rules,
            java.util.function.Function<Expression, Typed> part) {
        List<Typed> arguments = call.arguments().stream().map(part).toList();
        if (arguments.isEmpty()) {
            return ofNothing(call.function());
        }
        if (call.function() != Function.HEX || arguments.getFirst().kind() != Kind.GEOMETRY) {
            KindRules.refuseClosed(call.function().name(), arguments.toArray(Typed[]::new));
        }
        switch (call.function()) {
            case IF, COALESCE, IFNULL, NULLIF -> {}
            default -> KindRules.refuseUuid(call.function().name(), arguments);
        }
        return switch (call.function()) {
            case IF -> {
                if (arguments.size() != 3) {
                    yield Kind.UNKNOWN;
                }
                KindRules.truth(arguments.getFirst());
                yield either(arguments.subList(1, 3));
            }
            case COALESCE, IFNULL -> either(arguments);
            case NULLIF -> {
                if (arguments.size() == 2) {
                    compared(call, arguments, rules);
                }
                yield arguments.getFirst().kind();
            }
            case ABS -> {
                Kind kind = rules.operand(call.arguments().getFirst(), arguments.getFirst());
                yield kind == Kind.FLOAT ? Kind.DOUBLE : kind;
            }
            case CONCAT,
                    CONCAT_WS,
                    SUBSTRING,
                    LEFT,
                    RIGHT,
                    LOWER,
                    UPPER,
                    TRIM,
                    LTRIM,
                    RTRIM,
                    REPLACE,
                    LPAD,
                    RPAD,
                    REPEAT,
                    REVERSE,
                    SUBSTRING_INDEX,
                    ELT ->
                    arguments.stream().map(Typed::kind).reduce(Kind.TEXT, Kind::textOf);
            case INSTR, LOCATE, FIND_IN_SET -> {
                requireAlike(call.function(), arguments);
                yield Kind.INTEGER;
            }
            case REGEXP_INSTR -> {
                for (Typed argument : arguments) {
                    if (!argument.kind().open() && !argument.kind().text()) {
                        throw KindRules.unlike("REGEXP", argument.kind());
                    }
                }
                yield Kind.INTEGER;
            }
            case AS_SIGNED -> Kind.INTEGER;
            case AS_UNSIGNED -> Kind.UNSIGNED;
            case AS_CHAR -> Kind.TEXT;
            case AS_DECIMAL -> Kind.DECIMAL;
            case AS_DATETIME -> Kind.DATETIME;
            case SPACE, HEX, MD5, SHA1, SHA2, DATE_FORMAT, DAYNAME, MONTHNAME -> Kind.TEXT;
            case UNHEX -> Kind.BYTES;
            case NOW, FROM_UNIXTIME, OF_TIMESTAMP -> Kind.DATETIME;
            case DATE, LAST_DAY, OF_DATE -> Kind.DATE;
            case TIME, OF_TIME -> Kind.TIME;
            case CRC32, INET_ATON -> Kind.UNSIGNED;
            case BITS_AND, BITS_OR, BITS_XOR, BITS_LEFT, BITS_RIGHT, BITS_NOT -> {
                for (Typed argument : arguments) {
                    requireWhole(argument.kind());
                }
                yield Kind.BIG_UNSIGNED;
            }
            case FLOOR, CEILING, ROUND, TRUNCATE, MOD, GREATEST, LEAST -> Kind.DECIMAL;
            default -> Kind.INTEGER;
        };
    }

    /// A search whose case is that of the texts, or of bytes.
    private static void requireAlike(Function function, List<Typed> arguments) {
        Kind all = arguments.stream().map(Typed::kind).reduce(Kind.TEXT, Kind::textOf);
        for (Typed argument : arguments) {
            if (all == Kind.MIXED_TEXT || argument.kind() == Kind.BYTES) {
                throw KindRules.unlike(function.name(), all, argument.kind());
            }
        }
    }

    private static void requireWhole(Kind kind) {
        switch (kind) {
            case UNKNOWN, NULL, TRUTH, INTEGER, UNSIGNED, BIG_UNSIGNED, YEAR -> {}
            default -> throw KindRules.unlike("bits", kind);
        }
    }

    /// The others do not run without arguments.
    private static Kind ofNothing(Function function) {
        return switch (function) {
            case NOW -> Kind.DATETIME;
            case CURDATE -> Kind.DATE;
            case UUID -> Kind.TEXT;
            case RAND -> Kind.DOUBLE;
            case UNIX_TIMESTAMP -> Kind.INTEGER;
            default -> Kind.UNKNOWN;
        };
    }

    private static void compared(Expression.Call call, List<Typed> arguments, KindRules rules) {
        Typed a = arguments.get(0);
        Typed b = arguments.get(1);
        rules.comparable(call.arguments().get(0), a, call.arguments().get(1), b);
        if (a.kind().floating() != b.kind().floating() && !a.kind().open() && !b.kind().open()) {
            throw KindRules.unlike("NULLIF", a.kind(), b.kind());
        }
    }

    static Kind of(
            Expression.Aggregate aggregate, java.util.function.Function<Expression, Typed> part) {
        List<Typed> types = aggregate.arguments().stream().map(part).toList();
        KindRules.refuseClosed(aggregate.function().name(), types.toArray(Typed[]::new));
        List<Kind> arguments = types.stream().map(Typed::kind).toList();
        return switch (aggregate.function()) {
            case SUM, AVG -> {
                for (Kind kind : arguments) {
                    // the sum of numbers that float depends on their order
                    if (!kind.open() && (!kind.exact() || kind == Kind.BITS)) {
                        throw KindRules.unlike(aggregate.function().name(), kind);
                    }
                }
                yield Kind.DECIMAL;
            }
            case MIN, MAX -> arguments.getFirst();
            default -> Kind.INTEGER;
        };
    }

    static Kind of(Expression.Joined joined, java.util.function.Function<Expression, Typed> part) {
        Kind all = Kind.TEXT;
        for (Expression argument : joined.arguments()) {
            Typed type = part.apply(argument);
            KindRules.refuseClosed("GROUP_CONCAT", type);
            KindRules.refuseUuid("GROUP_CONCAT", List.of(type));
            if (type.kind() == Kind.BYTES || type.kind() == Kind.UNKNOWN) {
                throw KindRules.unlike("GROUP_CONCAT", type.kind());
            }
            all = Kind.textOf(all, type.kind());
        }
        return all;
    }

    /// Of a value that is one of these.
    static Kind either(List<Typed> types) {
        Kind either = Kind.NULL;
        for (Typed type : types) {
            Kind both = Kind.either(either, type.kind());
            if (both == null) {
                throw KindRules.unlike("a choice", either, type.kind());
            }
            either = both;
        }
        return either;
    }
}
