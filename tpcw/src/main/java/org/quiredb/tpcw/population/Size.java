package org.quiredb.tpcw.population;

import java.time.LocalDateTime;
import org.quiredb.tpcw.random.NonUniform;

/// How big the bookstore is, and the moment that its dates refer to.
record Size(int items, int customers, LocalDateTime now) {

    Size {
        if (items < 10) {
            throw new IllegalArgumentException(
                    "The bookstore needs at least 10 items, not " + items);
        }
        if (customers < 10) {
            throw new IllegalArgumentException(
                    "The bookstore needs at least 10 customers, not " + customers);
        }
    }

    int authors() {
        return Math.max(1, items / 4);
    }

    int addresses() {
        return 2 * customers;
    }

    int orders() {
        return (int) (customers * 9L / 10);
    }

    int titleKeys() {
        return NonUniform.titleKeys(items);
    }

    int authorKeys() {
        return Math.min(authors(), NonUniform.authorKeys(items));
    }

    /// Rows with ids of their own; order lines and card records come with the orders.
    long numberedRows() {
        return (long) items + authors() + addresses() + customers + orders();
    }
}
