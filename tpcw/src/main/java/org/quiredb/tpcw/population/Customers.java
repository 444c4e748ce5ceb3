package org.quiredb.tpcw.population;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import org.quiredb.tpcw.random.DigSyl;
import org.quiredb.tpcw.random.TpcwRandom;

/// The customers, whose names and passwords follow from their ids.
record Customers(Size size) implements Filler {

    private static final LocalDate FIRST_BIRTH = LocalDate.of(1880, 1, 1);
    private static final int SESSION_HOURS = 2;

    @Override
    public void fill(Connection connection, int first, int last, TpcwRandom draw)
            throws SQLException {
        try (var customers =
                new Batch(
                        connection,
                        "customer",
                        "c_id, c_uname, c_passwd, c_fname, c_lname, c_addr_id, c_phone, c_email, c_since, c_last_visit,"
                                + " c_login, c_expiration, c_discount, c_balance, c_ytd_pmt, c_birthdate, c_data")) {
            for (int id = first; id <= last; id++) {
                add(customers, draw, id);
            }
            customers.send();
        }
    }

    private void add(Batch customers, TpcwRandom draw, int id) throws SQLException {
        LocalDate today = size.now().toLocalDate();
        LocalDate since = today.minusDays(draw.between(1, 730));
        LocalDate lastVisit = since.plusDays(draw.between(0, 60));
        customers.add(
                id,
                DigSyl.userName(id),
                DigSyl.password(id),
                draw.text(8, 15),
                draw.text(8, 15),
                draw.between(1, size.addresses()),
                draw.digits(9, 16),
                DigSyl.userName(id) + "@" + draw.text(2, 9) + ".com",
                since,
                lastVisit.isAfter(today) ? today : lastVisit,
                size.now(),
                size.now().plusHours(SESSION_HOURS),
                draw.hundredths(0, 50),
                draw.hundredths(0, 0),
                draw.hundredths(0, 99_999),
                draw.date(FIRST_BIRTH, today),
                draw.text(100, 500));
    }
}
