package org.quiredb.logger.apply;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowShape;
import org.quiredb.logger.snapshot.KeyValues;
import org.quiredb.logger.snapshot.SchemaReader;

/// Changes of rows one after the other on a backend that may have some of the rows otherwise than
/// the tier: where a row is not as expected it is made so as far as the change says how, and the
/// rest is *owed*.
///
/// A row that is to be deleted and is not there is as it should be. One that is to be inserted
/// takes the place of whatever has its keys; other rows that this takes away are owed. One that is
/// to be changed and is not there is owed, for the change does not say what else it holds.
///
/// Threads: one; in the transaction of its connection.
final class RowByRow {
    private static final Set<Integer> DUPLICATE_KEY = Set.of(1022, 1062, 1586);

    private final Connection connection;
    private final Statement statement;
    private final List<RowChange> owed = new ArrayList<>();
    private int met;

    RowByRow(Connection connection, Statement statement) {
        this.connection = connection;
        this.statement = statement;
    }

    /// Rows that could not be made what they should be, by their keys.
    List<RowChange> owed() {
        return List.copyOf(owed);
    }

    /// How many rows were not as expected.
    int met() {
        return met;
    }

    /// Whether a statement may have met a row that is not as expected.
    static boolean isDrift(Exception e) {
        return e instanceof DriftException
                || (e instanceof SQLException error
                        && DUPLICATE_KEY.contains(error.getErrorCode()));
    }

    void run(RowChange change) throws SQLException {
        if (change.shape().kind() == RowShape.Kind.INSERT) {
            insert(change);
        } else if (RowSql.one(change).run(statement) == 0) {
            met++;
            if (change.shape().kind() != RowShape.Kind.DELETE) {
                owed.add(change);
            }
        }
    }

    /// Puts rows in the place of whatever the keys name.
    void put(List<RowChange> keys, List<RowChange> rows) throws SQLException {
        for (RowChange key : keys) {
            boolean oneOfSeveral = key.shape().kind() == RowShape.Kind.DELETE_LIKE;
            RowSql.Counted deletion = RowSql.one(key);
            long deleted;
            do {
                deleted = deletion.run(statement);
            } while (oneOfSeveral && deleted > 0);
        }
        for (RowChange row : rows) {
            insert(row);
        }
    }

    private void insert(RowChange row) throws SQLException {
        RowSql.Counted insertion = RowSql.one(row);
        try {
            insertion.run(statement);
        } catch (SQLException e) {
            if (!isDrift(e)) {
                throw e;
            }
            met++;
            owed.addAll(inTheWay(row));
            insertion.as("REPLACE" + insertion.sql().substring("INSERT".length())).run(statement);
        }
    }

    /// Rows with another primary key and the same value of a unique one.
    private List<RowChange> inTheWay(RowChange row) throws SQLException {
        Optional<TableDefinition> table =
                new SchemaReader(connection)
                        .tables().stream()
                                .filter(t -> t.schema().equals(row.shape().schema()))
                                .filter(t -> t.name().equals(row.shape().table()))
                                .findFirst();
        List<RowChange> found = new ArrayList<>();
        if (table.isPresent() && !row.shape().key().isEmpty()) {
            for (IndexDefinition index : table.get().indexes()) {
                if (index.unique()
                        && !index.primary()
                        && row.shape().columns().containsAll(index.columns())) {
                    found.addAll(alike(row, table.get(), index));
                }
            }
        }
        return found;
    }

    private List<RowChange> alike(RowChange row, TableDefinition table, IndexDefinition index)
            throws SQLException {
        RowShape key =
                new RowShape(
                        RowShape.Kind.DELETE,
                        table.schema(),
                        table.name(),
                        row.shape().key(),
                        List.of(),
                        "");
        List<ColumnDefinition> columns =
                key.key().stream().map(name -> KeyValues.column(table, name)).toList();
        StringJoiner conditions = new StringJoiner(" AND ");
        for (int i = 0; i < index.columns().size(); i++) {
            String column = RowSql.quote(index.columns().get(i));
            String literal =
                    row.values()
                            .get(row.shape().columns().indexOf(index.columns().get(i)))
                            .literal();
            int prefix = index.prefixes().get(i);
            conditions.add(
                    prefix == 0
                            ? column + " = " + literal
                            : "LEFT(%s, %d) = LEFT(%s, %d)"
                                    .formatted(column, prefix, literal, prefix));
        }
        List<RowChange> found = new ArrayList<>();
        String query =
                "SELECT %s FROM %s WHERE %s FOR UPDATE"
                        .formatted(KeyValues.selected(columns), RowSql.name(key), conditions);
        try (Statement asked = connection.createStatement();
                ResultSet rows = asked.executeQuery(query)) {
            while (rows.next()) {
                List<SqlValue> values = KeyValues.of(rows, columns);
                if (!values.equals(row.key())) {
                    found.add(new RowChange(key, values));
                }
            }
        }
        return found;
    }
}
