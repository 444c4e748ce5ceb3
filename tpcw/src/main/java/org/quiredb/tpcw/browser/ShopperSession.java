package org.quiredb.tpcw.browser;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalInt;
import org.quiredb.tpcw.interaction.AdminConfirm;
import org.quiredb.tpcw.interaction.AdminRequest;
import org.quiredb.tpcw.interaction.BestSellers;
import org.quiredb.tpcw.interaction.BuyConfirm;
import org.quiredb.tpcw.interaction.BuyRequest;
import org.quiredb.tpcw.interaction.CustomerRegistration;
import org.quiredb.tpcw.interaction.Home;
import org.quiredb.tpcw.interaction.InteractionType;
import org.quiredb.tpcw.interaction.NewProducts;
import org.quiredb.tpcw.interaction.OrderDisplay;
import org.quiredb.tpcw.interaction.OrderInquiry;
import org.quiredb.tpcw.interaction.ProductDetail;
import org.quiredb.tpcw.interaction.SearchRequest;
import org.quiredb.tpcw.interaction.ShoppingCart;
import org.quiredb.tpcw.purchase.Buyer;
import org.quiredb.tpcw.purchase.CartChange;
import org.quiredb.tpcw.purchase.CartLine;
import org.quiredb.tpcw.random.DigSyl;
import org.quiredb.tpcw.random.NonUniform;
import org.quiredb.tpcw.random.TpcwRandom;
import org.quiredb.tpcw.schema.EnumeratedValues;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// One shopper from its first page to its last, and what it remembers in between.
///
/// Threads: one owner.
final class ShopperSession {

    private static final double PRESENTS_ID = 0.8;
    private static final double MEAN_SECONDS = 15 * 60;
    private static final double MAX_SECONDS = 4 * MEAN_SECONDS;

    /// A cart with so many different items takes no more.
    private static final int CART_LIMIT = 100;

    private final TpcwRandom draw;
    private final BookstoreSize size;
    private final Forms forms;
    private double secondsLeft;

    private OptionalInt customer;
    private String customerName = "";
    private OptionalInt cart = OptionalInt.empty();
    private List<CartLine> lines = List.of();
    private List<Integer> links = List.of();
    private int shownItem = 1;
    private BigDecimal shownRetailPrice = BigDecimal.ONE;
    private InteractionType lastType = InteractionType.HOME;

    ShopperSession(TpcwRandom draw, BookstoreSize size) {
        this.draw = draw;
        this.size = size;
        forms = new Forms(draw, size);
        secondsLeft = draw.exponential(MEAN_SECONDS, MAX_SECONDS);
        customer = draw.chance(PRESENTS_ID) ? OptionalInt.of(someCustomer()) : OptionalInt.empty();
    }

    /// Counts down the session's time.
    void spend(double seconds) {
        secondsLeft -= seconds;
    }

    /// Whether the next step to the home page starts another session.
    boolean isOver() {
        return secondsLeft <= 0;
    }

    /// Sends a request of this type and takes in the page.
    void visit(InteractionType type, TransactionRunner transactions) throws SQLException {
        switch (type) {
            case HOME -> new Home(customer, anyItem()).answer(transactions);
            case NEWP ->
                    links =
                            new NewProducts(draw.pick(EnumeratedValues.SUBJECTS), anyItem())
                                    .answer(transactions)
                                    .links();
            case BESS ->
                    links =
                            new BestSellers(draw.pick(EnumeratedValues.SUBJECTS), anyItem())
                                    .answer(transactions)
                                    .links();
            case SREQ -> new SearchRequest(anyItem()).answer(transactions);
            case SRES -> links = forms.search(anyItem()).answer(transactions).links();
            case PROD -> product(transactions);
            case SHOP -> shop(transactions);
            case CREG -> new CustomerRegistration(customer).answer(transactions);
            case BUYR -> requestToBuy(transactions);
            case BUYC -> buy(transactions);
            case ORDI -> new OrderInquiry(customer).answer(transactions);
            case ORDD -> displayOrder(transactions);
            case ADMR ->
                    shownRetailPrice =
                            new AdminRequest(shownItem).answer(transactions).retailPrice();
            case ADMC -> changeItem(transactions);
        }
        lastType = type;
    }

    /// After a product page the links are still those of the list before it.
    private void product(TransactionRunner transactions) throws SQLException {
        int item = draw.pick(links);
        new ProductDetail(item).answer(transactions);
        shownItem = item;
    }

    private void shop(TransactionRunner transactions) throws SQLException {
        var page = new ShoppingCart(cart, cartChange(), anyItem()).answer(transactions);
        cart = OptionalInt.of(page.cart());
        lines = page.lines();
    }

    private CartChange cartChange() {
        if (lastType == InteractionType.PROD && lines.size() < CART_LIMIT) {
            return new CartChange.Add(shownItem);
        }
        if (lastType == InteractionType.SHOP) {
            return forms.refresh(lines);
        }
        return new CartChange.Look();
    }

    private void requestToBuy(TransactionRunner transactions) throws SQLException {
        Buyer buyer =
                customer.isPresent()
                        ? new Buyer.Returning(
                                DigSyl.userName(customer.getAsInt()),
                                DigSyl.password(customer.getAsInt()))
                        : forms.registration();
        var profile = new BuyRequest(cart.getAsInt(), buyer).answer(transactions).customer();
        customer = OptionalInt.of(profile.customer());
        customerName = profile.firstName() + " " + profile.lastName();
    }

    /// The emptied cart stays this shopper's cart.
    private void buy(TransactionRunner transactions) throws SQLException {
        new BuyConfirm(
                        cart.getAsInt(),
                        customer.getAsInt(),
                        forms.payment(customerName),
                        draw.pick(EnumeratedValues.SHIP_TYPES),
                        draw.between(1, 7),
                        forms.shipTo(),
                        forms.comments(lines.size()))
                .answer(transactions);
        lines = List.of();
    }

    /// Who is unknown asks for some customer's order, and stays unknown.
    private void displayOrder(TransactionRunner transactions) throws SQLException {
        int owner = customer.isPresent() ? customer.getAsInt() : someCustomer();
        new OrderDisplay(DigSyl.userName(owner), DigSyl.password(owner)).answer(transactions);
    }

    private void changeItem(TransactionRunner transactions) throws SQLException {
        BigDecimal share = BigDecimal.ONE.subtract(draw.hundredths(0, 50));
        new AdminConfirm(
                        shownItem,
                        "image_" + anyItem() + ".gif",
                        "thumb_" + anyItem() + ".gif",
                        shownRetailPrice.multiply(share).setScale(2, RoundingMode.HALF_UP))
                .answer(transactions);
    }

    private int anyItem() {
        return draw.between(1, size.items());
    }

    private int someCustomer() {
        return NonUniform.customer(draw, size.customers());
    }
}
