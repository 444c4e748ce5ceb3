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
/// What is neither a function of every such server nor a word that stands before a bracket is taken
/// for one: a query for which that is wrong waits for commits that it does not need. What one kind
/// of server brings along is often a stored function of the same name on the other.
public final class StoredCalls {
    private static final Set<String> OF_MARIADB = read("functions-of-mariadb.txt");
    private static final Set<String> OF_MYSQL = read("functions-of-mysql.txt");

    private static final Set<String> EXPLAINING = Set.of("EXPLAIN", "DESCRIBE", "DESC");

    private static final Set<String> CHANGES = Set.of("INSERT", "REPLACE", "UPDATE", "DELETE");

    /// What stands here before a name with a bracket that is a procedure's, or a table's or an
    /// index's whose columns follow. Of EXISTS, as in IF NOT EXISTS, that is no query.
    private static final Set<String> BEFORE_A_TABLE =
            Set.of(
                    "CALL",
                    "DELAYED",
                    "EXISTS",
                    "IGNORE",
                    "INDEX",
                    "INSERT",
                    "INTO",
                    "KEY",
                    "LOW_PRIORITY",
                    "REFERENCES",
                    "REPLACE",
                    "TABLE");

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

    /// Reserved words for types, of parameters, results and variables.
    private static final Set<String> TYPES =
            Set.of(
                    "BIGINT",
                    "BINARY",
                    "DEC",
                    "DECIMAL",
                    "DOUBLE",
                    "FLOAT",
                    "INT",
                    "INTEGER",
                    "MEDIUMINT",
                    "NUMERIC",
                    "REAL",
                    "SMALLINT",
                    "TINYINT",
                    "VARBINARY",
                    "VARCHAR");

    /// Functions of the server only where the bracket follows at once, but for sql_mode
    /// IGNORE_SPACE.
    private static final Set<String> NOT_APART =
            Set.of(
                    "adddate",
                    "bit_and",
                    "bit_or",
                    "bit_xor",
                    "cast",
                    "count",
                    "cume_dist",
                    "curdate",
                    "curtime",
                    "date_add",
                    "date_sub",
                    "dense_rank",
                    "extract",
                    "first_value",
                    "group_concat",
                    "json_arrayagg",
                    "json_objectagg",
                    "json_table",
                    "lag",
                    "lead",
                    "max",
                    "median",
                    "mid",
                    "min",
                    "now",
                    "nth_value",
                    "ntile",
                    "percent_rank",
                    "position",
                    "rank",
                    "row_number",
                    "session_user",
                    "std",
                    "stddev",
                    "stddev_pop",
                    "stddev_samp",
                    "subdate",
                    "substr",
                    "substring",
                    "sum",
                    "sysdate",
                    "system_user",
                    "trim",
                    "var_pop",
                    "var_samp",
                    "variance");

    private StoredCalls() {}

    /// @param mariaDb whether the backend is one, else MySQL
    public static boolean in(Tokens tokens, boolean mariaDb) {
        return !named(tokens, mariaDb).isEmpty();
    }

    /// Whether it may call one that its text does not name: by way of a table that is a view, or by
    /// one that reads such a view.
    public static boolean mayBeHidden(Tokens tokens, boolean mariaDb) {
        String text = tokens.text();
        return Tokens.mentions(text, "FROM")
                || Tokens.mentions(text, "TABLE")
                || explainsChange(tokens)
                || in(tokens, mariaDb);
    }

    /// Whether it is to explain what changes rows or locks them, for which a server may call
    /// functions.
    public static boolean explainsChange(Tokens tokens) {
        String text = tokens.text();
        return EXPLAINING.contains(tokens.upper(0))
                && CHANGES.stream().anyMatch(word -> Tokens.mentions(text, word));
    }

    /// What may be a stored function, without a database where the text names none.
    public static Set<TableName> named(Tokens tokens, boolean mariaDb) {
        Set<TableName> named = new HashSet<>();
        for (int i = 0; i + 1 < tokens.size(); i++) {
            if (isAt(tokens, i, mariaDb)) {
                String database = tokens.is(i - 1, '.') ? tokens.name(i - 2) : "";
                named.add(new TableName(database, tokens.name(i)));
            }
        }
        return named;
    }

    /// Whether that is the name of what may be one, behind its database's if the text has it.
    public static boolean isAt(Tokens tokens, int i, boolean mariaDb) {
        return tokens.is(i + 1, '(') && tokens.isName(i) && isStored(tokens, i, mariaDb);
    }

    private static boolean isStored(Tokens tokens, int i, boolean mariaDb) {
        String name = tokens.name(i).toLowerCase(Locale.ROOT);
        boolean quoted = tokens.upper(i).isEmpty();
        boolean apart = tokens.end(i) < tokens.start(i + 1) && NOT_APART.contains(name);
        boolean known =
                !quoted
                        && !apart
                        && ((mariaDb ? OF_MARIADB : OF_MYSQL).contains(name)
                                || BEFORE_A_BRACKET.contains(tokens.upper(i))
                                || TYPES.contains(tokens.upper(i)));
        boolean qualified = tokens.is(i - 1, '.');
        int before = qualified ? i - 3 : i - 1;
        return !BEFORE_A_TABLE.contains(tokens.upper(before)) && (qualified || !known);
    }

    private static Set<String> read(String list) {
        try (InputStream in = Objects.requireNonNull(StoredCalls.class.getResourceAsStream(list))) {
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
