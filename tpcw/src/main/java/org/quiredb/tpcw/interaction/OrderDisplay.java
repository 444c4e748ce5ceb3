package org.quiredb.tpcw.interaction;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.quiredb.tpcw.transaction.Sql;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// A customer's latest order.
public record OrderDisplay(String userName, String password)
        implements Interaction<Optional<OrderDisplay.Page>> {

    /// The order; there is none when the customer never ordered or does not exist.
    public record Page(
            int order,
            LocalDateTime ordered,
            BigDecimal subTotal,
            BigDecimal tax,
            BigDecimal total,
            String shipType,
            LocalDateTime shipped,
            String status,
            String cardType,
            String authorisation,
            Place billTo,
            Place shipTo,
            List<Line> lines) {}

    /// An address with its country.
    public record Place(
            String street1,
            String street2,
            String city,
            String state,
            String zip,
            String country) {}

    /// A book of the order.
    public record Line(
            int item,
            String title,
            String publisher,
            BigDecimal cost,
            int quantity,
            BigDecimal discount) {}

    private static final String CUSTOMER =
            "SELECT c_id FROM customer WHERE c_uname = ? AND c_passwd = ?";

    static final String LATEST =
            "SELECT o_id FROM orders WHERE o_c_id = ? ORDER BY o_date DESC, o_id DESC LIMIT 1";

    private static final String ORDER =
            """
            SELECT o_id, o_date, o_sub_total, o_tax, o_total, o_ship_type, o_ship_date, o_status, cx_type, cx_auth_id,
                bill.addr_street1, bill.addr_street2, bill.addr_city, bill.addr_state, bill.addr_zip, bill_co.co_name,
                ship.addr_street1, ship.addr_street2, ship.addr_city, ship.addr_state, ship.addr_zip, ship_co.co_name
            FROM orders
                JOIN cc_xacts ON cx_o_id = o_id
                JOIN address bill ON bill.addr_id = o_bill_addr_id
                JOIN country bill_co ON bill_co.co_id = bill.addr_co_id
                JOIN address ship ON ship.addr_id = o_ship_addr_id
                JOIN country ship_co ON ship_co.co_id = ship.addr_co_id
            WHERE o_id = ?\
            """;

    static final String LINES =
            """
            SELECT ol_i_id, i_title, i_publisher, i_cost, ol_qty, ol_discount
            FROM order_line JOIN item ON i_id = ol_i_id
            WHERE ol_o_id = ?
            ORDER BY ol_id\
            """;

    private static final int BILL_TO_COLUMN = 11;
    private static final int SHIP_TO_COLUMN = 17;

    @Override
    public Optional<Page> answer(TransactionRunner transactions) throws SQLException {
        return transactions.read(connection -> {
            var customer =
                    Sql.first(connection, row -> row.getInt(1), CUSTOMER, userName, password);
            if (customer.isEmpty()) {
                return Optional.empty();
            }
            var order = Sql.first(connection, row -> row.getInt(1), LATEST, customer.get());
            return order.isEmpty() ? Optional.empty() : Optional.of(page(connection, order.get()));
        });
    }

    private static Page page(Connection connection, int order) throws SQLException {
        List<Line> lines =
                Sql.list(
                        connection,
                        row ->
                                new Line(
                                        row.getInt(1),
                                        row.getString(2),
                                        row.getString(3),
                                        row.getBigDecimal(4),
                                        row.getInt(5),
                                        row.getBigDecimal(6)),
                        LINES,
                        order);
        return Sql.one(connection, row -> page(row, lines), ORDER, order);
    }

    private static Page page(ResultSet row, List<Line> lines) throws SQLException {
        return new Page(
                row.getInt(1),
                row.getObject(2, LocalDateTime.class),
                row.getBigDecimal(3),
                row.getBigDecimal(4),
                row.getBigDecimal(5),
                row.getString(6),
                row.getObject(7, LocalDateTime.class),
                row.getString(8),
                row.getString(9),
                row.getString(10),
                place(row, BILL_TO_COLUMN),
                place(row, SHIP_TO_COLUMN),
                lines);
    }

    private static Place place(ResultSet row, int column) throws SQLException {
        return new Place(
                row.getString(column),
                row.getString(column + 1),
                row.getString(column + 2),
                row.getString(column + 3),
                row.getString(column + 4),
                row.getString(column + 5));
    }
}
