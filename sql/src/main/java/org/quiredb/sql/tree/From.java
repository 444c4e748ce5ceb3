package org.quiredb.sql.tree;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a query's rows come from.
public sealed interface From {
    /// @param schema empty for the current one
    /// @param alias empty for the table's own name
    /// @param hints the indexes that USE, FORCE or IGNORE INDEX names, which have to be there
    record Table(String schema, String name, String alias, List<String> hints) implements From {
        public Table {
            hints = List.copyOf(hints);
        }

        public Table(String schema, String name, String alias) {
            this(schema, name, alias, List.of());
        }

        /// What the statement calls it.
        public String called() {
            return alias.isEmpty() ? name : alias;
        }
    }

    record Derived(Query query, String alias) implements From {}

    /// @param on null for a cross join, and with USING
    record Join(Kind kind, From left, From right, @Nullable Expression on, List<String> using)
            implements From {
        public Join {
            using = List.copyOf(using);
        }

        public enum Kind {
            INNER,
            LEFT,
            RIGHT
        }
    }
}
