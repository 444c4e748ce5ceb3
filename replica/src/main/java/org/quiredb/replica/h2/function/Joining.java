package org.quiredb.replica.h2.function;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.value.CompareMode;
import org.h2.value.Value;
import org.h2.value.ValueArray;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.binding.Declarations;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.h2.conversion.MySqlTexts;
import org.quiredb.replica.h2.statement.Statement;

/// GROUP_CONCAT, which H2 calls in two steps; public for H2 alone.
///
/// Threads: any.
public final class Joining {
    /// The variable group_concat_max_len at its default; a server warns of what it cuts.
    private static final int MOST_BYTES = 1 << 20;

    private static final int ENTRY_BYTES = 64;

    private Joining() {}

    static List<String> declarations() {
        return Declarations.of(Joining.class, "collected joined");
    }

    /// What one row adds: NULL where a part of it is.
    public static @Nullable String collected(Value... parts) {
        if (TextFunctions.anyNull(parts)) {
            return null;
        }
        StringBuilder text = new StringBuilder();
        for (Value part : parts) {
            text.append(MySqlTexts.of(part));
        }
        Statement.current().collects(ENTRY_BYTES + 2L * text.length());
        return text.toString();
    }

    /// @param distinct the first of those that are equal
    /// @param rows in their order; null for no rows
    public static @Nullable String joined(
            Connection connection, String separator, boolean distinct, Value rows) {
        if (TextFunctions.isNull(rows)) {
            return null;
        }
        Set<Value> met = distinct ? new TreeSet<>(comparing(connection)) : Set.of();
        StringBuilder text = new StringBuilder();
        boolean any = false;
        for (Value row : ((ValueArray) rows).getList()) {
            if (TextFunctions.isNull(row) || (distinct && !met.add(row))) {
                continue;
            }
            text.append(any ? separator : "").append(row.getString());
            any = true;
            requireNotLong(text.length());
        }
        requireNotLong(text.toString().getBytes(StandardCharsets.UTF_8).length);
        return any ? text.toString() : null;
    }

    private static java.util.Comparator<Value> comparing(Connection connection) {
        SessionLocal session = (SessionLocal) ((JdbcConnection) connection).getSession();
        CompareMode mode = session.getDatabase().getCompareMode();
        return (a, b) -> a.compareTo(b, session, mode);
    }

    private static void requireNotLong(int bytes) {
        if (bytes > MOST_BYTES) {
            throw Errors.unsupported("GROUP_CONCAT of so much, which a server cuts");
        }
    }
}
