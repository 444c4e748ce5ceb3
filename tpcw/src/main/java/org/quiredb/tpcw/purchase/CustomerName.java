package org.quiredb.tpcw.purchase;

import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalInt;
import org.quiredb.tpcw.transaction.Sql;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// The user name that a form is filled with when the customer is known.
public final class CustomerName {

    private CustomerName() {}

    public static Optional<String> of(TransactionRunner transactions, OptionalInt customer)
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
