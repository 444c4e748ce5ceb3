package org.quiredb.tpcw.check;

import java.util.ArrayList;
import java.util.List;
import org.quiredb.tpcw.schema.ForeignKey;
import org.quiredb.tpcw.schema.Schema;

/// The conditions, in the order in which they are checked.
final class Conditions {

    private static final List<ConsistencyCondition> RULES =
            List.of(
                    new ConsistencyCondition(
                            "each order has a line",
                            """
                            SELECT COUNT(*) FROM orders LEFT JOIN order_line ON ol_o_id = o_id
                            WHERE ol_o_id IS NULL\
                            """),
                    new ConsistencyCondition(
                            "each order has a card record over its total",
                            """
                            SELECT COUNT(*) FROM orders LEFT JOIN cc_xacts ON cx_o_id = o_id
                            WHERE cx_o_id IS NULL OR cx_xact_amt <> o_total\
                            """),
                    new ConsistencyCondition(
                            "the lines of each order are numbered from 1",
                            """
                            SELECT COUNT(*) FROM
                                (SELECT ol_o_id FROM order_line GROUP BY ol_o_id
                                 HAVING MIN(ol_id) <> 1 OR MAX(ol_id) <> COUNT(*)) broken\
                            """),
                    new ConsistencyCondition(
                            "the total of each order is its sub-total, tax and shipping",
                            """
                            SELECT COUNT(*) FROM
                                (SELECT o_id FROM orders JOIN order_line ON ol_o_id = o_id
                                 GROUP BY o_id, o_total, o_sub_total, o_tax
                                 HAVING o_total - o_sub_total - o_tax <> 3 + COUNT(*)
                                     AND o_total - o_sub_total - o_tax <> 3 + SUM(ol_qty)) broken\
                            """),
                    new ConsistencyCondition(
                            "quantities and discounts of order lines are in range",
                            """
                            SELECT COUNT(*) FROM order_line
                            WHERE ol_qty < 1 OR ol_qty > 999 OR ol_discount < 0 OR ol_discount > 0.5\
                            """),
                    new ConsistencyCondition(
                            "no stock is negative", "SELECT COUNT(*) FROM item WHERE i_stock < 0"),
                    new ConsistencyCondition(
                            "no item is related to itself",
                            """
                            SELECT COUNT(*) FROM item
                            WHERE i_id IN (i_related1, i_related2, i_related3, i_related4, i_related5)\
                            """),
                    new ConsistencyCondition(
                            "the related items of each item differ",
                            """
                            SELECT COUNT(*) FROM item
                            WHERE i_related1 IN (i_related2, i_related3, i_related4, i_related5)
                                OR i_related2 IN (i_related3, i_related4, i_related5)
                                OR i_related3 IN (i_related4, i_related5)
                                OR i_related4 = i_related5\
                            """),
                    new ConsistencyCondition(
                            "quantities in carts are in range",
                            "SELECT COUNT(*) FROM shopping_cart_line WHERE scl_qty < 1 OR scl_qty > 999"),
                    new ConsistencyCondition(
                            "no customer lacks a user name",
                            "SELECT COUNT(*) FROM customer WHERE c_uname = '' OR c_passwd = ''"),
                    new ConsistencyCondition(
                            "no two customers share a user name",
                            """
                            SELECT COUNT(*) FROM
                                (SELECT c_uname FROM customer GROUP BY c_uname HAVING COUNT(*) > 1) broken\
                            """));

    /// References that hold although no foreign key is declared.
    private static final List<ForeignKey> UNDECLARED =
            List.of(
                    new ForeignKey("shopping_cart_line", "scl_sc_id", "shopping_cart", "sc_id"),
                    new ForeignKey("shopping_cart_line", "scl_i_id", "item", "i_id"),
                    new ForeignKey("item", "i_related1", "item", "i_id"),
                    new ForeignKey("item", "i_related2", "item", "i_id"),
                    new ForeignKey("item", "i_related3", "item", "i_id"),
                    new ForeignKey("item", "i_related4", "item", "i_id"),
                    new ForeignKey("item", "i_related5", "item", "i_id"));

    private Conditions() {}

    static List<ConsistencyCondition> all() {
        var conditions = new ArrayList<>(RULES);
        Schema.FOREIGN_KEYS.forEach(key -> conditions.add(reference(key)));
        UNDECLARED.forEach(key -> conditions.add(reference(key)));
        return conditions;
    }

    private static ConsistencyCondition reference(ForeignKey key) {
        return new ConsistencyCondition(
                "each %s names a row of %s".formatted(key.column(), key.parentTable()),
                """
                SELECT COUNT(*) FROM %s child LEFT JOIN %s parent ON parent.%s = child.%s
                WHERE parent.%s IS NULL\
                """
                        .formatted(
                                key.table(),
                                key.parentTable(),
                                key.parentColumn(),
                                key.column(),
                                key.parentColumn()));
    }
}
