package org.quiredb.sql.tree;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A statement that changes rows.
public sealed interface Change {
    boolean ignore();

    /// Of MariaDB's RETURNING: columns of the table, or all of them; none without it.
    default List<Query.Item> returned() {
        return List.of();
    }

    /// INSERT or REPLACE.
    ///
    /// @param columns none where the statement names none
    /// @param rows of the VALUES; none where a query gives the rows
    /// @param duplicates of ON DUPLICATE KEY UPDATE
    record Insert(
            boolean replaces,
            boolean ignore,
            From.Table table,
            List<Expression.Column> columns,
            List<List<Expression>> rows,
            @Nullable Query query,
            List<Assignment> duplicates,
            List<Query.Item> returned)
            implements Change {
        public Insert {
            columns = List.copyOf(columns);
            rows = List.copyOf(rows);
            duplicates = List.copyOf(duplicates);
            returned = List.copyOf(returned);
        }
    }

    record Update(
            boolean ignore,
            From from,
            List<Assignment> assignments,
            @Nullable Expression where,
            List<Query.Order> order,
            Query.@Nullable Limit limit)
            implements Change {
        public Update {
            assignments = List.copyOf(assignments);
            order = List.copyOf(order);
        }
    }

    /// @param targets what the statement calls the tables whose rows go; none for the one in FROM
    record Delete(
            boolean ignore,
            List<TableName> targets,
            From from,
            @Nullable Expression where,
            List<Query.Order> order,
            Query.@Nullable Limit limit,
            List<Query.Item> returned)
            implements Change {
        public Delete {
            targets = List.copyOf(targets);
            order = List.copyOf(order);
            returned = List.copyOf(returned);
        }
    }

    record Assignment(Expression.Column column, Expression value) {}
}
