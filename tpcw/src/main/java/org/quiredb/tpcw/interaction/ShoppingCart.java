package org.quiredb.tpcw.interaction;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import org.quiredb.tpcw.purchase.CartChange;
import org.quiredb.tpcw.purchase.CartLine;
import org.quiredb.tpcw.transaction.Sql;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// Shows a cart after changing it as asked. There is always a cart with something in it: who has
/// none gets one, and an empty one gets a promoted item. To look at a cart that holds something
/// writes nothing.
public record ShoppingCart(OptionalInt cart, CartChange change, int promotedItem)
        implements Interaction<ShoppingCart.Page> {

    /// The cart as it is now.
    public record Page(int cart, List<CartLine> lines, Promotion promotion) {}

    private static final String ADD =
            """
            INSERT INTO shopping_cart_line (scl_sc_id, scl_i_id, scl_qty) VALUES (?, ?, 1)
            ON DUPLICATE KEY UPDATE scl_qty = scl_qty + 1\
            """;

    @Override
    public Page answer(TransactionRunner transactions) throws SQLException {
        if (cart.isPresent() && change instanceof CartChange.Look) {
            Page page =
                    transactions.read(connection ->
                            page(
                                    connection,
                                    cart.getAsInt(),
                                    Promotion.of(connection, promotedItem)));
            return page.lines().isEmpty() ? update(transactions, page.promotion()) : page;
        }
        return update(
                transactions,
                transactions.read(connection -> Promotion.of(connection, promotedItem)));
    }

    private static Page page(Connection connection, int cart, Promotion promotion)
            throws SQLException {
        return new Page(cart, CartLine.of(connection, cart), promotion);
    }

    private Page update(TransactionRunner transactions, Promotion promotion) throws SQLException {
        return transactions.update(connection -> {
            int id = stamp(connection);
            boolean mayBeEmpty = apply(connection, id, promotion);
            Page page = page(connection, id, promotion);
            if (mayBeEmpty && page.lines().isEmpty()) {
                Sql.write(connection, ADD, id, fallback(promotion));
                return page(connection, id, promotion);
            }
            return page;
        });
    }

    /// Creates the cart, or notes the time of its change.
    private int stamp(Connection connection) throws SQLException {
        if (cart.isEmpty()) {
            return Sql.insert(connection, "INSERT INTO shopping_cart (sc_time) VALUES (NOW())");
        }
        Sql.write(
                connection,
                "UPDATE shopping_cart SET sc_time = NOW() WHERE sc_id = ?",
                cart.getAsInt());
        return cart.getAsInt();
    }

    /// Changes the lines and returns whether none may be left.
    private boolean apply(Connection connection, int id, Promotion promotion) throws SQLException {
        switch (change) {
            case CartChange.Look() -> Sql.write(connection, ADD, id, fallback(promotion));
            case CartChange.Add(int item) -> Sql.write(connection, ADD, id, item);
            case CartChange.Refresh(var quantities) -> {
                refresh(connection, id, quantities);
                return true;
            }
        }
        return false;
    }

    private static void refresh(Connection connection, int id, List<CartChange.Quantity> quantities)
            throws SQLException {
        var ascending =
                quantities.stream()
                        .sorted(Comparator.comparingInt(CartChange.Quantity::item))
                        .toList();
        for (var wanted : ascending) {
            if (wanted.quantity() == 0) {
                Sql.write(
                        connection,
                        "DELETE FROM shopping_cart_line WHERE scl_sc_id = ? AND scl_i_id = ?",
                        id,
                        wanted.item());
            } else {
                Sql.write(
                        connection,
                        "UPDATE shopping_cart_line SET scl_qty = ? WHERE scl_sc_id = ? AND scl_i_id = ?",
                        wanted.quantity(),
                        id,
                        wanted.item());
            }
        }
    }

    private static int fallback(Promotion promotion) {
        return promotion.related().getFirst().item();
    }
}
