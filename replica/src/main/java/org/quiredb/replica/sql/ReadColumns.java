package org.quiredb.replica.sql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.replica.result.ChangeHistory;
import org.quiredb.replica.result.ReadSet;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.From;
import org.quiredb.sql.tree.Query;
import org.quiredb.sql.tree.TreeWalk;

/// Which columns a query reads: those of its tables that have a name which stands anywhere in it as
/// a column's, whatever it means there; all of them where it shows everything.
///
/// Threads: one.
final class ReadColumns extends TreeWalk {
    private final Set<String> names = new HashSet<>();
    private boolean everything;

    private ReadColumns() {}

    /// @param tables all that the query names
    static ReadSet of(Query query, List<TableLayout> tables, ChangeHistory changes) {
        ReadColumns read = new ReadColumns();
        read.query(query);
        List<ReadSet.Columns> columns = new ArrayList<>();
        for (TableLayout table : tables) {
            columns.add(
                    new ReadSet.Columns(
                            table.tableId(),
                            changes.of(table.tableId(), table.conflictClass(), table.definition()),
                            read.of(table)));
        }
        return new ReadSet(columns);
    }

    private int[] of(TableLayout table) {
        List<ColumnDefinition> columns = table.definition().columns();
        return IntStream.range(0, columns.size())
                .filter(i ->
                        everything
                                || names.contains(columns.get(i).name().toLowerCase(Locale.ROOT)))
                .toArray();
    }

    @Override
    protected void select(Query.Select select) {
        everything |= select.items().stream().anyMatch(item -> item instanceof Query.Everything);
        super.select(select);
    }

    @Override
    protected void from(From from) {
        if (from instanceof From.Join join) {
            join.using().forEach(this::named);
        }
        super.from(from);
    }

    @Override
    public void expression(Expression expression) {
        if (expression instanceof Expression.Column column) {
            named(column.name());
        }
        super.expression(expression);
    }

    private void named(String column) {
        names.add(column.toLowerCase(Locale.ROOT));
    }
}
