package org.quiredb.tpcw.interaction;

import java.sql.SQLException;
import org.quiredb.tpcw.transaction.Sql;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// The 50 books on a subject that sold most in the latest 3,333 orders.
public record BestSellers(String subject, int promotedItem) implements Interaction<ListPage> {

    static final String MOST_SOLD =
            """
            SELECT i_id, i_title, a_fname, a_lname, SUM(ol_qty) AS sold
            FROM order_line JOIN item ON i_id = ol_i_id JOIN author ON a_id = i_a_id
            WHERE ol_o_id > (SELECT MAX(o_id) - 3333 FROM orders) AND i_subject = ?
            GROUP BY i_id, i_title, a_fname, a_lname
            ORDER BY sold DESC, i_id
            LIMIT 50\
            """;

    @Override
    public ListPage answer(TransactionRunner transactions) throws SQLException {
        return transactions.read(connection ->
                new ListPage(
                        Sql.list(connection, ListPage.ENTRY, MOST_SOLD, subject),
                        Promotion.of(connection, promotedItem)));
    }
}
