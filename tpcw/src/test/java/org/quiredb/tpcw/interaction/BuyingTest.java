package org.quiredb.tpcw.interaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.quiredb.tpcw.purchase.AddressForm;
import org.quiredb.tpcw.purchase.Buyer;
import org.quiredb.tpcw.purchase.CartLine;
import org.quiredb.tpcw.purchase.Totals;
import org.quiredb.tpcw.random.DigSyl;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// Buy Request, Buy Confirm and Order Display.
class BuyingTest {

    private static final Buyer.New NEWCOMER =
            new Buyer.New(
                    "Grace",
                    "Hopper",
                    Bookstore.ADDRESS,
                    "0123456789",
                    "grace@example.com",
                    LocalDate.of(1906, 12, 9),
                    "likes compilers",
                    new BigDecimal("0.20"));

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
    void aReturningCustomerIsLoggedInForTwoHours() throws SQLException {
        Bookstore.execute(
                "UPDATE customer SET c_login = '2020-01-01', c_expiration = '2020-01-01' WHERE c_id = 9");
        var cart = Bookstore.cartWith(transactions, 4);

        var page = new BuyRequest(cart.cart(), Bookstore.returning(9)).answer(transactions);

        assertThat(page.customer().customer()).isEqualTo(9);
        assertThat(page.lines()).isEqualTo(cart.lines());
        assertThat(
                        Bookstore.number(
                                "SELECT TIMESTAMPDIFF(SECOND, c_login, c_expiration) FROM customer WHERE c_id = 9"))
                .isEqualTo(7200);
        assertThat(Bookstore.number("SELECT YEAR(c_login) FROM customer WHERE c_id = 9"))
                .isGreaterThan(2020);
    }

    @Test
    void aWrongPasswordIsAnErrorAndChangesNothing() throws SQLException {
        var cart = Bookstore.cartWith(transactions, 4);
        String login = Bookstore.query("SELECT c_login FROM customer WHERE c_id = 10").getFirst();

        assertThatThrownBy(() ->
                        new BuyRequest(
                                        cart.cart(),
                                        new Buyer.Returning(DigSyl.userName(10), "wrong"))
                                .answer(transactions))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("with this password");

        assertThat(Bookstore.query("SELECT c_login FROM customer WHERE c_id = 10"))
                .containsExactly(login);
    }

    @Test
    void aNewCustomerIsRegisteredUnderANameMadeOfTheId() throws SQLException {
        var cart = Bookstore.cartWith(transactions, 4);

        var page = new BuyRequest(cart.cart(), NEWCOMER).answer(transactions);

        int id = page.customer().customer();
        assertThat(id).isGreaterThan(1440);
        assertThat(page.customer().userName()).isEqualTo(DigSyl.userName(id));
        assertThat(page.customer().country()).isEqualTo("Canada");
        assertThat(page.customer().discount()).isEqualByComparingTo("0.20");
        assertThat(Bookstore.query("SELECT c_passwd FROM customer WHERE c_id = " + id))
                .containsExactly(DigSyl.password(id));
    }

    @Test
    void anAddressThatIsThereIsNotInsertedAgain() throws SQLException {
        var cart = Bookstore.cartWith(transactions, 4);
        int first =
                new BuyRequest(cart.cart(), NEWCOMER).answer(transactions).customer().customer();
        int addresses = Bookstore.number("SELECT COUNT(*) FROM address");

        int second =
                new BuyRequest(cart.cart(), NEWCOMER).answer(transactions).customer().customer();

        assertThat(second).isNotEqualTo(first);
        assertThat(Bookstore.number("SELECT COUNT(*) FROM address")).isEqualTo(addresses);
        assertThat(
                        Bookstore.number(
                                "SELECT COUNT(DISTINCT c_addr_id) FROM customer WHERE c_id IN (%d, %d)"
                                        .formatted(first, second)))
                .isOne();
    }

    @Test
    void totalsAreDiscountedTaxedAndShippedByTheBook() {
        var lines = List.of(line(1, 2, "10.00"), line(2, 3, "5.55"));

        Totals totals = Totals.of(lines, new BigDecimal("0.10"));

        assertThat(totals.subTotal()).isEqualByComparingTo("32.99");
        assertThat(totals.tax()).isEqualByComparingTo("2.72");
        assertThat(totals.shipping()).isEqualByComparingTo("8.00");
        assertThat(totals.total()).isEqualByComparingTo("43.71");
    }

    @Test
    void buyingWritesOrderLinesCardAndEmptiesTheCart() throws SQLException {
        var cart = Bookstore.cartWith(transactions, 21, 22, 22);

        var bought = confirm(cart.cart(), 11, Optional.empty());

        String ofOrder = " WHERE o_id = " + bought.order();
        assertThat(Bookstore.number("SELECT o_c_id FROM orders" + ofOrder)).isEqualTo(11);
        assertThat(Bookstore.query("SELECT o_status FROM orders" + ofOrder))
                .containsExactly("PENDING");
        assertThat(
                        new BigDecimal(
                                Bookstore.query("SELECT o_total FROM orders" + ofOrder).getFirst()))
                .isEqualByComparingTo(bought.totals().total());
        assertThat(
                        Bookstore.query(
                                "SELECT CONCAT(ol_id, ':', ol_i_id, ':', ol_qty, ':', ol_comments) FROM order_line"
                                        + " WHERE ol_o_id = %d ORDER BY ol_id"
                                                .formatted(bought.order())))
                .containsExactly("1:21:1:first", "2:22:2:second");
        assertThat(
                        Bookstore.number(
                                "SELECT COUNT(*) FROM cc_xacts JOIN orders ON o_id = cx_o_id AND cx_xact_amt = o_total"
                                        + ofOrder))
                .isOne();
        assertThat(
                        Bookstore.number(
                                "SELECT COUNT(*) FROM shopping_cart_line WHERE scl_sc_id = "
                                        + cart.cart()))
                .isZero();
        assertThat(
                        Bookstore.number(
                                "SELECT COUNT(*) FROM shopping_cart WHERE sc_id = " + cart.cart()))
                .isOne();
    }

