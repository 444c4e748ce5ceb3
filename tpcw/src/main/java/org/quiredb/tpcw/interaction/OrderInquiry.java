package org.quiredb.tpcw.interaction;

import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalInt;
import org.quiredb.tpcw.purchase.CustomerName;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// The form that asks whose latest order to show. The page is the user name, if known.
public record OrderInquiry(OptionalInt customer) implements Interaction<Optional<String>> {

    @Override
    public Optional<String> answer(TransactionRunner transactions) throws SQLException {
        return CustomerName.of(transactions, customer);
    }
}
