package org.quiredb.tpcw.interaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.quiredb.tpcw.purchase.CartChange;
import org.quiredb.tpcw.transaction.TransactionRunner;

class AdminConfirmTest {

    private TransactionRunner transactions;

    @BeforeEach
    void open() throws SQLException {
        transactions = Bookstore.open();
    }

    @AfterEach
    void close() throws SQLException {
        transactions.close();
    }

    @Test
    void changesPicturesPriceAndDayOfPublication() throws SQLException {
        var changed =
                new AdminConfirm(60, "image_7.gif", "thumb_8.gif", new BigDecimal("12.34"))
                        .answer(transactions);

        assertThat(changed.image()).isEqualTo("image_7.gif");
        assertThat(changed.thumbnail()).isEqualTo("thumb_8.gif");
        assertThat(changed.cost()).isEqualByComparingTo("12.34");
        assertThat(changed.published()).isEqualTo(transactions.now().toLocalDate());
        assertThat(new ProductDetail(60).answer(transactions)).isEqualTo(changed);
    }

    @Test
    void relatesTheFiveItemsThatBuyersBoughtMostBesides() throws SQLException {
        int item =
                Bookstore.number(
                        "SELECT ol_i_id FROM order_line GROUP BY ol_i_id ORDER BY COUNT(*) DESC LIMIT 1");

        var changed = new AdminConfirm(item, "i", "t", BigDecimal.ONE).answer(transactions);

        assertThat(changed.related()).isEqualTo(mostBoughtBesides(item));
    }

    @Test
    void fillsUpWithTheIdsThatFollowWhereBuyersBoughtNothingElse() throws SQLException {
        var nobodyBought =
                Bookstore.query(
                        "SELECT i_id FROM item LEFT JOIN order_line ON ol_i_id = i_id WHERE ol_i_id IS NULL");
        int item = Integer.parseInt(nobodyBought.getFirst());

        var changed = new AdminConfirm(item, "i", "t", BigDecimal.ONE).answer(transactions);

        assertThat(changed.related())
                .containsExactly(
                        next(item, 1), next(item, 2), next(item, 3), next(item, 4), next(item, 5));
    }

    @Test
    void countsWhatACustomerBoughtOnceEvenIfTheItemWasBoughtTwice() throws SQLException {
        Bookstore.execute("UPDATE item SET i_stock = 2000 WHERE i_id IN (72, 73)");
        buy(14, 71, 72, 600);
        buy(14, 71, 70, 1);
        buy(15, 71, 73, 900);

        var changed = new AdminConfirm(71, "i", "t", BigDecimal.ONE).answer(transactions);

        assertThat(changed.related()).isEqualTo(mostBoughtBesides(71)).startsWith(73, 72);
    }

    /// One of an item together with many of another.
    private void buy(int customer, int item, int other, int quantity) throws SQLException {
        int cart = Bookstore.cartWith(transactions, item, other).cart();
        var quantities = List.of(new CartChange.Quantity(other, quantity));
        Bookstore.change(transactions, cart, new CartChange.Refresh(quantities));
        new BuyConfirm(
                        cart,
                        customer,
                        Bookstore.PAYMENT,
                        "AIR",
                        1,
                        Optional.empty(),
                        List.of("comment"))
                .answer(transactions);
    }

    private static int next(int item, int steps) {
        return (item + steps - 1) % 1000 + 1;
    }

    /// The same, worked out in Java from one simple query after another.
    private static List<Integer> mostBoughtBesides(int item) throws SQLException {
        int newest = Bookstore.number("SELECT MAX(o_id) FROM orders");
        Map<Integer, Integer> quantities = new HashMap<>();
        for (String buyer :
                Bookstore.query(
                        "SELECT DISTINCT o_c_id FROM orders JOIN order_line ON ol_o_id = o_id WHERE ol_i_id = %d AND o_id > %d"
                                .formatted(item, newest - 10_000))) {
            for (String line :
                    Bookstore.query(
                            "SELECT CONCAT(ol_i_id, ':', ol_qty) FROM orders JOIN order_line ON ol_o_id = o_id"
                                    + " WHERE o_c_id = %s AND ol_i_id <> %d"
                                            .formatted(buyer, item))) {
                int colon = line.indexOf(':');
                quantities.merge(
                        Integer.valueOf(line.substring(0, colon)),
                        Integer.valueOf(line.substring(colon + 1)),
                        Integer::sum);
            }
        }
        return quantities.entrySet().stream()
                .sorted(
                        Map.Entry.<Integer, Integer>comparingByValue()
                                .reversed()
                                .thenComparing(Map.Entry.comparingByKey()))
                .limit(5)
                .map(Map.Entry::getKey)
                .toList();
    }
}
