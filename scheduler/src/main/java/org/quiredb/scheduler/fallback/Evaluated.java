package org.quiredb.scheduler.fallback;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.fallback.connection.Outcome;

/// What a change of rows has come to on the backend.
///
/// @param failure what has ended a CALL; the rows are what it had changed by then
public record Evaluated(Outcome outcome, List<Row> rows, @Nullable RuntimeException failure) {
    private static final Pattern TOLD =
            Pattern.compile("Records: (\\d+) +Duplicates: (\\d+) +Warnings: (\\d+)");

    Evaluated(Outcome outcome, List<Row> rows) {
        this(outcome, rows, null);
    }

    public Evaluated {
        rows = List.copyOf(rows);
    }

    /// An INSERT ... ON DUPLICATE KEY UPDATE as it is told who counts no rows that stay as they
    /// are, where the backend has counted these, too. Its rows may meet each other: one that it
    /// adds may be changed again, and again.
    ///
    /// @param own whether a table is the one that it adds to
    /// @param ignores whether it passes over rows, which count as none
    public Outcome overwriting(Predicate<TableDefinition> own, boolean ignores) {
        List<Row> its = rows.stream().filter(row -> own.test(row.table())).toList();
        long gone = its.stream().filter(row -> row.after() == null).count();
        long added = its.stream().filter(row -> row.before() == null).count() - gone;
        Matcher told = TOLD.matcher(outcome.info());
        if (!told.matches()) { // of one row
            return outcome.counting(its.isEmpty() ? 0 : outcome.affectedRows(), outcome.info());
        }
        long records = Long.parseLong(told.group(1));
        long duplicates = Long.parseLong(told.group(2));
        long changed = ignores ? records - duplicates - added : outcome.affectedRows() - records;
        return outcome.counting(
                added + 2 * changed,
                "Records: %d  Duplicates: %d  Warnings: %s"
                        .formatted(records, ignores ? duplicates : changed, told.group(3)));
    }

    /// One row's change.
    ///
    /// @param columns that both have values of
    /// @param key the places of the primary key's among them
    /// @param before null for a new row
    /// @param after null for one that is gone
    public record Row(
            TableDefinition table,
            List<ColumnDefinition> columns,
            List<Integer> key,
            @Nullable List<SqlValue> before,
            @Nullable List<SqlValue> after) {}
}
