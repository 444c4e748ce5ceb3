package org.quiredb.tpcw.population;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Properties;
import org.quiredb.tpcw.schema.Country;
import org.quiredb.tpcw.schema.Schema;

/// Creates the bookstore in a database and fills it.
public final class Population {

    private static final int CONNECTIONS = 4;

    private Population() {}

    /// Drops the ten tables of the bookstore from the URL's database if they are there, creates
    /// them and fills them. The same seed gives the same rows, but for the dates, which refer to
    /// now.
    ///
    /// @param items number of books: 1,000 times a power of ten in the specification, here any
    ///   number from 10
    /// @param customers number of customers: 2,880 for each emulated browser in the specification,
    ///   here any number from 10
    /// @throws SQLException when the server refuses; the bookstore is then incomplete
    public static void populate(
            String url,
            String user,
            String password,
            int items,
            int customers,
            long seed,
            PopulationProgress progress)
            throws SQLException {
        LocalDateTime now =
                LocalDateTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS);
        populate(url, user, password, new Size(items, customers, now), seed, progress);
    }

    static void populate(
            String url,
            String user,
            String password,
            Size size,
            long seed,
            PopulationProgress progress)
            throws SQLException {
        try (Connection connection = connect(url, user, password)) {
            Schema.drop(connection);
            Schema.createTables(connection);
            fillCountries(connection);
        }
        var loader = new Loader(() -> connect(url, user, password), CONNECTIONS, seed, progress);
        loader.load(size);
        loader.addKeys(size);
    }

    /// A connection that joins the rows of a batch into long INSERTs and does not check foreign
    /// keys, which hold by construction.
    private static Connection connect(String url, String user, String password)
            throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        properties.setProperty("rewriteBatchedStatements", "true");
        Connection connection = DriverManager.getConnection(url, properties);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION foreign_key_checks = 0");
        }
        return connection;
    }

    private static void fillCountries(Connection connection) throws SQLException {
        try (var countries =
                new Batch(connection, "country", "co_id, co_name, co_exchange, co_currency")) {
            for (Country country : Country.ALL) {
                countries.add(country.id(), country.name(), country.exchange(), country.currency());
            }
            countries.send();
        }
    }
}
