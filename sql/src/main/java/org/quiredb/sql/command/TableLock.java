package org.quiredb.sql.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// A table that LOCK TABLES names, with or without an alias.
///
/// @param write for the client alone; else for reading
public record TableLock(TableName table, boolean write) {
    /// Of `LOCK TABLE[S] name [[AS] alias] READ [LOCAL] | [LOW_PRIORITY] WRITE, ...`
    ///
    /// @return empty where the statement is a mistake
    public static Optional<List<TableLock>> read(Tokens tokens) {
        Cursor cursor = new Cursor(tokens, 2);
        List<TableLock> locks = new ArrayList<>();
        do {
            Optional<TableLock> one = one(cursor);
            if (one.isEmpty()) {
                return Optional.empty();
            }
            locks.add(one.get());
        } while (cursor.take(','));
        cursor.take(';');
        return cursor.ended() ? Optional.of(List.copyOf(locks)) : Optional.empty();
    }

    private static Optional<TableLock> one(Cursor cursor) {
        TableName table = cursor.table();
        if (table == null) {
            return Optional.empty();
        }
        boolean called = cursor.take("AS") || !isMode(cursor);
        cursor.at += called ? 1 : 0;
        if (cursor.take("READ")) {
            boolean _ = cursor.take("LOCAL");
            return Optional.of(new TableLock(table, false));
        }
        boolean _ = cursor.take("LOW_PRIORITY");
        if (cursor.take("WRITE")) {
            boolean _ = cursor.take("CONCURRENT");
            return Optional.of(new TableLock(table, true));
        }
        return Optional.empty();
    }

    private static boolean isMode(Cursor cursor) {
        return cursor.tokens.is(cursor.at, "READ")
                || cursor.tokens.is(cursor.at, "WRITE")
                || cursor.tokens.is(cursor.at, "LOW_PRIORITY");
    }
}
