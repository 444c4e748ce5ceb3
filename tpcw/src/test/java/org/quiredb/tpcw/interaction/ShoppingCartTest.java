package org.quiredb.tpcw.interaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quiredb.tpcw.purchase.CartChange;
import org.quiredb.tpcw.purchase.CartLine;
import org.quiredb.tpcw.transaction.TransactionRunner;

@Tag("slow")
class ShoppingCartTest {

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
    void whoHasNoCartGetsOneWithAPromotedItem() throws SQLException {
        var page =
                new ShoppingCart(OptionalInt.empty(), new CartChange.Look(), 30)
                        .answer(transactions);

        assertThat(page.lines()).hasSize(1);
        assertThat(page.promotion().links()).contains(page.lines().getFirst().item());
        assertThat(
                        Bookstore.number(
                                "SELECT COUNT(*) FROM shopping_cart WHERE sc_id = " + page.cart()))
                .isOne();
    }

    @Test
    void addingTwiceRaisesTheQuantity() throws SQLException {
        var cart = Bookstore.cartWith(transactions, 8, 3, 8);

        assertThat(cart.lines()).extracting(CartLine::item).containsExactly(3, 8);
        assertThat(cart.lines()).extracting(CartLine::quantity).containsExactly(1, 2);
    }

    @Test
    void lookingAtAFilledCartWritesNothing() throws SQLException {
        var cart = Bookstore.cartWith(transactions, 4);
        Bookstore.execute(
                "UPDATE shopping_cart SET sc_time = '2020-01-01 00:00:00' WHERE sc_id = "
                        + cart.cart());
        long updates = transactions.updateCommits();

        var seen = Bookstore.change(transactions, cart.cart(), new CartChange.Look());

        assertThat(seen.lines()).isEqualTo(cart.lines());
        assertThat(transactions.updateCommits()).isEqualTo(updates);
        assertThat(
                        Bookstore.query(
                                        "SELECT sc_time FROM shopping_cart WHERE sc_id = "
                                                + cart.cart())
                                .getFirst())
                .startsWith("2020-01-01");
    }

    @Test
    void refreshingChangesTheQuantitiesAndTheTime() throws SQLException {
        var cart = Bookstore.cartWith(transactions, 4, 5, 6);
        Bookstore.execute(
                "UPDATE shopping_cart SET sc_time = '2020-01-01 00:00:00' WHERE sc_id = "
                        + cart.cart());

        var refreshed =
                Bookstore.change(
                        transactions,
                        cart.cart(),
                        new CartChange.Refresh(
                                List.of(
                                        new CartChange.Quantity(6, 10),
                                        new CartChange.Quantity(4, 7))));

        assertThat(refreshed.lines()).extracting(CartLine::quantity).containsExactly(7, 1, 10);
        assertThat(
                        Bookstore.query(
                                "SELECT scl_qty FROM shopping_cart_line WHERE scl_sc_id = %d ORDER BY scl_i_id"
                                        .formatted(cart.cart())))
                .containsExactly("7", "1", "10");
        assertThat(
                        Bookstore.query(
                                        "SELECT sc_time FROM shopping_cart WHERE sc_id = "
                                                + cart.cart())
                                .getFirst())
                .doesNotStartWith("2020");
    }

    @Test
    void aQuantityOfZeroTakesTheLineOut() throws SQLException {
        var cart = Bookstore.cartWith(transactions, 4, 5);

        var refreshed =
                Bookstore.change(
                        transactions,
                        cart.cart(),
                        new CartChange.Refresh(List.of(new CartChange.Quantity(4, 0))));

        assertThat(refreshed.lines()).extracting(CartLine::item).containsExactly(5);
    }

    @Test
    void aCartThatBecomesEmptyGetsAPromotedItem() throws SQLException {
        var cart = Bookstore.cartWith(transactions, 4);

        var refreshed =
                Bookstore.change(
                        transactions,
                        cart.cart(),
                        new CartChange.Refresh(List.of(new CartChange.Quantity(4, 0))));

        assertThat(refreshed.lines()).hasSize(1);
        assertThat(refreshed.promotion().links()).contains(refreshed.lines().getFirst().item());
    }
}
