package org.quiredb.tpcw.purchase;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/// What an order costs, in currency units with two places.
public record Totals(BigDecimal subTotal, BigDecimal tax, BigDecimal shipping) {

    private static final BigDecimal TAX_RATE = new BigDecimal("0.0825");
    private static final int SHIPPING_PER_ORDER = 3;
    private static final int SHIPPING_PER_BOOK = 1;

    /// @param discount the customer's share off the price, such as 0.25
    public static Totals of(List<CartLine> lines, BigDecimal discount) {
        BigDecimal price = BigDecimal.ZERO;
        int books = 0;
        for (CartLine line : lines) {
            price = price.add(line.cost().multiply(BigDecimal.valueOf(line.quantity())));
            books += line.quantity();
        }
        BigDecimal subTotal = twoPlaces(price.multiply(BigDecimal.ONE.subtract(discount)));
        int shipping = SHIPPING_PER_ORDER + SHIPPING_PER_BOOK * books;
        return new Totals(
                subTotal,
                twoPlaces(subTotal.multiply(TAX_RATE)),
                twoPlaces(BigDecimal.valueOf(shipping)));
    }

    private static BigDecimal twoPlaces(BigDecimal amount) {
        return amount.setScale(2, RoundingMode.HALF_UP);
    }

    public BigDecimal total() {
        return subTotal.add(tax).add(shipping);
    }
}
