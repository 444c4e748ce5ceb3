package org.quiredb.tpcw.interaction;

import java.sql.SQLException;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// The search form; only its promotion needs the database.
public record SearchRequest(int promotedItem) implements Interaction<Promotion> {

    @Override
    public Promotion answer(TransactionRunner transactions) throws SQLException {
        return transactions.read(connection -> Promotion.of(connection, promotedItem));
    }
}
