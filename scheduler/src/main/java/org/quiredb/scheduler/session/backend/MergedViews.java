package org.quiredb.scheduler.session.backend;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// A query's text with the queries of its views in the places of their names, as derived tables:
/// what stands so is a table of the same columns, which has the name that the view had.
public final class MergedViews {
    /// What may stand behind a table that has no other name.
    private static final Set<String> BEHIND =
            Set.of(
                    "CROSS",
                    "EXCEPT",
                    "GROUP",
                    "HAVING",
                    "INNER",
                    "INTERSECT",
                    "JOIN",
                    "LEFT",
                    "LIMIT",
                    "NATURAL",
                    "ON",
                    "ORDER",
                    "RIGHT",
                    "STRAIGHT_JOIN",
                    "UNION",
                    "USING",
                    "WHERE");

    /// What says more of a table than a derived one can be told, or locks it, or is no name.
    private static final Set<String> MORE =
            Set.of(
                    "FETCH",
                    "FOR",
                    "FORCE",
                    "IGNORE",
                    "INTO",
                    "LOCK",
                    "OFFSET",
                    "PARTITION",
                    "PROCEDURE",
                    "USE",
                    "WINDOW");

    private MergedViews() {}

    public interface Queries {
        /// @return null where there is none that can stand there
        @Nullable String of(TableName view);
    }

    /// @param database of names without one
    /// @param isTable what stays as it is
    /// @return null where it is not surely the same, or names no view
    public static @Nullable String in(
            Tokens query, String database, Predicate<TableName> isTable, Queries queries) {
        if (query.dependsOnVersion() || namesQueries(query)) {
            return null;
        }
        Edits edits = new Edits(query);
        Set<String> views = new HashSet<>();
        Set<TableName> named = new HashSet<>();
        Set<TableName> renamed = new HashSet<>();
        for (ReadTables.Place place : ReadTables.places(query)) {
            TableName name = place.name().in(database);
            named.add(name);
            if (isTable.test(name)) {
                continue;
            }
            String view = named(query, place.to());
            String of = view == null ? null : queries.of(name);
            if (view == null || of == null) {
                return null;
            }
            views.add(lower(name));
            if (!view.isEmpty()) {
                renamed.add(name);
            }
            edits.replace(place.from(), place.to(), "(" + of + ")" + view(view, name));
        }
        named.removeAll(renamed);
        return views.isEmpty() || !withoutDatabases(query, views, named, edits)
                ? null
                : edits.made();
    }

    private static String lower(TableName name) {
        return name.name().toLowerCase(Locale.ROOT);
    }

    private static String view(String named, TableName name) {
        return named.isEmpty() ? " AS `" + name.name().replace("`", "``") + "`" : "";
    }

    /// WITH, whose queries hide views of their names.
    private static boolean namesQueries(Tokens query) {
        return IntStream.range(0, query.size())
                .anyMatch(i -> query.is(i, "WITH") && !query.is(i + 1, "ROLLUP"));
    }

    /// A column by its view's database, which no derived table has: the view's name alone says as
    /// much where nothing else has it.
    ///
    /// @param named tables and views that go by their own names
    /// @return false where it does not
    private static boolean withoutDatabases(
            Tokens query, Set<String> views, Set<TableName> named, Edits edits) {
        for (int i = 1; i + 2 < query.size(); i++) {
            String name = query.name(i + 1).toLowerCase(Locale.ROOT);
            if (query.is(i, '.') && query.is(i + 2, '.') && views.contains(name)) {
                TableName view = new TableName(query.name(i - 1), query.name(i + 1));
                boolean alone =
                        named.contains(view)
                                && named.stream().filter(one -> lower(one).equals(name)).count()
                                        == 1;
                if (!alone) {
                    return false;
                }
                edits.replace(i - 1, i + 1, "");
            }
        }
        return true;
    }

    /// @return what the table is called; empty where it has no other name than its own, null where
    ///   that is not told, or more is said of it
    private static @Nullable String named(Tokens query, int at) {
        if (query.is(at, "AS")) {
            return query.isName(at + 1) && !isMore(query, at + 2) ? query.name(at + 1) : null;
        }
        if (at >= query.size()
                || query.is(at, ',')
                || query.is(at, ')')
                || query.is(at, ';')
                || BEHIND.contains(query.upper(at))) {
            return "";
        }
        boolean other = query.isName(at) && !isMore(query, at) && !isMore(query, at + 1);
        return other ? query.name(at) : null;
    }

    private static boolean isMore(Tokens query, int at) {
        return MORE.contains(query.upper(at)) || query.is(at, '(') || query.is(at, '.');
    }
}
