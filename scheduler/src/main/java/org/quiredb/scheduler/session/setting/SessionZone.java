package org.quiredb.scheduler.session.setting;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.cluster.Cluster;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Which statements come out otherwise in another time zone than UTC, in which the tier computes:
/// in a session with another they are the backend's.
///
/// Threads: any.
public final class SessionZone {
    public static final String REASON =
            "a time_zone but '+00:00' for TIMESTAMP columns and the present moment";

    /// Names are taken for calls wherever they stand: what is no call is right on the backend, too.
    private static final Set<String> FUNCTIONS =
            Set.of(
                    "CURDATE",
                    "CURRENT_DATE",
                    "CURRENT_TIME",
                    "CURRENT_TIMESTAMP",
                    "CURTIME",
                    "FROM_UNIXTIME",
                    "LOCALTIME",
                    "LOCALTIMESTAMP",
                    "NOW",
                    "SYSDATE",
                    "UNIX_TIMESTAMP");

    private final Cluster cluster;

    public SessionZone(Cluster cluster) {
        this.cluster = cluster;
    }

    /// @param tables with their databases
    /// @param changes whether it changes rows, which may get the present moment
    public boolean matters(Set<TableName> tables, Tokens tokens, boolean changes) {
        return calls(tokens) || tables.stream().anyMatch(table -> shows(table, changes));
    }

    private static boolean calls(Tokens tokens) {
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.isName(i) && FUNCTIONS.contains(tokens.name(i).toUpperCase(Locale.ROOT))) {
                return true;
            }
        }
        return false;
    }

    /// What the tier does not hold is the backend's in any case.
    private boolean shows(TableName table, boolean changes) {
        Catalogue now = cluster.catalogueNow();
        Catalogue known = now == null ? cluster.catalogue() : now;
        Optional<CatalogueEntry> entry = known.table(table);
        return entry.isPresent()
                && entry.get().definition().columns().stream()
                        .anyMatch(column ->
                                ofMoments(column)
                                        || calls(column.generation())
                                        || (changes && getsNow(column)));
    }

    private static boolean ofMoments(ColumnDefinition column) {
        return column.type().startsWith("timestamp");
    }

    private static boolean getsNow(ColumnDefinition column) {
        return column.onUpdateNow() || calls(column.defaultExpression());
    }

    private static boolean calls(@Nullable String expression) {
        return expression != null && calls(Tokens.of(expression));
    }
}
