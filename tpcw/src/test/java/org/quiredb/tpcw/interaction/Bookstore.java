package org.quiredb.tpcw.interaction;

import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import java.util.OptionalInt;
import org.quiredb.tpcw.TestServer;
import org.quiredb.tpcw.purchase.AddressForm;
import org.quiredb.tpcw.purchase.Buyer;
import org.quiredb.tpcw.purchase.CartChange;
import org.quiredb.tpcw.purchase.Payment;
import org.quiredb.tpcw.random.DigSyl;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// What the tests of interactions do again and again in the common bookstore.
final class Bookstore {

    static final String URL = TestServer.bookstore();
    static final AddressForm ADDRESS =
            new AddressForm("1 Long Street", "Back Yard", "Springfield", "Ohio", "12345", "Canada");
    static final Payment PAYMENT =
            new Payment(
                    "VISA",
                    "4111111111111111",
                    "A Buyer",
                    LocalDate.of(2030, 1, 31),
                    "AUTHORISED-1234");

    private Bookstore() {}

    static TransactionRunner open() throws SQLException {
        return TransactionRunner.open(URL, TestServer.USER, TestServer.PASSWORD);
    }

    static int number(String sql) throws SQLException {
        return TestServer.number(URL, sql);
    }

    static List<String> query(String sql) throws SQLException {
        return TestServer.query(URL, sql);
    }

    static void execute(String sql) throws SQLException {
        TestServer.execute(URL, sql);
    }

    /// A new cart with one of each item.
    static ShoppingCart.Page cartWith(TransactionRunner transactions, int first, int... more)
            throws SQLException {
        var page =
                new ShoppingCart(OptionalInt.empty(), new CartChange.Add(first), 1)
                        .answer(transactions);
        for (int item : more) {
            page = change(transactions, page.cart(), new CartChange.Add(item));
        }
        return page;
    }

    static ShoppingCart.Page change(TransactionRunner transactions, int cart, CartChange change)
            throws SQLException {
        return new ShoppingCart(OptionalInt.of(cart), change, 1).answer(transactions);
    }

    static Buyer.Returning returning(int customer) {
        return new Buyer.Returning(DigSyl.userName(customer), DigSyl.password(customer));
    }
}
