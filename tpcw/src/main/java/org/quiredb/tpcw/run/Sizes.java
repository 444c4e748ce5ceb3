package org.quiredb.tpcw.run;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.quiredb.tpcw.browser.BookstoreSize;

/// Finds out how big the bookstore was when it was populated.
final class Sizes {

    /// The specification populates 2,880 customers for each emulated browser.
    private static final int CUSTOMERS_PER_BROWSER = 2880;

    private Sizes() {}

    static BookstoreSize of(WorkloadConfig config) throws SQLException {
        if (config.items().isPresent() && config.customers().isPresent()) {
            return new BookstoreSize(config.items().getAsInt(), config.customers().getAsInt());
        }
        try (Connection connection =
                DriverManager.getConnection(config.url(), config.user(), config.password())) {
            int items =
                    config.items().isPresent()
                            ? config.items().getAsInt()
                            : count(connection, "item");
            int customers =
                    config.customers().isPresent()
                            ? config.customers().getAsInt()
                            : withoutRegistered(count(connection, "customer"));
            return new BookstoreSize(items, customers);
        }
    }

    /// Customers that registered in earlier runs are on top of whole multiples.
    static int withoutRegistered(int customers) {
        return customers < CUSTOMERS_PER_BROWSER
                ? customers
                : customers - customers % CUSTOMERS_PER_BROWSER;
    }

    private static int count(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            row.next();
            return row.getInt(1);
        }
    }
}
