package org.quiredb.tpcw.interaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.quiredb.tpcw.random.DigSyl;
import org.quiredb.tpcw.schema.EnumeratedValues;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// Home, New Products, Best Sellers, Product Detail, Search Request and Search Results, Customer
/// Registration and Order Inquiry: what only reads.
class BrowsingTest {

    private static final String SUBJECT = EnumeratedValues.SUBJECTS.getFirst();

    private TransactionRunner transactions;

    @BeforeEach
    void open() throws SQLException {
        transactions = Bookstore.open();
    }

    @AfterEach
    void close() throws SQLException {
        assertThat(transactions.updateCommits())
                .as("update transactions of what only reads")
                .isZero();
        transactions.close();
    }

    @Test
    void homeGreetsAKnownCustomer() throws SQLException {
        String name =
                Bookstore.query(
                                "SELECT CONCAT(c_fname, ' ', c_lname) FROM customer WHERE c_id = 17")
                        .getFirst();

        assertThat(new Home(OptionalInt.of(17), 1).answer(transactions).customer()).contains(name);
        assertThat(new Home(OptionalInt.empty(), 1).answer(transactions).customer()).isEmpty();
    }

    @Test
    void aPromotionShowsTheItemsRelatedToTheOneDrawn() throws SQLException {
        List<String> related =
                Bookstore.query(
                        "SELECT r.i_id FROM item i JOIN item r ON r.i_id IN"
                                + " (i.i_related1, i.i_related2, i.i_related3, i.i_related4, i.i_related5)"
                                + " WHERE i.i_id = 30 ORDER BY r.i_id");

        Promotion promotion = new SearchRequest(30).answer(transactions);

        assertThat(promotion.links()).hasSize(5).extracting(String::valueOf).isEqualTo(related);
        assertThat(promotion.related().getFirst().path()).startsWith("thumb_");
    }

    @Test
    void newProductsAreTheFiftyNewestOfTheSubject() throws SQLException {
        List<String> newest =
                Bookstore.query(
                        "SELECT i_id FROM item WHERE i_subject = '%s' ORDER BY i_pub_date DESC, i_title LIMIT 50"
                                .formatted(SUBJECT));

        ListPage page = new NewProducts(SUBJECT, 1).answer(transactions);

        assertThat(page.entries())
                .extracting(entry -> String.valueOf(entry.item()))
                .isEqualTo(newest);
        assertThat(page.links()).hasSize(newest.size());
    }

    @Test
    void bestSellersComeByQuantitySoldInTheLatestOrders() throws SQLException {
        List<String> best =
                Bookstore.query(
                        """
                        SELECT ol_i_id FROM order_line, item, orders
                        WHERE ol_o_id = o_id AND ol_i_id = i_id AND i_subject = '%s'
                            AND o_id > (SELECT MAX(o_id) FROM orders) - 3333
                        GROUP BY ol_i_id ORDER BY SUM(ol_qty) DESC, ol_i_id LIMIT 50\
                        """
                                .formatted(SUBJECT));

        ListPage page = new BestSellers(SUBJECT, 1).answer(transactions);

        assertThat(best).isNotEmpty();
        assertThat(page.entries())
                .extracting(entry -> String.valueOf(entry.item()))
                .isEqualTo(best);
    }

    @Test
    void aProductPageShowsTheWholeItem() throws SQLException {
        ItemDetail detail = new ProductDetail(5).answer(transactions);

        assertThat(detail.item()).isEqualTo(5);
        assertThat(detail.title()).contains(DigSyl.key(5));
        assertThat(detail.authorName()).contains(DigSyl.key(5));
        assertThat(detail.cost()).isLessThanOrEqualTo(detail.retailPrice());
        assertThat(detail.related()).hasSize(5).doesNotContain(5).doesNotHaveDuplicates();
        assertThat(new AdminRequest(5).answer(transactions)).isEqualTo(detail);
    }

    @Test
    void aProductThatDoesNotExistIsAnError() {
        assertThatThrownBy(() -> new ProductDetail(1_000_000).answer(transactions))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("No row");
    }

    @Test
    void aTitleSearchFindsTheKeyAnywhere() throws SQLException {
        ListPage page = new SearchResults(SearchType.TITLE, DigSyl.key(12), 1).answer(transactions);

        assertThat(page.entries())
                .isNotEmpty()
                .allMatch(entry -> entry.title().contains(DigSyl.key(12)));
        assertThat(page.entries())
                .hasSize(
                        Bookstore.number(
                                "SELECT COUNT(*) FROM item WHERE i_title LIKE '%"
                                        + DigSyl.key(12)
                                        + "%'"));
    }

    @Test
    void anAuthorSearchFindsTheKeyAnywhere() throws SQLException {
        ListPage page =
                new SearchResults(SearchType.AUTHOR, DigSyl.key(33), 1).answer(transactions);

        assertThat(page.entries())
                .isNotEmpty()
                .allMatch(entry -> entry.authorLastName().contains(DigSyl.key(33)));
    }

    @Test
    void aSubjectSearchFindsTheFirstFiftyByTitle() throws SQLException {
        List<String> titles =
                Bookstore.query(
                        "SELECT i_title FROM item WHERE i_subject = '%s' ORDER BY i_title LIMIT 50"
                                .formatted(SUBJECT));

        ListPage page = new SearchResults(SearchType.SUBJECT, SUBJECT, 1).answer(transactions);

        assertThat(page.entries()).extracting(ListPage.Entry::title).isEqualTo(titles);
    }

    @Test
    void aSearchWithoutHitsLeavesThePromotionsLinks() throws SQLException {
        ListPage page =
                new SearchResults(SearchType.TITLE, "no such words", 1).answer(transactions);

        assertThat(page.entries()).isEmpty();
        assertThat(page.links()).hasSize(5).isEqualTo(page.promotion().links());
    }

    @Test
    void formsAreFilledWithTheNameOfAKnownCustomerOnly() throws SQLException {
        assertThat(new CustomerRegistration(OptionalInt.of(42)).answer(transactions))
                .contains(DigSyl.userName(42));
        assertThat(new OrderInquiry(OptionalInt.of(42)).answer(transactions))
                .contains(DigSyl.userName(42));
        assertThat(new CustomerRegistration(OptionalInt.empty()).answer(transactions))
                .isEqualTo(Optional.empty());
        assertThat(transactions.readCommits()).isEqualTo(2);
    }
}
