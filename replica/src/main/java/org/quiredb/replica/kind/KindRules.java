package org.quiredb.replica.kind;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.quiredb.common.mysql.ColumnFlag;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.layout.ColumnType;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.TreeWalk;

/// The pairs of kinds that H2 and MySQL take alike: whatever is not named here is refused.
///
/// Threads: one.
public final class KindRules {
    private final List<BoundForm> forms = new ArrayList<>();
    private final Set<Expression> uuids = Collections.newSetFromMap(new IdentityHashMap<>());

    /// What bound values have to look like.
    List<BoundForm> forms() {
        return List.copyOf(forms);
    }

    /// Of `=`, `<` and whatever else compares.
    void comparable(Expression left, Typed a, Expression right, Typed b) {
        refuseClosed("a comparison", a, b);
        if (a.kind() == Kind.UUID || b.kind() == Kind.UUID) {
            if (!besideUuid(left, a) || !besideUuid(right, b)) {
                throw unlike("a comparison", a.kind(), b.kind());
            }
            return;
        }
        if (!comparable(left, a.kind(), b) && !comparable(right, b.kind(), a)) {
            throw unlike("a comparison", a.kind(), b.kind());
        }
        if (approximate(a, b) || approximate(b, a)) {
            throw unlike("a comparison of a FLOAT(M,D)", a.kind(), b.kind());
        }
        if (a.kind() == Kind.BYTES && b.kind().text()) {
            formed(left, BoundForm.Form.CHARACTERS);
        } else if (b.kind() == Kind.BYTES && a.kind().text()) {
            formed(right, BoundForm.Form.CHARACTERS);
        }
    }

    /// MariaDB takes numbers for equal that differ by less than half of their last digit where the
    /// digits of both are fixed: a FLOAT(3,1) of 99.9 is 99.9, though it holds another number.
    private static boolean approximate(Typed one, Typed other) {
        return one.kind() == Kind.FLOAT
                && one.fixesDecimals()
                && (other.kind() == Kind.DECIMAL
                        || (other.kind() == Kind.DOUBLE && other.fixesDecimals()));
    }

    /// @param one what the kind is of
    private boolean comparable(Expression one, Kind kind, Typed other) {
        Kind by = other.kind();
        return switch (kind) {
            case UNKNOWN, NULL -> true;
            case TRUTH, INTEGER, UNSIGNED, BIG_UNSIGNED, BITS, DECIMAL, FLOAT, DOUBLE ->
                    by == Kind.YEAR ? yearly(one) : by.number();
            case YEAR -> by == Kind.YEAR;
            case TEXT ->
                    switch (by) {
                        case DATE, DATETIME -> formed(one, BoundForm.Form.DATE);
                        case TIME -> formed(one, BoundForm.Form.TIME);
                        case FLOAT, DOUBLE -> formed(one, BoundForm.Form.NUMBER);
                        case YEAR -> formed(one, BoundForm.Form.YEAR);
                        default -> textual(by);
                    };
            // Bytes that are written follow the column's collation.
            case FOLDED_TEXT, CASED_TEXT, MIXED_TEXT -> textual(by) && by != Kind.BYTES;
            case MEMBER -> by == Kind.MEMBER || by.text();
            case BYTES -> by == Kind.BYTES || by == Kind.TEXT;
            case DATE, DATETIME -> by.day();
            case TIME -> by == Kind.TIME;
            case JSON, UUID, GEOMETRY -> false;
        };
    }

    /// H2 is to be told to make a UUID of what is none yet.
    private boolean besideUuid(Expression one, Typed type) {
        return switch (type.kind()) {
            case UUID, NULL -> true;
            case TEXT, BYTES, UNKNOWN -> {
                uuids.add(one);
                yield formed(one, BoundForm.Form.UUID);
            }
            default -> false;
        };
    }

    /// Whether it is a single value that stands beside a UUID.
    boolean madeUuid(Expression expression) {
        return uuids.contains(expression);
    }

    /// What H2 would compute of the bytes as it has them.
    static void refuseUuid(String what, List<Typed> types) {
        for (Typed type : types) {
            if (type.kind() == Kind.UUID) {
                throw unlike(what, Kind.UUID);
            }
        }
    }

    /// Whether a column of a kind makes the same of a value that it takes as such, and not as a
    /// text that says it: a server goes by the number of an ENUM's member and by the bits of a BIT,
    /// and writes numbers that float as they fit. Which columns take which geometries it alone
    /// knows.
    static boolean storedAlike(Kind column, Typed value) {
        boolean text = column.text() || column == Kind.BYTES || column == Kind.JSON;
        return switch (value.kind()) {
            case GEOMETRY -> false;
            case MEMBER -> !column.number();
            case BITS, FLOAT, DOUBLE -> !text;
            default -> !(value.otherBytes() && column == Kind.BYTES);
        };
    }

