package org.quiredb.tpcw.interaction;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.quiredb.tpcw.transaction.Sql;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// Changes a book: price, pictures, day of publication, and the five related books, which become
/// those that the buyers of this one (in the latest 10,000 orders) bought most besides.
///
/// The related books are found in a read-only transaction beforehand; the specification lets that
/// part run dirty.
public record AdminConfirm(int item, String image, String thumbnail, BigDecimal cost)
        implements Interaction<ItemDetail> {

    private static final int RELATED = 5;

    static final String ALSO_BOUGHT =
            """
            SELECT also.ol_i_id, SUM(also.ol_qty) AS bought
            FROM (SELECT DISTINCT o_c_id
                  FROM order_line JOIN orders ON o_id = ol_o_id
                  WHERE ol_i_id = ? AND ol_o_id > (SELECT MAX(o_id) - 10000 FROM orders)) buyers
                JOIN orders other ON other.o_c_id = buyers.o_c_id
                JOIN order_line also ON also.ol_o_id = other.o_id
            WHERE also.ol_i_id <> ?
            GROUP BY also.ol_i_id
            ORDER BY bought DESC, also.ol_i_id
            LIMIT 5\
            """;

    private static final String CHANGE =
            """
            UPDATE item SET i_cost = ?, i_image = ?, i_thumbnail = ?, i_pub_date = ?, i_related1 = ?, i_related2 = ?,
                i_related3 = ?, i_related4 = ?, i_related5 = ?
            WHERE i_id = ?\
            """;

    @Override
    public ItemDetail answer(TransactionRunner transactions) throws SQLException {
        List<Integer> related = transactions.read(this::related);
        return transactions.update(connection -> {
            Sql.write(
                    connection,
                    CHANGE,
                    cost,
                    image,
                    thumbnail,
                    transactions.now().toLocalDate(),
                    related.get(0),
                    related.get(1),
                    related.get(2),
                    related.get(3),
                    related.get(4),
                    item);
            return ItemDetail.of(connection, item);
        });
    }

    /// Five books; where fewer were bought, the ids after the last one found (or after this one)
    /// fill up.
    private List<Integer> related(Connection connection) throws SQLException {
        var related =
                new ArrayList<>(
                        Sql.list(connection, row -> row.getInt(1), ALSO_BOUGHT, item, item));
        int items = Sql.one(connection, row -> row.getInt(1), "SELECT MAX(i_id) FROM item");
        int next = related.isEmpty() ? item : related.getLast();
        while (related.size() < RELATED) {
            next = next % items + 1;
            if (next != item && !related.contains(next)) {
                related.add(next);
            }
        }
        return related;
    }
}
