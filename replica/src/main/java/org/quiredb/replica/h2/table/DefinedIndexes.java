package org.quiredb.replica.h2.table;

import java.util.List;
import org.h2.index.IndexType;
import org.h2.message.DbException;
import org.h2.table.IndexColumn;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.TableDefinition;

/// Which of a table's defined indexes H2 means when it asks for one by its columns.
final class DefinedIndexes {
    private final TableDefinition table;

    DefinedIndexes(TableDefinition table) {
        this.table = table;
    }

    boolean has(IndexColumn[] cols, boolean unique) {
        return table.indexes().stream()
                .anyMatch(index ->
                        index.unique() == unique
                                && !index.primary()
                                && sameColumns(index.columns(), cols));
    }

    QuireIndex beginningWith(IndexColumn[] cols, List<QuireIndex> trees) {
        for (QuireIndex tree : trees) {
            List<String> columns = table.indexes().get(tree.place()).columns();
            if (!tree.partial()
                    && columns.size() >= cols.length
                    && sameColumns(columns.subList(0, cols.length), cols)) {
                return tree;
            }
        }
        throw DbException.getUnsupportedException(
                "an index that the definition of " + table.name() + " does not have");
    }

    int place(IndexColumn[] cols, IndexType indexType, List<QuireIndex> trees) {
        for (int i = 0; i < table.indexes().size(); i++) {
            var defined = table.indexes().get(i);
            int at = i;
            if (defined.primary() == indexType.isPrimaryKey()
                    && defined.unique() == indexType.isUnique()
                    && trees.stream().noneMatch(tree -> tree.place() == at)
                    && sameColumns(defined.columns(), cols)) {
                return i;
            }
        }
        throw DbException.getUnsupportedException(
                "an index that the definition of " + table.name() + " does not have");
    }

    /// Whether no unique one comes after it.
    boolean lastUnique(int place) {
        return table.indexes().stream().skip(place + 1L).noneMatch(IndexDefinition::unique);
    }

    private static boolean sameColumns(List<String> names, IndexColumn[] cols) {
        if (names.size() != cols.length) {
            return false;
        }
        for (int i = 0; i < cols.length; i++) {
            if (!names.get(i).equalsIgnoreCase(cols[i].column.getName())) {
                return false;
            }
        }
        return true;
    }
}
