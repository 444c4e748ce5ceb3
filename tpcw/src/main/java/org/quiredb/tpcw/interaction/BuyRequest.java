package org.quiredb.tpcw.interaction;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.List;
import org.quiredb.tpcw.purchase.AddressForm;
import org.quiredb.tpcw.purchase.Buyer;
import org.quiredb.tpcw.purchase.CartLine;
import org.quiredb.tpcw.purchase.Totals;
import org.quiredb.tpcw.random.DigSyl;
import org.quiredb.tpcw.transaction.Sql;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// Logs a customer in, or registers one, and shows what the cart would cost.
public record BuyRequest(int cart, Buyer buyer) implements Interaction<BuyRequest.Page> {

    /// The customer with the billing address, and the order to be.
    public record Page(Profile customer, List<CartLine> lines, Totals totals) {}

    /// What the page shows of the customer.
    public record Profile(
            int customer,
            String userName,
            String firstName,
            String lastName,
            BigDecimal discount,
            String street,
            String city,
            String country) {}

    private static final int SESSION_HOURS = 2;

    private static final String LOG_IN =
            "UPDATE customer SET c_login = ?, c_expiration = ? WHERE c_uname = ? AND c_passwd = ?";

    private static final String REGISTER =
            """
            INSERT INTO customer (c_uname, c_passwd, c_fname, c_lname, c_addr_id, c_phone, c_email, c_since, c_last_visit,
                c_login, c_expiration, c_discount, c_balance, c_ytd_pmt, c_birthdate, c_data)
            VALUES ('', '', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?)\
            """;

    private static final String NAME =
            "UPDATE customer SET c_uname = ?, c_passwd = ? WHERE c_id = ?";

    static final String PROFILE =
            """
            SELECT c_id, c_uname, c_fname, c_lname, c_discount, addr_street1, addr_city, co_name
            FROM customer JOIN address ON addr_id = c_addr_id JOIN country ON co_id = addr_co_id
            WHERE c_uname = ?\
            """;

    @Override
    public Page answer(TransactionRunner transactions) throws SQLException {
        LocalDateTime now = transactions.now();
        return switch (buyer) {
            case Buyer.Returning returning ->
                    transactions.update(
                            connection -> page(connection, logIn(connection, returning, now)));
            case Buyer.New registering -> {
                var address = transactions.read(registering.address()::lookUp);
                yield transactions.update(connection ->
                        page(connection, register(connection, registering, address, now)));
            }
        };
    }

    private static String logIn(Connection connection, Buyer.Returning buyer, LocalDateTime now)
            throws SQLException {
        int found =
                Sql.write(
                        connection,
                        LOG_IN,
                        now,
                        now.plusHours(SESSION_HOURS),
                        buyer.userName(),
                        buyer.password());
        if (found == 0) {
            throw new SQLException(
                    "No customer " + buyer.userName() + " with this password", "28000");
        }
        return buyer.userName();
    }

    private static String register(
            Connection connection, Buyer.New buyer, AddressForm.Known address, LocalDateTime now)
            throws SQLException {
        int id =
                Sql.insert(
                        connection,
                        REGISTER,
                        buyer.firstName(),
                        buyer.lastName(),
                        address.insertIfNew(connection),
                        buyer.phone(),
                        buyer.email(),
                        now.toLocalDate(),
                        now.toLocalDate(),
                        now,
                        now.plusHours(SESSION_HOURS),
                        buyer.discount(),
                        buyer.birthdate(),
                        buyer.data());
        Sql.write(connection, NAME, DigSyl.userName(id), DigSyl.password(id), id);
        return DigSyl.userName(id);
    }

    private Page page(Connection connection, String userName) throws SQLException {
        Profile profile =
                Sql.one(
                        connection,
                        row ->
                                new Profile(
                                        row.getInt(1),
                                        row.getString(2),
                                        row.getString(3),
                                        row.getString(4),
                                        row.getBigDecimal(5),
                                        row.getString(6),
                                        row.getString(7),
                                        row.getString(8)),
                        PROFILE,
                        userName);
        List<CartLine> lines = CartLine.of(connection, cart);
        return new Page(profile, lines, Totals.of(lines, profile.discount()));
    }
}
