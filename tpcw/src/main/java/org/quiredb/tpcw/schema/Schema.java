package org.quiredb.tpcw.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Creates the tables, and afterwards their indexes and foreign keys: rows go in faster in between.
public final class Schema {

    /// Parents before children.
    public static final List<String> TABLES =
            List.of(
                    "country",
                    "author",
                    "address",
                    "customer",
                    "item",
                    "orders",
                    "order_line",
                    "cc_xacts",
                    "shopping_cart",
                    "shopping_cart_line");

    /// What the specification's schema refers to; the cart tables refer to nothing.
    public static final List<ForeignKey> FOREIGN_KEYS =
            List.of(
                    new ForeignKey("address", "addr_co_id", "country", "co_id"),
                    new ForeignKey("customer", "c_addr_id", "address", "addr_id"),
                    new ForeignKey("item", "i_a_id", "author", "a_id"),
                    new ForeignKey("orders", "o_c_id", "customer", "c_id"),
                    new ForeignKey("orders", "o_bill_addr_id", "address", "addr_id"),
                    new ForeignKey("orders", "o_ship_addr_id", "address", "addr_id"),
                    new ForeignKey("order_line", "ol_o_id", "orders", "o_id"),
                    new ForeignKey("order_line", "ol_i_id", "item", "i_id"),
                    new ForeignKey("cc_xacts", "cx_o_id", "orders", "o_id"),
                    new ForeignKey("cc_xacts", "cx_co_id", "country", "co_id"));

    /// Columns with an index of their own: what is searched for, and every foreign key that no
    /// primary key begins with.
    private static final Map<String, List<String>> INDEXED =
            Map.of(
                    "country", List.of("co_name"),
                    "author", List.of("a_lname"),
                    "address", List.of("addr_co_id", "addr_zip"),
                    "customer", List.of("c_uname", "c_addr_id"),
                    "item", List.of("i_title", "i_subject", "i_a_id"),
                    "orders", List.of("o_c_id", "o_bill_addr_id", "o_ship_addr_id"),
                    "order_line", List.of("ol_i_id"),
                    "cc_xacts", List.of("cx_co_id"));

    private Schema() {}

    /// Drops the ten tables where they are.
    public static void drop(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String table : TABLES.reversed()) {
                statement.execute("DROP TABLE IF EXISTS " + table);
            }
        }
    }

    /// Creates the tables with their primary keys.
    public static void createTables(Connection connection) throws SQLException {
        String script =
                Resource.text(Schema.class, "tables.sql")
                        .lines()
                        .filter(line -> !line.startsWith("--"))
                        .collect(Collectors.joining("\n"));
        try (Statement statement = connection.createStatement()) {
            for (String definition : List.of(script.split(";", -1))) {
                if (!definition.isBlank()) {
                    statement.execute(definition.strip());
                }
            }
        }
    }

    /// Adds the indexes and foreign keys of one table, in one statement; a table without any is
    /// left alone.
    public static void addKeys(Connection connection, String table) throws SQLException {
        String clauses =
                Stream.concat(
                                INDEXED.getOrDefault(table, List.of()).stream()
                                        .map("ADD INDEX ix_%1$s (%1$s)"::formatted),
                                FOREIGN_KEYS.stream()
                                        .filter(key -> key.table().equals(table))
                                        .map(ForeignKey::clause))
                        .collect(Collectors.joining(", "));
        if (!clauses.isEmpty()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("ALTER TABLE " + table + " " + clauses);
            }
        }
    }
}
