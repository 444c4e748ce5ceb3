package org.quiredb.scheduler.classify;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Whether a query calls a stored function, which may read any table.
///
/// What is neither a function of servers nor a word that stands before a bracket is taken for one:
/// a query for which that is wrong waits for commits that it does not need.
public final class StoredCalls {
    private static final Set<String> NATIVE = read();
    private static final String SPATIAL = "st_";

    private static final Set<String> BEFORE_A_BRACKET =
            Set.of(
                    "ALL",
                    "AND",
                    "ANY",
                    "AS",
                    "BETWEEN",
                    "BY",
                    "CASE",
                    "COLUMNS",
                    "DISTINCT",
                    "DIV",
                    "ELSE",
                    "EXCEPT",
                    "EXISTS",
                    "FOR",
                    "FROM",
                    "GROUP",
                    "HAVING",
                    "IN",
                    "INDEX",
                    "INTERSECT",
                    "IS",
                    "JOIN",
                    "KEY",
                    "LATERAL",
                    "LIKE",
                    "LIMIT",
                    "NOT",
                    "OF",
                    "OFFSET",
                    "ON",
                    "OR",
                    "ORDER",
                    "OVER",
                    "PARTITION",
                    "REGEXP",
                    "RLIKE",
                    "SELECT",
                    "SOME",
                    "STRAIGHT_JOIN",
                    "TABLE",
                    "THEN",
                    "TO",
                    "UNION",
                    "USING",
                    "WHEN",
                    "WHERE",
                    "WITH",
                    "XOR");

    private StoredCalls() {}

    public static boolean in(Tokens tokens) {
        return !named(tokens).isEmpty();
    }

    /// What may be a stored function, without a database where the text names none.
    public static Set<TableName> named(Tokens tokens) {
        Set<TableName> named = new HashSet<>();
        for (int i = 0; i + 1 < tokens.size(); i++) {
            if (tokens.is(i + 1, '(') && tokens.isName(i) && isStored(tokens, i)) {
                String database = tokens.is(i - 1, '.') ? tokens.name(i - 2) : "";
                named.add(new TableName(database, tokens.name(i)));
            }
        }
        return named;
    }

    private static boolean isStored(Tokens tokens, int i) {
        String name = tokens.name(i).toLowerCase(Locale.ROOT);
        boolean known =
                NATIVE.contains(name)
                        || name.startsWith(SPATIAL)
                        || BEFORE_A_BRACKET.contains(tokens.upper(i));
        return tokens.is(i - 1, '.') || !known;
    }

    private static Set<String> read() {
        try (InputStream in =
                Objects.requireNonNull(
                        StoredCalls.class.getResourceAsStream("native-functions.txt"))) {
            Set<String> names = new HashSet<>();
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .forEach(line -> names.addAll(List.of(line.split(" ", -1))));
            return Set.copyOf(names);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
