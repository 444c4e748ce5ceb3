package org.quiredb.node.command;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.quiredb.node.config.BackendSection;
import org.quiredb.node.terminal.Durations;
import org.quiredb.node.terminal.ProgressLine;
import org.quiredb.node.terminal.Screen;
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

    int items() {
        return items;
    }

    int customers() {
        return customers;
    }

    void createWhereMissing(Screen screen, BackendSection backend) throws SQLException {
        if (complete(backend)) {
            screen.end("the bookstore of an earlier run is there");
            return;
        }
        long start = System.nanoTime();
        ProgressLine progress = new ProgressLine("filling the bookstore", "rows");
        Population.populate(
                backend.jdbcUrls().getFirst() + "tpcw?createDatabaseIfNotExist=true",
                backend.user(),
                backend.password(),
                items,
                customers,
                1,
                (step, rows, total) ->
                        screen.show(progress.at(step.equals("rows") ? "" : step, rows, total)));
        screen.end(
                "bookstore of %,d books and %,d customers filled in %s"
                        .formatted(
                                items,
                                customers,
                                Durations.fine((System.nanoTime() - start) / 1e9)));
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
