package org.quiredb.tpcw.interaction;

import java.util.List;
import org.quiredb.tpcw.random.DigSyl;
import org.quiredb.tpcw.random.NonUniform;
import org.quiredb.tpcw.random.TpcwRandom;
import org.quiredb.tpcw.schema.EnumeratedValues;

/// Queries of the interactions, each by itself, with parameters drawn as browsers draw them.
public enum BookQuery {
    BEST_SELLERS("bestSellers", BestSellers.MOST_SOLD),
    NEW_PRODUCTS("newProducts", NewProducts.NEWEST),
    TITLE_SEARCH("titleSearch", SearchResults.BY_TITLE),
    AUTHOR_SEARCH("authorSearch", SearchResults.BY_AUTHOR),
    SUBJECT_SEARCH("subjectSearch", SearchResults.BY_SUBJECT),
    PRODUCT_DETAIL("productDetail", ItemDetail.DETAIL),
    GREETING("greeting", Home.GREETING),
    RELATED("related", Promotion.RELATED),
    THUMBNAILS("thumbnails", Promotion.THUMBNAILS),
    PROFILE("profile", BuyRequest.PROFILE),
    LATEST_ORDER("latestOrder", OrderDisplay.LATEST),
    ORDER_LINES("orderLines", OrderDisplay.LINES),
    ALSO_BOUGHT("alsoBought", AdminConfirm.ALSO_BOUGHT);

    private final String key;
    private final String text;

    /// How many the bookstore has of each, numbered from 1.
    public record Stock(int items, int customers, int orders) {}

    BookQuery(String key, String text) {
        this.key = key;
        this.text = text;
    }

    /// What reports call it.
    public String key() {
        return key;
    }

    public String text() {
        return text;
    }

    /// One value for each question mark.
    public List<Object> parameters(TpcwRandom draw, Stock stock) {
        return switch (this) {
            case BEST_SELLERS, NEW_PRODUCTS, SUBJECT_SEARCH ->
                    List.of(draw.pick(EnumeratedValues.SUBJECTS));
            case TITLE_SEARCH -> anywhere(NonUniform.titleKey(draw, stock.items));
            case AUTHOR_SEARCH -> anywhere(NonUniform.authorKey(draw, stock.items));
            case PRODUCT_DETAIL, RELATED -> List.of(item(draw, stock));
            case THUMBNAILS ->
                    List.of(
                            item(draw, stock),
                            item(draw, stock),
                            item(draw, stock),
                            item(draw, stock),
                            item(draw, stock));
            case GREETING, LATEST_ORDER -> List.of(NonUniform.customer(draw, stock.customers));
            case PROFILE -> List.of(DigSyl.userName(NonUniform.customer(draw, stock.customers)));
            case ORDER_LINES -> List.of(draw.between(1, stock.orders));
            case ALSO_BOUGHT -> {
                int item = item(draw, stock);
                yield List.of(item, item);
            }
        };
    }

    private static int item(TpcwRandom draw, Stock stock) {
        return draw.between(1, stock.items);
    }

    private static List<Object> anywhere(int key) {
        return List.of(SearchResults.anywhere(DigSyl.key(key)));
    }
}
