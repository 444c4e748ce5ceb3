package org.quiredb.sql.tree;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A SELECT, or several that UNION puts together.
public sealed interface Query {
    List<Order> order();

    @Nullable Limit limit();

    /// @param from null without FROM
    /// @param locking FOR UPDATE, FOR SHARE or neither
    /// @param waiting of one that locks
    record Select(
            boolean distinct,
            List<Item> items,
            @Nullable From from,
            @Nullable Expression where,
            List<Expression> groups,
            @Nullable Expression having,
            List<Order> order,
            @Nullable Limit limit,
            Locking locking,
            Waiting waiting)
            implements Query {
        public Select {
            items = List.copyOf(items);
            groups = List.copyOf(groups);
            order = List.copyOf(order);
        }

        public Select withItems(List<Item> others) {
            return new Select(
                    distinct, others, from, where, groups, having, order, limit, locking, waiting);
        }

        public Select withWaiting(Waiting other) {
            return new Select(
                    distinct, items, from, where, groups, having, order, limit, locking, other);
        }
    }

    /// `left UNION [ALL] right`, and so on from the left.
    record Union(Query left, Query right, boolean all, List<Order> order, @Nullable Limit limit)
            implements Query {
        public Union {
            order = List.copyOf(order);
        }
    }

    /// What a query shows.
    sealed interface Item {}

    /// @param alias empty without AS
    /// @param heading what the result calls it where there is no alias
    record Shown(Expression expression, String alias, String heading) implements Item {}

    /// `*`, or `table.*`.
    record Everything(String schema, String table) implements Item {}

    record Order(Expression expression, boolean descending) {}

    /// @param offset null for none
    record Limit(Expression rows, @Nullable Expression offset) {}

    enum Locking {
        NONE,
        SHARE,
        UPDATE
    }

    /// What a statement does about a row that another transaction has locked.
    enum Waiting {
        USUAL,
        NOWAIT,
        SKIP_LOCKED
    }
}
