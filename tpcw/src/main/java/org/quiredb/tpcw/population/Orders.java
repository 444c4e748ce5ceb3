package org.quiredb.tpcw.population;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDateTime;
import org.quiredb.tpcw.random.TpcwRandom;
import org.quiredb.tpcw.schema.Country;
import org.quiredb.tpcw.schema.EnumeratedValues;

/// The orders of the last 60 days, each with its lines and its card record.
record Orders(Size size) implements Filler {

    private static final BigDecimal TAX_RATE = new BigDecimal("0.0825");
    private static final BigDecimal SHIPPING = new BigDecimal("3.00");
    private static final int MAX_LINES = 5;

    @Override
    public void fill(Connection connection, int first, int last, TpcwRandom draw)
            throws SQLException {
        try (var orders =
                        new Batch(
                                connection,
                                "orders",
                                "o_id, o_c_id, o_date, o_sub_total, o_tax, o_total, o_ship_type, o_ship_date,"
                                        + " o_bill_addr_id, o_ship_addr_id, o_status");
                var lines =
                        new Batch(
                                connection,
                                "order_line",
                                "ol_o_id, ol_id, ol_i_id, ol_qty, ol_discount, ol_comments");
                var cards =
                        new Batch(
                                connection,
                                "cc_xacts",
                                "cx_o_id, cx_type, cx_num, cx_name, cx_expiry, cx_auth_id, cx_xact_amt, cx_xact_date,"
                                        + " cx_co_id")) {
            for (int id = first; id <= last; id++) {
                add(orders, lines, cards, draw, id);
            }
            orders.send();
            lines.send();
            cards.send();
        }
    }

    private void add(Batch orders, Batch lines, Batch cards, TpcwRandom draw, int id)
            throws SQLException {
        int lineCount = draw.between(1, MAX_LINES);
        BigDecimal subTotal = draw.hundredths(1000, 999_999);
        BigDecimal tax = subTotal.multiply(TAX_RATE).setScale(2, RoundingMode.HALF_UP);
        BigDecimal total = subTotal.add(tax).add(SHIPPING).add(BigDecimal.valueOf(lineCount));
        LocalDateTime ordered =
                size.now()
                        .minusDays(draw.between(1, 60))
                        .minusSeconds(draw.between(0, 24 * 3600 - 1));
        LocalDateTime shipped = ordered.plusDays(draw.between(0, 7));
        orders.add(
                id,
                draw.between(1, size.customers()),
                ordered,
                subTotal,
                tax,
                total,
                draw.pick(EnumeratedValues.SHIP_TYPES),
                shipped,
                draw.between(1, size.addresses()),
                draw.between(1, size.addresses()),
                draw.pick(EnumeratedValues.ORDER_STATUSES));
        for (int line = 1; line <= lineCount; line++) {
            addLine(lines, draw, id, line);
        }
        addCard(cards, draw, id, total, shipped);
    }

    private void addLine(Batch lines, TpcwRandom draw, int order, int line) throws SQLException {
        lines.add(
                order,
                line,
                draw.between(1, size.items()),
                draw.between(1, 300),
                draw.hundredths(0, 3),
                draw.text(20, 100));
    }

    private void addCard(
            Batch cards, TpcwRandom draw, int order, BigDecimal total, LocalDateTime shipped)
            throws SQLException {
        cards.add(
                order,
                draw.pick(EnumeratedValues.CARD_TYPES),
                draw.digits(16, 16),
                draw.text(14, 30),
                size.now().toLocalDate().plusDays(draw.between(10, 730)),
                draw.text(15, 15),
                total,
                shipped,
                draw.pick(Country.ALL).id());
    }
}
