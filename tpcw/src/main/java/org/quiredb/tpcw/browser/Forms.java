package org.quiredb.tpcw.browser;

import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.quiredb.tpcw.interaction.SearchResults;
import org.quiredb.tpcw.interaction.SearchType;
import org.quiredb.tpcw.purchase.AddressForm;
import org.quiredb.tpcw.purchase.Buyer;
import org.quiredb.tpcw.purchase.CartChange;
import org.quiredb.tpcw.purchase.CartLine;
import org.quiredb.tpcw.purchase.Payment;
import org.quiredb.tpcw.random.DigSyl;
import org.quiredb.tpcw.random.NonUniform;
import org.quiredb.tpcw.random.TpcwRandom;
import org.quiredb.tpcw.schema.Country;
import org.quiredb.tpcw.schema.EnumeratedValues;

/// What a shopper types.
///
/// Threads: one owner, who owns the draw.
final class Forms {

    private static final LocalDate FIRST_BIRTH = LocalDate.of(1880, 1, 1);
    private static final double NEW_SHIPPING_ADDRESS = 0.05;
    private static final int MAX_QUANTITY = 10;

    private final TpcwRandom draw;
    private final BookstoreSize size;

    Forms(TpcwRandom draw, BookstoreSize size) {
        this.draw = draw;
        this.size = size;
    }

    SearchResults search(int promotedItem) {
        SearchType type = draw.pick(List.of(SearchType.values()));
        String text =
                switch (type) {
                    case AUTHOR -> DigSyl.key(NonUniform.authorKey(draw, size.items()));
                    case TITLE -> DigSyl.key(NonUniform.titleKey(draw, size.items()));
                    case SUBJECT -> draw.pick(EnumeratedValues.SUBJECTS);
                };
        return new SearchResults(type, text, promotedItem);
    }

    /// New quantities, 1 to 10, for a random number of the lines.
    CartChange.Refresh refresh(List<CartLine> lines) {
        var left = new ArrayList<>(lines);
        var quantities = new ArrayList<CartChange.Quantity>();
        for (int count = draw.between(1, lines.size()); count > 0; count--) {
            CartLine line = left.remove(draw.between(0, left.size() - 1));
            quantities.add(new CartChange.Quantity(line.item(), draw.between(1, MAX_QUANTITY)));
        }
        return new CartChange.Refresh(quantities);
    }

    Buyer.New registration() {
        return new Buyer.New(
                draw.text(8, 15),
                draw.text(8, 15),
                address(),
                draw.digits(9, 16),
                draw.text(8, 15) + "@" + draw.text(2, 9) + ".com",
                draw.date(FIRST_BIRTH, today()),
                draw.text(100, 500),
                draw.hundredths(0, 50));
    }

    Payment payment(String holder) {
        return new Payment(
                draw.pick(EnumeratedValues.CARD_TYPES),
                draw.digits(16, 16),
                holder.substring(0, Math.min(30, holder.length())),
                today().plusDays(draw.between(1, 730)),
                draw.text(15, 15));
    }

    /// Another address to ship to, which few want.
    Optional<AddressForm> shipTo() {
        return draw.chance(NEW_SHIPPING_ADDRESS) ? Optional.of(address()) : Optional.empty();
    }

    List<String> comments(int count) {
        var comments = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            comments.add(draw.text(20, 100));
        }
        return comments;
    }

    private AddressForm address() {
        return new AddressForm(
                draw.text(15, 40),
                draw.text(15, 40),
                draw.text(4, 30),
                draw.text(2, 20),
                draw.text(5, 10),
                draw.pick(Country.ALL).name());
    }

    private static LocalDate today() {
        return LocalDate.now(ZoneId.systemDefault());
    }
}
