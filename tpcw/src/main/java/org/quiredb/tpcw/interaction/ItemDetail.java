package org.quiredb.tpcw.interaction;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import org.quiredb.tpcw.transaction.Sql;

/// Everything about a book, as its page shows it.
public record ItemDetail(
        int item,
        String title,
        String authorName,
        LocalDate published,
        String publisher,
        String subject,
        String description,
        List<Integer> related,
        String thumbnail,
        String image,
        BigDecimal retailPrice,
        BigDecimal cost,
        LocalDate available,
        int stock,
        String isbn,
        int pages,
        String backing,
        String dimensions) {

    static final String DETAIL =
            """
            SELECT i_id, i_title, i_pub_date, i_publisher, i_subject, i_desc, i_related1, i_related2, i_related3,
                i_related4, i_related5, i_thumbnail, i_image, i_srp, i_cost, i_avail, i_stock, i_isbn, i_page, i_backing,
                i_dimensions, a_fname, a_lname
            FROM item JOIN author ON a_id = i_a_id
            WHERE i_id = ?\
            """;

    static ItemDetail of(Connection connection, int item) throws SQLException {
        return Sql.one(connection, ItemDetail::from, DETAIL, item);
    }

    private static ItemDetail from(ResultSet row) throws SQLException {
        return new ItemDetail(
                row.getInt("i_id"),
                row.getString("i_title"),
                row.getString("a_fname") + " " + row.getString("a_lname"),
                row.getObject("i_pub_date", LocalDate.class),
                row.getString("i_publisher"),
                row.getString("i_subject"),
                row.getString("i_desc"),
                List.of(
                        row.getInt("i_related1"),
                        row.getInt("i_related2"),
                        row.getInt("i_related3"),
                        row.getInt("i_related4"),
                        row.getInt("i_related5")),
                row.getString("i_thumbnail"),
                row.getString("i_image"),
                row.getBigDecimal("i_srp"),
                row.getBigDecimal("i_cost"),
                row.getObject("i_avail", LocalDate.class),
                row.getInt("i_stock"),
                row.getString("i_isbn"),
                row.getInt("i_page"),
                row.getString("i_backing"),
                row.getString("i_dimensions"));
    }
}
