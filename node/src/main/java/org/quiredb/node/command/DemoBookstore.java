package org.quiredb.node.command;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.quiredb.node.config.BackendSection;
import org.quiredb.tpcw.population.Population;
import picocli.CommandLine.Option;

/// The demo's bookstore, created in the backend when it is not there.
final class DemoBookstore {
    private static final String COUNT_LAST_KEYS =
            "SELECT COUNT(*) FROM information_schema.statistics"
                    + " WHERE table_schema = 'tpcw' AND table_name = 'order_line'"
                    + " AND index_name <> 'PRIMARY'";

    @Option(
            names = "--items",
            description = "books, when the bookstore is created (default: ${DEFAULT-VALUE})",
            defaultValue = "10000")
    private int items;

    @Option(
            names = "--customers",
            description = "when the bookstore is created (default: ${DEFAULT-VALUE})",
            defaultValue = "28800")
    private int customers;

    void createWhereMissing(Narration out, BackendSection backend) throws SQLException {
        if (complete(backend)) {
            out.say("using the bookstore that is there");
            return;
        }
        out.say(
                "creating a bookstore of %,d items and %,d customers in the backend"
                        .formatted(items, customers));
        Population.populate(
                backend.jdbcUrls().getFirst() + "tpcw?createDatabaseIfNotExist=true",
                backend.user(),
                backend.password(),
                items,
                customers,
                1,
                (step, rows, total) ->
                        out.nowAndThen(() ->
                                "        creating  %s  %,d of %,d".formatted(step, rows, total)));
    }

    /// Keys are created last.
    private static boolean complete(BackendSection backend) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(
                                backend.jdbcUrls().getFirst(), backend.user(), backend.password());
                var statement = connection.createStatement();
                var row = statement.executeQuery(COUNT_LAST_KEYS)) {
            row.next();
            return row.getInt(1) > 0;
        }
    }
}