    static void refuseClosed(String what, Typed... types) {
        for (Typed type : types) {
            if (type.kind().closed()) {
                throw unlike(what, type.kind());
            }
        }
    }

    private static boolean textual(Kind by) {
        return by.text()
                || by == Kind.MEMBER
                || by == Kind.BYTES
                || by == Kind.INTEGER
                || by == Kind.UNSIGNED
                || by == Kind.BIG_UNSIGNED
                || by == Kind.DECIMAL;
    }

    /// A year of two digits is one of this century or the last.
    private boolean yearly(Expression number) {
        return !fixed(number) || formed(number, BoundForm.Form.YEAR);
    }

    private static boolean fixed(Expression expression) {
        return expression instanceof Expression.Parameter
                || expression instanceof Expression.Constant;
    }

    /// Whether it is a single value, which then has this form or is refused.
    boolean formed(Expression expression, BoundForm.Form form) {
        return switch (expression) {
            case Expression.Parameter(int index) -> {
                forms.add(new BoundForm(index, form));
                yield true;
            }
            case Expression.Constant(SqlValue value, String text) -> {
                BoundForm.require(form, value);
                yield true;
            }
            default -> false;
        };
    }

    /// As `WHERE` takes it.
    static void truth(Typed type) {
        if (!type.kind().open() && !type.kind().number()) {
            throw unlike("a condition", type.kind());
        }
    }

    /// Of arithmetic; a text that is bound is a number that floats.
    Kind operand(Expression expression, Typed type) {
        if (type.kind() == Kind.TEXT && formed(expression, BoundForm.Form.NUMBER)) {
            return Kind.DOUBLE;
        }
        if (!type.kind().open() && (!type.kind().number() || type.kind() == Kind.BITS)) {
            throw unlike("arithmetic", type.kind());
        }
        return type.kind();
    }

    /// Whether the operand of LIKE has to be told that cases do not count.
    public static boolean foldsLike(Typed operand, Expression expression, Typed pattern) {
        Kind by = pattern.kind();
        if (operand.kind().open() || by.open()) {
            return false;
        }
        ColumnType column = operand.column();
        boolean constant = by == Kind.TEXT || by == Kind.INTEGER;
        boolean shown = column != null && (column.flags() & ColumnFlag.ZEROFILL) == 0;
        boolean alike =
                switch (operand.kind()) {
                    case INTEGER, UNSIGNED, BIG_UNSIGNED, DECIMAL, DATE, MEMBER ->
                            constant && shown;
                    case DATETIME -> constant && column != null && column.decimals() == 0;
                    case BYTES -> constant;
                    case TEXT, FOLDED_TEXT, CASED_TEXT -> constant || by.text();
                    default -> false;
                };
        Kind both = Kind.textOf(operand.kind(), by);
        if (!alike || (operand.kind().text() && (both == Kind.TEXT || both == Kind.MIXED_TEXT))) {
            throw unlike("LIKE", operand.kind(), by);
        }
        return both == Kind.FOLDED_TEXT
                && operand.kind().text()
                && !(expression instanceof Expression.Column);
    }

    /// Of LIKE BINARY, which compares what the server has stored.
    static void refuseOtherBytes(Typed operand) {
        boolean text = operand.kind().text() || operand.kind().open();
        if (!text || operand.otherBytes()) {
            throw unlike("LIKE BINARY", operand.kind());
        }
    }

    /// H2 makes `=` of a pattern without wildcards that it knows beforehand, and tries all ways in
    /// which the `%` of a pattern may share a text, which nothing interrupts: there may be fewer of
    /// them the longer the text can be.
    void pattern(Expression pattern, Typed operand) {
        refuseConstant(pattern);
        BoundForm.Form most = BoundForm.Form.searchIn(operand.column());
        new TreeWalk() {
            @Override
            public void expression(Expression part) {
                if (part instanceof Expression.Column) {
                    throw Errors.unsupported("LIKE with a pattern made of columns");
                }
                boolean _ = formed(part, most);
                super.expression(part);
            }
        }.expression(pattern);
    }

    private static void refuseConstant(Expression pattern) {
        if (pattern instanceof Expression.Constant constant
                && (constant.text().contains("\\")
                        || !(constant.text().contains("%") || constant.text().contains("_")))) {
            throw Errors.unsupported("LIKE with this constant");
        }
    }

    public static RuntimeException unlike(String what, Kind... kinds) {
        return Errors.unsupported(what + " of kinds " + List.of(kinds));
    }
}