    @Test
    void stockFallsByTheQuantityUntilFewerThanTenWouldBeLeft() throws SQLException {
        Bookstore.execute("UPDATE item SET i_stock = 12 WHERE i_id = 50");
        Bookstore.execute("UPDATE item SET i_stock = 11 WHERE i_id = 51");
        var cart = Bookstore.cartWith(transactions, 50, 50, 51, 51);

        confirm(cart.cart(), 11, Optional.empty());

        assertThat(Bookstore.number("SELECT i_stock FROM item WHERE i_id = 50")).isEqualTo(10);
        assertThat(Bookstore.number("SELECT i_stock FROM item WHERE i_id = 51")).isEqualTo(9 + 21);
    }

    @Test
    void anotherShippingAddressIsInsertedAndItsCountryGoesOnTheCardRecord() throws SQLException {
        var cart = Bookstore.cartWith(transactions, 21);
        var elsewhere = new AddressForm("2 Far Road", "", "Lyon", "Rhone", "69001", "France");

        var bought = confirm(cart.cart(), 11, Optional.of(elsewhere));

        assertThat(
                        Bookstore.query(
                                "SELECT addr_city FROM address JOIN orders ON o_ship_addr_id = addr_id WHERE o_id = "
                                        + bought.order()))
                .containsExactly("Lyon");
        assertThat(
                        Bookstore.query(
                                "SELECT co_name FROM country JOIN cc_xacts ON cx_co_id = co_id WHERE cx_o_id = "
                                        + bought.order()))
                .containsExactly("France");
        assertThat(
                        Bookstore.number(
                                "SELECT o_bill_addr_id = c_addr_id FROM orders JOIN customer ON c_id = o_c_id WHERE o_id = "
                                        + bought.order()))
                .isOne();
    }

    @Test
    void aCartIsBoughtOnce() throws SQLException {
        var cart = Bookstore.cartWith(transactions, 21);
        confirm(cart.cart(), 11, Optional.empty());
        int orders = Bookstore.number("SELECT COUNT(*) FROM orders");

        assertThatThrownBy(() -> confirm(cart.cart(), 11, Optional.empty()))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("is empty");

        assertThat(Bookstore.number("SELECT COUNT(*) FROM orders")).isEqualTo(orders);
    }

    @Test
    void orderDisplayShowsTheLatestOrderNotTheOldest() throws SQLException {
        var cart = Bookstore.cartWith(transactions, 21, 22);
        var bought = confirm(cart.cart(), 12, Optional.empty());

        var page =
                new OrderDisplay(DigSyl.userName(12), DigSyl.password(12))
                        .answer(transactions)
                        .orElseThrow();

        assertThat(page.order()).isEqualTo(bought.order());
        assertThat(page.total()).isEqualByComparingTo(bought.totals().total());
        assertThat(page.lines()).extracting(OrderDisplay.Line::item).containsExactly(21, 22);
        assertThat(page.shipTo()).isEqualTo(page.billTo());
        assertThat(page.shipped()).isEqualTo(page.ordered().plusDays(3));
    }

    @Test
    void orderDisplayOrdersByDateBeforeId() throws SQLException {
        var older = confirm(Bookstore.cartWith(transactions, 21).cart(), 13, Optional.empty());
        var newer = confirm(Bookstore.cartWith(transactions, 22).cart(), 13, Optional.empty());
        Bookstore.execute(
                "UPDATE orders SET o_date = '2090-01-01 00:00:00' WHERE o_id = " + older.order());

        var page =
                new OrderDisplay(DigSyl.userName(13), DigSyl.password(13))
                        .answer(transactions)
                        .orElseThrow();

        assertThat(newer.order()).isGreaterThan(older.order());
        assertThat(page.order()).isEqualTo(older.order());
    }

    @Test
    void orderDisplayIsEmptyForAWrongPassword() throws SQLException {
        assertThat(new OrderDisplay(DigSyl.userName(12), "wrong").answer(transactions)).isEmpty();
    }

    private BuyConfirm.Page confirm(int cart, int customer, Optional<AddressForm> shipTo)
            throws SQLException {
        return new BuyConfirm(
                        cart,
                        customer,
                        Bookstore.PAYMENT,
                        "AIR",
                        3,
                        shipTo,
                        List.of("first", "second"))
                .answer(transactions);
    }

    private static CartLine line(int item, int quantity, String cost) {
        return new CartLine(
                item, quantity, "Title", new BigDecimal(cost), new BigDecimal("99.00"), "USED");
    }
}
