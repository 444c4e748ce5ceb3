package org.quiredb.tpcw.population;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.Arrays;
import org.quiredb.tpcw.random.TpcwRandom;
import org.quiredb.tpcw.schema.EnumeratedValues;

/// The books.
record Items(Size size) implements Filler {

    private static final LocalDate FIRST_PUBLICATION = LocalDate.of(1930, 1, 1);
    private static final int RELATED = 5;

    @Override
    public void fill(Connection connection, int first, int last, TpcwRandom draw)
            throws SQLException {
        try (var items =
                new Batch(
                        connection,
                        "item",
                        "i_id, i_title, i_a_id, i_pub_date, i_publisher, i_subject, i_desc, i_related1, i_related2,"
                                + " i_related3, i_related4, i_related5, i_thumbnail, i_image, i_srp, i_cost, i_avail,"
                                + " i_stock, i_isbn, i_page, i_backing, i_dimensions")) {
            for (int id = first; id <= last; id++) {
                add(items, draw, id);
            }
            items.send();
        }
    }

    private void add(Batch items, TpcwRandom draw, int id) throws SQLException {
        LocalDate published = draw.date(FIRST_PUBLICATION, size.now().toLocalDate());
        int[] related = related(draw, id);
        BigDecimal price = draw.hundredths(100, 999_999);
        items.add(
                id,
                Titles.title(draw, id <= size.titleKeys() ? id : draw.between(1, size.titleKeys())),
                id <= size.authors() ? id : draw.between(1, size.authors()),
                published,
                draw.text(14, 60),
                draw.pick(EnumeratedValues.SUBJECTS),
                draw.text(100, 500),
                related[0],
                related[1],
                related[2],
                related[3],
                related[4],
                "thumb_" + id + ".gif",
                "image_" + id + ".gif",
                price,
                price.multiply(BigDecimal.ONE.subtract(draw.hundredths(0, 50)))
                        .setScale(2, RoundingMode.HALF_UP),
                published.plusDays(draw.between(1, 30)),
                draw.between(10, 30),
                draw.text(13, 13),
                draw.between(20, 9999),
                draw.pick(EnumeratedValues.BACKINGS),
                dimensions(draw));
    }

    /// Five different items, none of them the item itself.
    private int[] related(TpcwRandom draw, int id) {
        int[] related = new int[RELATED];
        for (int i = 0; i < RELATED; ) {
            int candidate = draw.between(1, size.items());
            if (candidate != id
                    && Arrays.stream(related).noneMatch(chosen -> chosen == candidate)) {
                related[i++] = candidate;
            }
        }
        return related;
    }

    private static String dimensions(TpcwRandom draw) {
        return draw.hundredths(1, 9999)
                + "x"
                + draw.hundredths(1, 9999)
                + "x"
                + draw.hundredths(1, 9999);
    }
}
