package org.quiredb.tpcw.interaction;

import java.sql.SQLException;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// The page of one book.
public record ProductDetail(int item) implements Interaction<ItemDetail> {

    @Override
    public ItemDetail answer(TransactionRunner transactions) throws SQLException {
        return transactions.read(connection -> ItemDetail.of(connection, item));
    }
}
