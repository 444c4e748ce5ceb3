package org.quiredb.tpcw.interaction;

import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalInt;
import org.quiredb.tpcw.purchase.CustomerName;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// The form in which a customer logs in or registers. The page is the user name, if known.
public record CustomerRegistration(OptionalInt customer) implements Interaction<Optional<String>> {

    @Override
    public Optional<String> answer(TransactionRunner transactions) throws SQLException {
        return CustomerName.of(transactions, customer);
    }
}
