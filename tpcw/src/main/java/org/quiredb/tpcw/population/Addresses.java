package org.quiredb.tpcw.population;

import java.sql.Connection;
import java.sql.SQLException;
import org.quiredb.tpcw.random.TpcwRandom;
import org.quiredb.tpcw.schema.Country;

/// The addresses, twice as many as customers.
record Addresses() implements Filler {

    @Override
    public void fill(Connection connection, int first, int last, TpcwRandom draw)
            throws SQLException {
        try (var addresses =
                new Batch(
                        connection,
                        "address",
                        "addr_id, addr_street1, addr_street2, addr_city, addr_state, addr_zip, addr_co_id")) {
            for (int id = first; id <= last; id++) {
                addresses.add(
                        id,
                        draw.text(15, 40),
                        draw.text(15, 40),
                        draw.text(4, 30),
                        draw.text(2, 20),
                        draw.text(5, 10),
                        draw.pick(Country.ALL).id());
            }
            addresses.send();
        }
    }
}
