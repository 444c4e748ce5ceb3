package org.quiredb.tpcw.interaction;

import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalInt;

/// The user name that a form is filled with when the customer is known.
final class CustomerName {

    private CustomerName() {}

    static Optional<String> of(TransactionRunner transactions, OptionalInt customer)
            throws SQLException {
        if (customer.isEmpty()) {
            return Optional.empty();
        }
        return transactions.read(connection ->
                Sql.first(
                        connection,
                        row -> row.getString(1),
                        "SELECT c_uname FROM customer WHERE c_id = ?",
                        customer.getAsInt()));
    }
}
