package org.quiredb.replica.planning;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.execution.Aggregation;
import org.quiredb.replica.execution.ColumnWriter;
import org.quiredb.replica.execution.NotHereException;
import org.quiredb.replica.execution.SortPart;
import org.quiredb.replica.h2.value.StoredValues;
import org.quiredb.replica.layout.ColumnType;
import org.quiredb.replica.layout.KeyBytes;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.Function;
import org.quiredb.sql.tree.Query;

/// What a query shows, groups and sorts: columns of its tables, and aggregates of them.
///
/// Threads: one.
final class PlanOutput {
    /// One of the two.
    private record Shown(
            String alias, @Nullable PlanColumn column, Expression.@Nullable Aggregate aggregate) {}

    private final Planning planning;
    private final Query.Select select;
    private final List<Shown> shown = new ArrayList<>();

    PlanOutput(Planning planning, Query.Select select) {
        this.planning = planning;
        this.select = select;
        for (Query.Item item : select.items()) {
            switch (item) {
                case Query.Everything(String schema, String table) -> {
                    if (!schema.isEmpty()) {
                        throw new NotHereException("a table with its schema");
                    }
                    for (PlanColumn column : planning.everything(table)) {
                        shown.add(new Shown("", column, null));
                    }
                }
                case Query.Shown(Expression expression, String alias, String heading) ->
                        shown.add(shown(expression, alias));
            }
        }
    }

    private Shown shown(Expression expression, String alias) {
        return switch (expression) {
            case Expression.Column name -> new Shown(alias, planning.column(name), null);
            case Expression.Aggregate aggregate -> new Shown(alias, null, aggregate);
            default -> throw new NotHereException("a column that is computed");
        };
    }

    boolean aggregates() {
        return shown.stream().anyMatch(one -> one.aggregate() != null);
    }

    List<ColumnWriter> columns() {
        ColumnMetadata[] header = planning.header().array();
        if (header.length != shown.size()) {
            throw new NotHereException("other columns");
        }
        List<ColumnWriter> writers = new ArrayList<>();
        boolean grouped = !select.groups().isEmpty();
        boolean aggregates = aggregates();
        for (int i = 0; i < header.length; i++) {
            Shown one = shown.get(i);
            if (one.column() != null) {
                if (aggregates && !grouped) {
                    throw new NotHereException("a column beside aggregates");
                }
                writers.add(one.column().writer());
            } else {
                writers.add(writer(aggregate(one), header[i]));
            }
        }
        return writers;
    }

    private static Expression.Aggregate aggregate(Shown one) {
        return java.util.Objects.requireNonNull(one.aggregate());
    }

    private ColumnWriter writer(Expression.Aggregate aggregate, ColumnMetadata header) {
        Aggregation aggregation = aggregation(aggregate);
        int place = planning.aggregation(aggregation);
        PlanColumn column = argument(aggregate);
        if (aggregation.kind() == Aggregation.Kind.COUNT) {
            if (header.type() != MySqlType.LONGLONG) {
                throw new NotHereException("a count of another type");
            }
            return (i, at, encoder, out) -> encoder.value(i, SqlValue.of(at.tally().count(place)));
        }
        ColumnType type = java.util.Objects.requireNonNull(column).type();
        if (aggregation.kind() != Aggregation.Kind.SUM) {
            return (i, at, encoder, out) -> {
                if (at.tally().count(place) == 0) {
                    encoder.nullValue(i);
                } else {
                    encoder.value(i, StoredValues.shown(type, at.tally().value(place)));
                }
            };
        }
        boolean whole = header.type() == MySqlType.LONGLONG;
        if (!whole && header.type() != MySqlType.NEWDECIMAL) {
            throw new NotHereException("a sum of another type");
        }
        return (i, at, encoder, out) -> {
            long sum = at.tally().value(place);
            if (at.tally().count(place) == 0) {
                encoder.nullValue(i);
            } else if (whole) {
                encoder.value(i, SqlValue.of(sum));
            } else {
                String text = BigDecimal.valueOf(sum, type.decimals()).toPlainString();
                encoder.value(i, new SqlValue.DecimalValue(text));
            }
        };
    }

    private @Nullable PlanColumn argument(Expression.Aggregate aggregate) {
        if (aggregate.arguments().isEmpty()) {
            return null;
        }
        if (aggregate.arguments().size() == 1
                && aggregate.arguments().getFirst() instanceof Expression.Column name) {
            return planning.column(name);
        }
        throw new NotHereException("an aggregate of an expression");
    }

