package org.quiredb.tpcw.interaction;

import java.sql.SQLException;
import org.quiredb.tpcw.transaction.Sql;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// The 50 newest books on a subject.
public record NewProducts(String subject, int promotedItem) implements Interaction<ListPage> {

    static final String NEWEST =
            """
            SELECT i_id, i_title, a_fname, a_lname
            FROM item JOIN author ON a_id = i_a_id
            WHERE i_subject = ?
            ORDER BY i_pub_date DESC, i_title
            LIMIT 50\
            """;

    @Override
    public ListPage answer(TransactionRunner transactions) throws SQLException {
        return transactions.read(connection ->
                new ListPage(
                        Sql.list(connection, ListPage.ENTRY, NEWEST, subject),
                        Promotion.of(connection, promotedItem)));
    }
}
