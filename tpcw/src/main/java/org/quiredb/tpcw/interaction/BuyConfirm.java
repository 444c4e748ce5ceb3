package org.quiredb.tpcw.interaction;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.quiredb.tpcw.purchase.AddressForm;
import org.quiredb.tpcw.purchase.CartLine;
import org.quiredb.tpcw.purchase.Payment;
import org.quiredb.tpcw.purchase.Totals;
import org.quiredb.tpcw.transaction.Sql;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// Turns a cart into an order.
///
/// What the cart holds is read first, in a read-only transaction; the update transaction then
/// begins by deleting its lines, so that it only writes. Were the cart bought or changed to another
/// number of lines in between, the delete would find another number of lines, and nothing happens.
///
/// @param shipDays days until the order is shipped
/// @param comments one for each line; begins anew when there are more lines
public record BuyConfirm(
        int cart,
        int customer,
        Payment payment,
        String shipType,
        int shipDays,
        Optional<AddressForm> shipTo,
        List<String> comments)
        implements Interaction<BuyConfirm.Page> {

    /// The order as placed.
    public record Page(int order, List<CartLine> lines, Totals totals) {}

    /// What is known before anything is written.
    private record Order(
            List<CartLine> lines,
            BigDecimal discount,
            int billingAddress,
            int billingCountry,
            Optional<AddressForm.Known> shipTo) {}

    private static final String BUYER =
            """
            SELECT c_discount, c_addr_id, addr_co_id
            FROM customer JOIN address ON addr_id = c_addr_id
            WHERE c_id = ?\
            """;

    /// Takes the books from the stock; what would leave fewer than ten brings 21 more.
    private static final String TAKE_FROM_STOCK =
            """
            UPDATE item SET i_stock = CASE WHEN i_stock - ? < 10 THEN i_stock - ? + 21 ELSE i_stock - ? END
            WHERE i_id = ?\
            """;

    private static final String INSERT_ORDER =
            """
            INSERT INTO orders (o_c_id, o_date, o_sub_total, o_tax, o_total, o_ship_type, o_ship_date, o_bill_addr_id,
                o_ship_addr_id, o_status)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'PENDING')\
            """;

    private static final String INSERT_LINES =
            "INSERT INTO order_line (ol_o_id, ol_id, ol_i_id, ol_qty, ol_discount, ol_comments) VALUES ";

    private static final String INSERT_CARD =
            """
            INSERT INTO cc_xacts (cx_o_id, cx_type, cx_num, cx_name, cx_expiry, cx_auth_id, cx_xact_amt, cx_xact_date,
                cx_co_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)\
            """;

    @Override
    public Page answer(TransactionRunner transactions) throws SQLException {
        Order order = transactions.read(this::read);
        return transactions.update(connection -> place(connection, order, transactions.now()));
    }

    private Order read(Connection connection) throws SQLException {
        List<CartLine> lines = CartLine.of(connection, cart);
        if (lines.isEmpty()) {
            throw new SQLException("Cart " + cart + " is empty", "45000");
        }
        Optional<AddressForm.Known> address =
                shipTo.isPresent()
                        ? Optional.of(shipTo.get().lookUp(connection))
                        : Optional.empty();
        return Sql.one(
                connection,
                row ->
                        new Order(
                                lines, row.getBigDecimal(1), row.getInt(2), row.getInt(3), address),
                BUYER,
                customer);
    }

    private Page place(Connection connection, Order order, LocalDateTime now) throws SQLException {
        int shipAddress =
                order.shipTo().isPresent()
                        ? order.shipTo().get().insertIfNew(connection)
                        : order.billingAddress();
        emptyCart(connection, order.lines().size());
        for (CartLine line : order.lines()) {
            int quantity = line.quantity();
            Sql.write(connection, TAKE_FROM_STOCK, quantity, quantity, quantity, line.item());
        }
        Totals totals = Totals.of(order.lines(), order.discount());
        int id = insertOrder(connection, order, totals, shipAddress, now);
        insertLines(connection, id, order);
        insertCard(connection, id, order, totals, now);
        return new Page(id, order.lines(), totals);
    }

    private void emptyCart(Connection connection, int expectedLines) throws SQLException {
        int deleted =
                Sql.write(connection, "DELETE FROM shopping_cart_line WHERE scl_sc_id = ?", cart);
        if (deleted != expectedLines) {
            throw new SQLException("Cart " + cart + " changed while it was being bought", "45000");
        }
    }

    private int insertOrder(
            Connection connection, Order order, Totals totals, int shipAddress, LocalDateTime now)
            throws SQLException {
        return Sql.insert(
                connection,
                INSERT_ORDER,
                customer,
                now,
                totals.subTotal(),
                totals.tax(),
                totals.total(),
                shipType,
                now.plusDays(shipDays),
                order.billingAddress(),
                shipAddress);
    }

    private void insertLines(Connection connection, int id, Order order) throws SQLException {
        var parameters = new ArrayList<Object>();
        for (int i = 0; i < order.lines().size(); i++) {
            CartLine line = order.lines().get(i);
            Collections.addAll(
                    parameters,
                    id,
                    i + 1,
                    line.item(),
                    line.quantity(),
                    order.discount(),
                    comments.get(i % comments.size()));
        }
        String rows =
                String.join(", ", Collections.nCopies(order.lines().size(), "(?, ?, ?, ?, ?, ?)"));
        Sql.write(connection, INSERT_LINES + rows, parameters.toArray());
    }

    private void insertCard(
            Connection connection, int id, Order order, Totals totals, LocalDateTime now)
            throws SQLException {
        int country =
                order.shipTo().isPresent()
                        ? order.shipTo().get().country()
                        : order.billingCountry();
        Sql.write(
                connection,
                INSERT_CARD,
                id,
                payment.type(),
                payment.number(),
                payment.holder(),
                payment.expiry(),
                payment.authorisation(),
                totals.total(),
                now,
                country);
    }
}
