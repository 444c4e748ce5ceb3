package org.quiredb.scheduler.classify;

import java.util.Locale;
import java.util.Set;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.sql.text.Tokens;

/// An UPDATE or DELETE whose ORDER BY has an aggregate, alone or in a program: MariaDB ends when it
/// runs one, and all that run there with it, so that it is not asked.
public final class OrderedByAggregate {
    private static final Set<String> AGGREGATES =
            Set.of(
                    "any_value",
                    "avg",
                    "bit_and",
                    "bit_or",
                    "bit_xor",
                    "count",
                    "group_concat",
                    "json_arrayagg",
                    "json_objectagg",
                    "max",
                    "min",
                    "st_collect",
                    "std",
                    "stddev",
                    "stddev_pop",
                    "stddev_samp",
                    "sum",
                    "var_pop",
                    "var_samp",
                    "variance");

    private OrderedByAggregate() {}

    /// @throws QuireException what servers say to aggregates in other clauses of a change
    public static void refuse(Tokens tokens) {
        if (isIn(tokens)) {
            throw new QuireException(
                    ErrorCode.INVALID_USE_OF_AGGREGATE, "Invalid use of group function");
        }
    }

    public static boolean isIn(Tokens tokens) {
        int depth = 0;
        int changes = -1; // how deep the change is that goes on; -1 for none
        boolean ordered = false;
        int query = Integer.MAX_VALUE; // how deep the query is that goes on in its ORDER BY
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.is(i, '(')) {
                depth++;
            } else if (tokens.is(i, ')')) {
                depth--;
                query = depth < query ? Integer.MAX_VALUE : query;
            } else if (tokens.is(i, ';')) {
                changes = -1;
            } else if (changes(tokens, i)
                    && (changes < 0 || depth <= changes)) { // not a FOR UPDATE
                changes = depth;
                ordered = false;
                query = Integer.MAX_VALUE;
            } else if (depth == changes && tokens.are(i, "ORDER", "BY")) {
                ordered = true;
            } else if (tokens.is(i, "SELECT")) {
                query = Math.min(query, depth);
            } else if (changes >= 0
                    && ordered
                    && depth < query
                    && tokens.is(i + 1, '(')
                    && AGGREGATES.contains(tokens.name(i).toLowerCase(Locale.ROOT))) {
                return true;
            }
        }
        return false;
    }

    private static boolean changes(Tokens tokens, int i) {
        boolean event = tokens.is(i - 1, "BEFORE") || tokens.is(i - 1, "AFTER"); // of a trigger
        return !event && (tokens.is(i, "UPDATE") || tokens.is(i, "DELETE"));
    }
}
