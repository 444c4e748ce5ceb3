package org.quiredb.tpcw.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quiredb.tpcw.TestServer;
import org.quiredb.tpcw.interaction.InteractionType;
import org.quiredb.tpcw.purchase.CartChange;
import org.quiredb.tpcw.purchase.CartLine;
import org.quiredb.tpcw.random.TpcwRandom;
import org.quiredb.tpcw.transaction.TransactionRunner;

@Tag("slow")
class SessionTest {

    private static final BookstoreSize SIZE =
            new BookstoreSize(TestServer.ITEMS, TestServer.CUSTOMERS);

    @Test
    void aShopperBuysWhatItLookedAt() throws SQLException {
        try (var transactions =
                TransactionRunner.open(
                        TestServer.bookstore(), TestServer.USER, TestServer.PASSWORD)) {
            var session = new ShopperSession(TpcwRandom.seeded(2), SIZE);
            int orders = TestServer.number(TestServer.bookstore(), "SELECT COUNT(*) FROM orders");
            for (var type :
                    List.of(
                            InteractionType.HOME,
                            InteractionType.NEWP,
                            InteractionType.PROD,
                            InteractionType.SHOP,
                            InteractionType.SHOP,
                            InteractionType.CREG,
                            InteractionType.BUYR,
                            InteractionType.BUYC,
                            InteractionType.SREQ,
                            InteractionType.SHOP)) {
                session.visit(type, transactions);
            }

            assertThat(TestServer.number(TestServer.bookstore(), "SELECT COUNT(*) FROM orders"))
                    .isEqualTo(orders + 1);
        }
    }

    @Test
    void aSessionIsOverWhenItsTimeIsSpent() {
        var session = new ShopperSession(TpcwRandom.seeded(2), SIZE);

        assertThat(session.isOver()).isFalse();
        session.spend(4 * 15 * 60);
        assertThat(session.isOver()).isTrue();
    }

    @Test
    void aRefreshGivesOneToTenOfDistinctLines() {
        var forms = new Forms(TpcwRandom.seeded(4), SIZE);
        List<CartLine> lines =
                IntStream.rangeClosed(1, 5)
                        .mapToObj(item ->
                                new CartLine(item, 1, "t", BigDecimal.ONE, BigDecimal.ONE, "USED"))
                        .toList();

        for (int i = 0; i < 1000; i++) {
            var quantities = forms.refresh(lines).quantities();
            assertThat(quantities).hasSizeBetween(1, 5);
            assertThat(quantities).extracting(CartChange.Quantity::item).doesNotHaveDuplicates();
            assertThat(quantities)
                    .allMatch(wanted -> wanted.quantity() >= 1 && wanted.quantity() <= 10);
        }
    }
}
