package org.quiredb.tpcw.interaction;

import java.sql.SQLException;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// The form in which an administrator changes a book, filled with what it is now.
public record AdminRequest(int item) implements Interaction<ItemDetail> {

    @Override
    public ItemDetail answer(TransactionRunner transactions) throws SQLException {
        return transactions.read(connection -> ItemDetail.of(connection, item));
    }
}
