package org.quiredb.replica.layout;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.quiredb.common.mysql.ColumnFlag;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.replica.page.TableCounters;
import org.quiredb.replica.tree.BTree;
import org.quiredb.replica.tree.RowPages;

/// A table of ours, apart from H2: its id, its rows' bytes, its trees.
///
/// @param enumerations names of ENUM and SET columns, in lower case, and then ALL_COLUMNS, too:
///   they sort by their numbers in MySQL, by their texts here
public record TableLayout(
        int tableId,
        ConflictClass conflictClass,
        TableDefinition definition,
        RowLayout rows,
        RowPages pages,
        TableCounters counters,
        Set<String> enumerations) {
    /// Among the columns that rows are ordered by for `*`.
    public static final String ALL_COLUMNS = "*";

    public static TableLayout of(
            int tableId,
            ConflictClass conflictClass,
            TableDefinition definition,
            TableCounters counters) {
        List<ColumnType> types = definition.columns().stream().map(ColumnType::of).toList();
        return new TableLayout(
                tableId,
                conflictClass,
                definition,
                new RowLayout(types),
                new RowPages(tableId),
                counters,
                enumerations(definition));
    }

    private static Set<String> enumerations(TableDefinition definition) {
        Set<String> names = new HashSet<>();
        for (ColumnDefinition column : definition.columns()) {
            if ((ColumnType.of(column).flags() & (ColumnFlag.ENUM | ColumnFlag.SET)) != 0) {
                names.add(column.name().toLowerCase(Locale.ROOT));
            }
        }
        if (!names.isEmpty()) {
            names.add(ALL_COLUMNS);
        }
        return Set.copyOf(names);
    }

    public int rootPages() {
        return definition.indexes().size() + (primary() < 0 ? 1 : 0);
    }

    /// Whether a row is known by what it has in a column, among others: by all where there is no
    /// primary key, or one that is generated.
    public boolean names(int column) {
        int primary = primary();
        return primary < 0
                || definition.indexes().get(primary).columns().stream()
                        .mapToInt(this::column)
                        .anyMatch(i ->
                                i == column || definition.columns().get(i).generation() != null);
    }

    /// The primary key's place among the indexes, -1 for none.
    public int primary() {
        for (int i = 0; i < definition.indexes().size(); i++) {
            if (definition.indexes().get(i).primary()) {
                return i;
            }
        }
        return -1;
    }

    /// The tree that reaches every row: the primary key's, else the one of locators.
    public BTree scanTree() {
        return new BTree(tableId, primary() < 0 ? definition.indexes().size() : primary());
    }

    /// As {@link #scanTree}, in the order of InnoDB's rows: without a primary key that of the first
    /// unique key whose columns are all NOT NULL.
    public BTree clusteredTree() {
        int place = firstUnique();
        return place < 0 ? scanTree() : new BTree(tableId, place);
    }

    /// The place among the indexes of InnoDB's clustered key, -1 where rows go by their places.
    public int clustered() {
        return primary() < 0 ? firstUnique() : primary();
    }

    /// The place of the index that has InnoDB's order, -1 where no whole unique key is NOT NULL.
    public int firstUnique() {
        for (int i = 0; i < definition.indexes().size(); i++) {
            IndexDefinition index = definition.indexes().get(i);
            if (index.unique() && !index.partial() && rejectsNull(index)) {
                return i;
            }
        }
        return -1;
    }

    /// Whether all columns of the index are NOT NULL.
    public boolean rejectsNull(IndexDefinition index) {
        return index.columns().stream().noneMatch(this::nullable);
    }

    private boolean nullable(String column) {
        return definition.columns().get(column(column)).nullable();
    }

    public BTree tree(int index) {
        return new BTree(tableId, index);
    }

    /// The places of the columns of an index.
    public int[] keyColumns(int index) {
        return definition.indexes().get(index).columns().stream().mapToInt(this::column).toArray();
    }

    public boolean has(String column) {
        return definition.columns().stream().anyMatch(c -> c.name().equalsIgnoreCase(column));
    }

    public int column(String name) {
        for (int i = 0; i < definition.columns().size(); i++) {
            if (definition.columns().get(i).name().equalsIgnoreCase(name)) {
                return i;
            }
        }
        throw new IllegalArgumentException(definition.name() + " has no column " + name);
    }

    /// The AUTO_INCREMENT column, -1 for none.
    public int autoIncrement() {
        List<ColumnDefinition> columns = definition.columns();
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).autoIncrement()) {
                return i;
            }
        }
        return -1;
    }

    /// How a column is described where it is shown as it is.
    public ColumnMetadata metadata(int column, String alias) {
        return metadata(column, "", alias);
    }

    /// @param tableAlias empty where the statement gives the table no name of its own
    public ColumnMetadata metadata(int column, String tableAlias, String alias) {
        return ColumnDescription.of(
                definition,
                definition.columns().get(column),
                rows.type(column),
                tableAlias.isEmpty() ? definition.name() : tableAlias,
                alias);
    }
}
