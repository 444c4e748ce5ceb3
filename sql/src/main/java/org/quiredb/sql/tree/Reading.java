package org.quiredb.sql.tree;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a statement's text says.
///
/// @param understood the parser took it; otherwise nothing is known but `leftOut`
/// @param reads tables whose rows decide the result
/// @param changes tables whose rows the statement may change
/// @param systemTables it names a table of the server's own schemas
/// @param locking FOR UPDATE or FOR SHARE
/// @param shows it changes rows and answers with rows (RETURNING)
/// @param query null for anything that is no query of the tree
/// @param change null for anything that is no change of the tree
/// @param leftOut why there is no tree; empty where there is one
public record Reading(
        boolean understood,
        Set<TableName> reads,
        Set<TableName> changes,
        boolean systemTables,
        boolean locking,
        boolean shows,
        @Nullable Query query,
        @Nullable Change change,
        String leftOut) {
    public Reading {
        reads = Set.copyOf(reads);
        changes = Set.copyOf(changes);
    }
}
