package org.quiredb.scheduler.fallback;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.scheduler.fallback.connection.Asked;
import org.quiredb.scheduler.fallback.connection.OverlaySql;

/// A change of rows that the backend is to evaluate, and where it may change some.
///
/// @param asked null of a CALL, which is looked at where it runs
/// @param firstId of the AUTO_INCREMENT values that it generates; 0 where it is to generate none
/// @param mostRows that are looked at of a table
/// @param adds whether rows may come; else one that does has another primary key than before
/// @param removes whether rows may go; likewise
/// @param ignores whether rows that foreign keys refuse are passed over
public record Evaluation(
        @Nullable Asked asked,
        List<Target> targets,
        long firstId,
        int mostRows,
        boolean adds,
        boolean removes,
        boolean ignores) {
    public Evaluation {
        targets = List.copyOf(targets);
    }

    /// A table whose rows it may change.
    ///
    /// @param called what `from` calls it, as SQL
    /// @param from FROM and WHERE of a query that finds all rows that may be changed, perhaps more
    /// @param extent what these rows are
    public record Target(TableDefinition table, String called, String from, Extent extent) {
        /// All of a table.
        public static Target whole(TableDefinition table) {
            String name = OverlaySql.quote(table.schema()) + "." + OverlaySql.quote(table.name());
            return new Target(table, name, " FROM " + name, Extent.TABLE);
        }

        /// Rows of the table that a client's own condition finds.
        public Target found(String name, String query) {
            return new Target(table, name, query, Extent.FOUND);
        }

        /// Rows whose AUTO_INCREMENT values are not below one.
        public Target from(String column, long least) {
            return added(OverlaySql.quote(column) + " >= " + least);
        }

        /// Rows that a condition finds once they are there.
        public Target added(String condition) {
            return where(condition, Extent.NEW);
        }

        /// Rows that a condition finds before, or once they are there.
        public Target keyed(String condition) {
            return where(condition, Extent.KEYED);
        }

        private Target where(String condition, Extent extent) {
            Target whole = whole(table);
            return new Target(table, whole.called, whole.from + " WHERE " + condition, extent);
        }

        /// Rows behind all that are there, by their AUTO_INCREMENT values.
        public static Target behind(TableDefinition table) {
            Target whole = whole(table);
            return new Target(table, whole.called, whole.from, Extent.BEHIND);
        }

        /// The table's column with AUTO_INCREMENT; empty for none.
        String counter() {
            return table.columns().stream()
                    .filter(ColumnDefinition::autoIncrement)
                    .map(ColumnDefinition::name)
                    .findFirst()
                    .orElse("");
        }

        /// Of its rows what the log keeps: generated columns are computed by whoever stores them.
        List<ColumnDefinition> columns() {
            return table.columns().stream().filter(c -> c.generation() == null).toList();
        }

        List<ColumnDefinition> key() {
            return table.rowKey().stream()
                    .flatMap(index -> index.columns().stream())
                    .map(name ->
                            table.columns().stream()
                                    .filter(c -> c.name().equalsIgnoreCase(name))
                                    .findFirst()
                                    .orElseThrow())
                    .toList();
        }
    }

    /// Which rows are looked at.
    public enum Extent {
        TABLE,
        /// That a condition finds before, and by their keys afterwards: none may come.
        FOUND,
        /// That the change adds: none may change or go.
        NEW,
        /// Likewise, of one row, which may be there and change: by the keys that it gives.
        KEYED,
        /// As NEW, in a CALL, where only the backend knows from which value on.
        BEHIND
    }
}
