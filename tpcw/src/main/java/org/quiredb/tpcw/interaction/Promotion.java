package org.quiredb.tpcw.interaction;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.quiredb.tpcw.transaction.Sql;

/// The promotional block of a page: five items related to a random one.
public record Promotion(List<Thumbnail> related) {

    static final String RELATED =
            "SELECT i_related1, i_related2, i_related3, i_related4, i_related5 FROM item WHERE i_id = ?";
    static final String THUMBNAILS =
            "SELECT i_id, i_thumbnail FROM item WHERE i_id IN (?, ?, ?, ?, ?) ORDER BY i_id";

    /// A picture that links to an item.
    public record Thumbnail(int item, String path) {}

    public List<Integer> links() {
        return related.stream().map(Thumbnail::item).toList();
    }

    static Promotion of(Connection connection, int item) throws SQLException {
        Object[] related =
                Sql.one(
                        connection,
                        row ->
                                new Object[] {
                                    row.getInt(1),
                                    row.getInt(2),
                                    row.getInt(3),
                                    row.getInt(4),
                                    row.getInt(5)
                                },
                        RELATED,
                        item);
        return new Promotion(
                Sql.list(
                        connection,
                        row -> new Thumbnail(row.getInt(1), row.getString(2)),
                        THUMBNAILS,
                        related));
    }
}
