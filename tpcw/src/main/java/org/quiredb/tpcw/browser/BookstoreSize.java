package org.quiredb.tpcw.browser;

/// How many books and customers the bookstore had when it was populated.
public record BookstoreSize(int items, int customers) {

    public BookstoreSize {
        if (items < 1 || customers < 1) {
            throw new IllegalArgumentException(
                    "A bookstore with %d items and %d customers: populate it first"
                            .formatted(items, customers));
        }
    }
}
