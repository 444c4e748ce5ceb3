package org.quiredb.tpcw.check;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/// Checks the data of a bookstore.
public final class Consistency {

    private Consistency() {}

    /// Checks every condition in one read-only transaction, so that it may be done while browsers
    /// shop.
    public static List<Finding> check(String url, String user, String password)
            throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, user, password)) {
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            var findings = new ArrayList<Finding>();
            for (ConsistencyCondition condition : Conditions.all()) {
                findings.add(
                        new Finding(
                                condition.name(), count(connection, condition.countViolations())));
            }
            connection.commit();
            return findings;
        }
    }

    private static long count(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
