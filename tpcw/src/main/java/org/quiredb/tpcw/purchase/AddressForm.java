package org.quiredb.tpcw.purchase;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.quiredb.tpcw.transaction.Sql;

/// An address as a customer types it.
public record AddressForm(
        String street1, String street2, String city, String state, String zip, String country) {

    private static final String SAME =
            """
            SELECT addr_id FROM address
            WHERE addr_zip = ? AND addr_street1 = ? AND addr_street2 = ? AND addr_city = ? AND addr_state = ?
                AND addr_co_id = ?
            ORDER BY addr_id LIMIT 1\
            """;

    private static final String INSERT =
            """
            INSERT INTO address (addr_street1, addr_street2, addr_city, addr_state, addr_zip, addr_co_id)
            VALUES (?, ?, ?, ?, ?, ?)\
            """;

    /// The form with the country's id and, if the same address is already there, its id. No
    /// interaction changes or deletes an address or a country.
    public record Known(AddressForm form, int country, Optional<Integer> address) {

        /// The address's id, after inserting it if need be.
        public int insertIfNew(Connection connection) throws SQLException {
            if (address.isPresent()) {
                return address.get();
            }
            return Sql.insert(
                    connection,
                    INSERT,
                    form.street1,
                    form.street2,
                    form.city,
                    form.state,
                    form.zip,
                    country);
        }
    }

    public Known lookUp(Connection connection) throws SQLException {
        int countryId =
                Sql.one(
                        connection,
                        row -> row.getInt(1),
                        "SELECT co_id FROM country WHERE co_name = ?",
                        country);
        Optional<Integer> address =
                Sql.first(
                        connection,
                        row -> row.getInt(1),
                        SAME,
                        zip,
                        street1,
                        street2,
                        city,
                        state,
                        countryId);
        return new Known(this, countryId, address);
    }
}
