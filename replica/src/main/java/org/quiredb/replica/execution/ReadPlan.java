package org.quiredb.replica.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.mysql.ResultHeader;
import org.quiredb.common.mysql.ResultSetEncoder;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.page.PageAccess;

/// A query as it is run over pages.
///
/// Threads: any; immutable.
public final class ReadPlan {
    /// What a row that lies beside the one before costs, and what is hashed for it, of one that is
    /// looked up somewhere: measured as a fifth to a third (`QueryBenchmark.bestSellers`).
    private static final double NEIGHBOUR = 0.25;

    private final List<Scalar> scalars;
    private final Level[] levels;
    private final SortPart @Nullable [] groups;
    private final Aggregation[] aggregations;
    private final SortPart @Nullable [] distinct;
    private final SortPart @Nullable [] order;
    private final @Nullable Late<Long> limit;
    private final @Nullable Late<Long> offset;
    private final ColumnWriter[] columns;
    private final ResultHeader header;
    private final @Nullable ReadPlan other;

    /// @param scalars whose values stand behind those of the execution
    /// @param groups what rows are grouped by, none for one group; null where nothing is grouped
    /// @param distinct what tells rows apart, null where all are shown
    /// @param order what they are sorted by, null where they come in order
    /// @param limit null for all
    /// @param offset null for none
    /// @param other of the same result, which begins with rows that lie beside each other and goes
    ///   on by unique keys; null for none
    public ReadPlan(
            List<Scalar> scalars,
            List<Level> levels,
            @Nullable List<SortPart> groups,
            List<Aggregation> aggregations,
            @Nullable List<SortPart> distinct,
            @Nullable List<SortPart> order,
            @Nullable Late<Long> limit,
            @Nullable Late<Long> offset,
            List<ColumnWriter> columns,
            ResultHeader header,
            @Nullable ReadPlan other) {
        this.scalars = List.copyOf(scalars);
        this.levels = levels.toArray(Level[]::new);
        this.groups = parts(groups);
        this.aggregations = aggregations.toArray(Aggregation[]::new);
        this.distinct = parts(distinct);
        this.order = parts(order);
        this.limit = limit;
        this.offset = offset;
        this.columns = columns.toArray(ColumnWriter[]::new);
        this.header = header;
        this.other = other;
    }

    private static SortPart @Nullable [] parts(@Nullable List<SortPart> parts) {
        return parts == null ? null : parts.toArray(SortPart[]::new);
    }

    /// Runs it on an encoder that nothing was written to.
    ///
    /// @param account hears how many bytes are kept, and may refuse to go on
    /// @throws NotHereException before anything was written, where H2 has to run it
    public void run(
            PageAccess access,
            List<SqlValue> given,
            LongConsumer account,
            ResultSetEncoder encoder) {
        List<SqlValue> values = values(access, given);
        if (other == null) {
            run(access, values, account, encoder, Double.MAX_VALUE);
        } else {
            double rows = other.firsts(access, given) * NEIGHBOUR;
            if (!run(access, values, account, encoder, rows)) {
                other.run(access, given, account, encoder);
            }
        }
    }

    /// About how many rows of the first table it reads.
    private long firsts(PageAccess access, List<SqlValue> given) {
        Search search =
                new Search(levels[0].access(), values(access, given), StopSignal.current(), null);
        return search.estimate(new RowContext(access, levels));
    }

    /// @return whether it ran, which it does where it costs no more than `otherwise`
    private boolean run(
            PageAccess access,
            List<SqlValue> values,
            LongConsumer account,
            ResultSetEncoder encoder,
            double otherwise) {
        long skipped = offset == null ? 0 : offset.with(values);
        long wanted = limit == null ? Long.MAX_VALUE : limit.with(values);
        Weighing weighing = new Weighing(account);
        Stage stage = new Writing(columns, header, encoder, skipped, wanted);
        if (order != null) {
            long first = wanted > Long.MAX_VALUE - skipped ? Long.MAX_VALUE : wanted + skipped;
            stage = new Ordering(order, first, weighing, stage);
        }
        if (distinct != null) {
            stage = new Distinct(distinct, weighing, stage);
        }
        if (groups != null) {
            stage = new Grouping(groups, aggregations, weighing, stage);
        }
        RowContext at = new RowContext(access, levels);
        if (wanted > 0) {
            NestedLoops joining = new NestedLoops(levels, values, at, weighing, stage);
            if (!joining.run(otherwise)) {
                return false;
            }
        }
        stage.end(at);
        return true;
    }

    private List<SqlValue> values(PageAccess access, List<SqlValue> given) {
        if (scalars.isEmpty()) {
            return given;
        }
        List<SqlValue> values = new ArrayList<>(given);
        for (Scalar scalar : scalars) {
            values.add(scalar.value(access, given));
        }
        return values;
    }
}
