package org.quiredb.node.measure;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A MySQL server with a bookstore, and a database beside it for what writes.
///
/// @param bookstore JDBC URL with the bookstore's database
/// @param scratch name of the other database, made and dropped here
public record MeasuredServer(String bookstore, String scratch, String user, String password) {
    private static final Pattern URL = Pattern.compile("(jdbc:mysql://[^/]+/)([^?]*)(\\?.*)?");

    /// Prepared at the server, once for each client.
    private static final String PREPARED = "useServerPrepStmts=true&cachePrepStmts=true";

    public MeasuredServer {
        if (!URL.matcher(bookstore).matches()) {
            throw new IllegalArgumentException(
                    "%s is no URL as jdbc:mysql://host:port/tpcw".formatted(bookstore));
        }
    }

    String url(Probe.Kind kind) {
        return url(kind == Probe.Kind.BOOKSTORE ? "" : scratch, PREPARED);
    }

    /// @param database the bookstore's when it is empty
    private String url(String database, String properties) {
        Matcher parts = URL.matcher(bookstore);
        if (!parts.matches()) {
            throw new IllegalStateException(bookstore);
        }
        String given = parts.group(3);
        return parts.group(1)
                + (database.isEmpty() ? parts.group(2) : database)
                + (given == null ? "?" : given + "&")
                + properties;
    }

    void makeScratch() throws SQLException {
        dropScratch();
        SysbenchTable.create(url(scratch, "createDatabaseIfNotExist=true"), user, password);
    }

    void dropScratch() throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(url("", PREPARED), user, password);
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS " + scratch);
        }
    }

    /// The first column of the only row.
    long number(String query) throws SQLException {
        return Long.parseLong(text(query));
    }

    String text(String query) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(url("", PREPARED), user, password);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return String.valueOf(row.getString(row.getMetaData().getColumnCount()));
        }
    }
}
