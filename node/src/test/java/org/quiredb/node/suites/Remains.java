package org.quiredb.node.suites;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Takes away what a test has left, so that the next one finds a server as it was and an empty
/// database `test`.
final class Remains {
    private static final Set<String> OF_THE_SERVER =
            Set.of("information_schema", "mysql", "performance_schema", "sys", "quire", "mtr");

    private Remains() {}

    /// Of a server without a tier.
    static void clear(int port) throws SQLException {
        clear(port, port);
    }

    /// @param server where accounts and settings are
    /// @param port where databases are dropped
    static void clear(int server, int port) throws SQLException {
        try (Connection direct = connect(server);
                Statement statement = direct.createStatement()) {
            if (server == port) {
                endOthers(statement);
            }
            for (String user :
                    texts(
                            statement,
                            "SELECT CONCAT(QUOTE(user), '@', QUOTE(host)) FROM mysql.user"
                                    + " WHERE user NOT IN"
                                    + " ('root', 'quire', 'mariadb.sys', 'PUBLIC', '')"
                                    + " AND is_role = 'N'")) {
                statement.execute("DROP USER " + user);
            }
            for (String role :
                    texts(
                            statement,
                            "SELECT CONCAT('`', user, '`') FROM mysql.user WHERE is_role = 'Y'"
                                    + " AND user <> 'PUBLIC'")) {
                statement.execute("DROP ROLE " + role);
            }
        }
        try (Connection connection = connect(port);
                Statement statement = connection.createStatement()) {
            statement.execute("SET foreign_key_checks = 0");
            for (String database : texts(statement, "SHOW DATABASES")) {
                if (!OF_THE_SERVER.contains(database)) {
                    statement.execute("DROP DATABASE `" + database.replace("`", "``") + "`");
                }
            }
            statement.execute("CREATE DATABASE test");
        }
    }

    /// A test that was broken off may have left sessions with locks.
    private static void endOthers(Statement statement) throws SQLException {
        for (String id :
                texts(
                        statement,
                        "SELECT id FROM information_schema.processlist"
                                + " WHERE id <> CONNECTION_ID() AND user <> 'system user'"
                                + " AND command <> 'Daemon'")) {
            try {
                statement.execute("KILL " + id);
            } catch (SQLException e) {
                // It has gone by itself.
            }
        }
    }

    /// What tests may set for all sessions, and did not hold when the run began.
    static List<String> settings(int port) throws SQLException {
        try (Connection direct = connect(port);
                Statement statement = direct.createStatement()) {
            return texts(
                    statement,
                    "SELECT CONCAT(v.variable_name, ' ', v.global_value)"
                            + " FROM information_schema.system_variables v"
                            + " WHERE v.global_value IS NOT NULL AND v.read_only = 'NO'"
                            + " AND v.variable_name NOT LIKE 'gtid%'"
                            + " AND v.variable_name NOT LIKE 'innodb_buffer_pool%'"
                            + " ORDER BY 1");
        }
    }

    /// Gives settings that a test has changed their values back.
    static void restore(int port, List<String> before) throws SQLException {
        List<String> changed = new ArrayList<>(before);
        changed.removeAll(settings(port));
        try (Connection direct = connect(port);
                Statement statement = direct.createStatement()) {
            for (String setting : changed) {
                int blank = setting.indexOf(' ');
                String value = setting.substring(blank + 1);
                String written =
                        value.matches("-?[0-9.]+") ? value : "'" + value.replace("'", "''") + "'";
                try {
                    statement.execute(
                            "SET GLOBAL " + setting.substring(0, blank) + " = " + written);
                } catch (SQLException e) {
                    System.out.println("not set back: " + setting + ", " + e.getMessage());
                }
            }
        }
    }

    private static List<String> texts(Statement statement, String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }

    private static Connection connect(int port) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + port + "/", "quire", "quire");
    }
}
