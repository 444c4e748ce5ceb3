package org.quiredb.tpcw.interaction;

import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalInt;
import org.quiredb.tpcw.transaction.Sql;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// The entrance: greets a known customer.
public record Home(OptionalInt customer, int promotedItem) implements Interaction<Home.Page> {

    static final String GREETING = "SELECT c_fname, c_lname FROM customer WHERE c_id = ?";

    /// The greeting with first and last name, if there is such a customer, and the promotion.
    public record Page(Optional<String> customer, Promotion promotion) {}

    @Override
    public Page answer(TransactionRunner transactions) throws SQLException {
        return transactions.read(connection -> {
            Optional<String> name =
                    customer.isPresent()
                            ? Sql.first(
                                    connection,
                                    row -> row.getString(1) + " " + row.getString(2),
                                    GREETING,
                                    customer.getAsInt())
                            : Optional.empty();
            return new Page(name, Promotion.of(connection, promotedItem));
        });
    }
}
