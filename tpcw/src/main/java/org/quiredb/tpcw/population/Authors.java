package org.quiredb.tpcw.population;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import org.quiredb.tpcw.random.DigSyl;
import org.quiredb.tpcw.random.TpcwRandom;

/// The authors, a quarter as many as items. Their last names begin with the keys that author
/// searches look for.
record Authors(Size size) implements Filler {

    private static final LocalDate FIRST_BIRTH = LocalDate.of(1800, 1, 1);
    private static final double WITH_SUFFIX = 0.25;

    @Override
    public void fill(Connection connection, int first, int last, TpcwRandom draw)
            throws SQLException {
        try (var authors =
                new Batch(connection, "author", "a_id, a_fname, a_lname, a_mname, a_dob, a_bio")) {
            for (int id = first; id <= last; id++) {
                authors.add(
                        id,
                        draw.text(3, 20),
                        lastName(draw, id),
                        draw.text(1, 20),
                        draw.date(FIRST_BIRTH, size.now().toLocalDate()),
                        draw.text(125, 500));
            }
            authors.send();
        }
    }

    private String lastName(TpcwRandom draw, int id) {
        int key = id <= size.authorKeys() ? id : draw.between(1, size.authorKeys());
        return DigSyl.key(key) + (draw.chance(WITH_SUFFIX) ? draw.text(1, 6) : "");
    }
}