    private Aggregation aggregation(Expression.Aggregate aggregate) {
        if (aggregate.distinct()) {
            throw new NotHereException("an aggregate of what differs");
        }
        PlanColumn column = argument(aggregate);
        Aggregation.Kind kind =
                switch (aggregate.function()) {
                    case COUNT -> Aggregation.Kind.COUNT;
                    case SUM -> Aggregation.Kind.SUM;
                    case MIN -> Aggregation.Kind.MIN;
                    case MAX -> Aggregation.Kind.MAX;
                    default -> throw new NotHereException("an aggregate of another kind");
                };
        if (column == null) {
            if (aggregate.function() != Function.COUNT) {
                throw new NotHereException("an aggregate of nothing");
            }
            return new Aggregation(kind, 0, null, 0);
        }
        boolean known =
                switch (kind) {
                    case COUNT -> true;
                    case SUM -> column.comparable() && !column.text() && adds(column.type());
                    case MIN, MAX -> column.comparable() && column.ordinal();
                };
        if (!known) {
            throw new NotHereException("an aggregate of a column of this kind");
        }
        return new Aggregation(
                kind, column.level(), column.table().rows().format(), column.column());
    }

    private static boolean adds(ColumnType type) {
        return type.storage() == ColumnType.Storage.INTEGER
                || type.storage() == ColumnType.Storage.DECIMAL;
    }

    /// None for one group of all rows.
    List<SortPart> groups() {
        List<PlanColumn> by = new ArrayList<>();
        for (Expression group : select.groups()) {
            if (!(group instanceof Expression.Column name)) {
                throw new NotHereException("groups of an expression");
            }
            by.add(planning.column(name));
        }
        if (!by.isEmpty()) {
            for (Shown one : shown) {
                if (one.column() != null && !by.contains(one.column())) {
                    throw new NotHereException("a column that is not grouped by");
                }
            }
        }
        return parts(planning.deciding(by));
    }

    /// Whether the rows of a group show the same, whichever of them comes first: texts that are
    /// equal may differ in their letters.
    boolean groupsLookAlike() {
        List<PlanColumn> by = new ArrayList<>();
        for (Expression group : select.groups()) {
            if (group instanceof Expression.Column name) {
                by.add(planning.column(name));
            }
        }
        return planning.deciding(by).stream().noneMatch(PlanColumn::text);
    }

    List<SortPart> distinct() {
        List<PlanColumn> columns = new ArrayList<>();
        for (Shown one : shown) {
            if (one.column() != null && !columns.contains(one.column())) {
                columns.add(one.column());
            }
        }
        return parts(planning.deciding(columns));
    }

    private static List<SortPart> parts(List<PlanColumn> columns) {
        List<SortPart> parts = new ArrayList<>();
        for (PlanColumn column : columns) {
            parts.add(part(column, false));
        }
        return parts;
    }

    private static SortPart part(PlanColumn column, boolean descending) {
        SortPart.Value value = column.sorted();
        if (value == null) {
            throw new NotHereException("an order of a column of this kind");
        }
        return new SortPart(value, descending, column.level());
    }

    List<SortPart> order() {
        List<SortPart> parts = new ArrayList<>();
        for (Query.Order order : select.order()) {
            Shown meant = meant(shown, order.expression());
            if (meant != null && meant.aggregate() != null) {
                parts.add(part(meant.aggregate(), order.descending()));
            } else if (meant != null && meant.column() != null) {
                parts.add(part(meant.column(), order.descending()));
            } else if (order.expression() instanceof Expression.Column name) {
                parts.add(part(planning.column(name), order.descending()));
            } else if (order.expression() instanceof Expression.Aggregate aggregate) {
                if (select.groups().isEmpty()) {
                    throw new NotHereException("an order by an aggregate alone");
                }
                parts.add(part(aggregate, order.descending()));
            } else {
                throw new NotHereException("an order of an expression");
            }
        }
        return parts;
    }

    private SortPart part(Expression.Aggregate aggregate, boolean descending) {
        Aggregation aggregation = aggregation(aggregate);
        int place = planning.aggregation(aggregation);
        boolean counts = aggregation.kind() == Aggregation.Kind.COUNT;
        return new SortPart(
                (key, at) -> {
                    if (counts || at.tally().count(place) > 0) {
                        long number = counts ? at.tally().count(place) : at.tally().value(place);
                        KeyBytes.number(key.u8(1), Long.BYTES, number);
                    } else {
                        key.u8(0);
                    }
                },
                descending,
                0);
    }

    /// What ORDER BY means by a place or an alias, null for anything else.
    private static @Nullable Shown meant(List<Shown> shown, Expression expression) {
        if (expression instanceof Expression.Constant) {
            throw new NotHereException("an order by a place");
        }
        if (expression instanceof Expression.Column(String schema, String table, String name)
                && table.isEmpty()) {
            Shown found = null;
            for (Shown one : shown) {
                if (one.alias().equalsIgnoreCase(name)) {
                    if (found != null) {
                        throw new NotHereException("an alias of two columns");
                    }
                    found = one;
                }
            }
            return found;
        }
        return null;
    }

    /// The column of a table that ORDER BY means, null for anything else.
    static @Nullable PlanColumn column(
            Planning planning, Query.Select select, Expression expression) {
        PlanOutput output = new PlanOutput(planning, select);
        Shown meant = meant(output.shown, expression);
        if (meant != null) {
            return meant.column();
        }
        return expression instanceof Expression.Column name ? planning.column(name) : null;
    }
}
