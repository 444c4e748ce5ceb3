package org.quiredb.tpcw.purchase;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.quiredb.tpcw.transaction.Sql;

/// A book in a shopping cart.
public record CartLine(
        int item,
        int quantity,
        String title,
        BigDecimal cost,
        BigDecimal retailPrice,
        String backing) {

    private static final String LINES =
            """
            SELECT scl_i_id, scl_qty, i_title, i_cost, i_srp, i_backing
            FROM shopping_cart_line JOIN item ON i_id = scl_i_id
            WHERE scl_sc_id = ?
            ORDER BY scl_i_id\
            """;

    /// The lines of a cart, by ascending item.
    public static List<CartLine> of(Connection connection, int cart) throws SQLException {
        return Sql.list(
                connection,
                row ->
                        new CartLine(
                                row.getInt(1),
                                row.getInt(2),
                                row.getString(3),
                                row.getBigDecimal(4),
                                row.getBigDecimal(5),
                                row.getString(6)),
                LINES,
                cart);
    }
}
