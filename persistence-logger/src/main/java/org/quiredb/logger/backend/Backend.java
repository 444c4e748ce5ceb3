package org.quiredb.logger.backend;

import com.mysql.cj.jdbc.JdbcConnection;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import org.quiredb.common.schema.TriggerDefinition;

/// One on-disk database server.
///
/// Threads: any.
public final class Backend {
    private static final List<String> OWN_TABLES =
            List.of(
                    "CREATE DATABASE IF NOT EXISTS quire CHARACTER SET utf8mb4",
                    """
                    CREATE TABLE IF NOT EXISTS quire.class_epoch (
                        class_name VARCHAR(190) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL PRIMARY KEY,
                        epoch BIGINT NOT NULL) ENGINE=InnoDB\
                    """,
                    """
                    CREATE TABLE IF NOT EXISTS quire.topology (
                        id TINYINT NOT NULL PRIMARY KEY,
                        epoch BIGINT NOT NULL,
                        record BLOB NOT NULL) ENGINE=InnoDB\
                    """,
                    """
                    CREATE TABLE IF NOT EXISTS quire.schedulers (
                        id TINYINT NOT NULL PRIMARY KEY,
                        epoch BIGINT NOT NULL,
                        record BLOB NOT NULL) ENGINE=InnoDB\
                    """,
                    """
                    CREATE TABLE IF NOT EXISTS quire.table_ids (
                        id TINYINT NOT NULL PRIMARY KEY,
                        next_id INT NOT NULL) ENGINE=InnoDB\
                    """,
                    """
                    CREATE TABLE IF NOT EXISTS quire.applied (
                        class_name VARCHAR(190) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL PRIMARY KEY,
                        commit_number BIGINT NOT NULL) ENGINE=InnoDB\
                    """,
                    """
                    CREATE TABLE IF NOT EXISTS quire.logger_active (
                        id TINYINT NOT NULL PRIMARY KEY,
                        term BIGINT NOT NULL,
                        connection_id BIGINT NOT NULL,
                        address VARCHAR(300) NOT NULL) ENGINE=InnoDB\
                    """,
                    """
                    CREATE TABLE IF NOT EXISTS quire.schema_intent (
                        class_name VARCHAR(190) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL PRIMARY KEY,
                        commit_number BIGINT NOT NULL,
                        transaction_id BIGINT NOT NULL,
                        footprint CHAR(64) NOT NULL) ENGINE=InnoDB\
                    """,
                    """
                    CREATE TABLE IF NOT EXISTS quire.commit_log (
                        class_name VARCHAR(190) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
                        commit_number BIGINT NOT NULL,
                        part INT NOT NULL,
                        epoch BIGINT NOT NULL,
                        transaction_id BIGINT NOT NULL,
                        record LONGBLOB NOT NULL,
                        PRIMARY KEY (class_name, commit_number, part),
                        KEY (transaction_id)) ENGINE=InnoDB\
                    """,
                    """
                    CREATE TABLE IF NOT EXISTS quire.backend_set (
                        id TINYINT NOT NULL PRIMARY KEY,
                        generation BIGINT NOT NULL,
                        owner BIGINT NOT NULL,
                        members TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
                        written BIGINT NOT NULL,
                        transactions BIGINT NOT NULL) ENGINE=InnoDB\
                    """);

    /// Of every session: what triggers did is among the rows that are stored; and who reads a long
    /// result may take his time, which the driver is not to say anew for each.
    static final String SETTINGS =
            "@" + TriggerDefinition.VARIABLE + " = 1, net_write_timeout = 600";

    /// Read by the driver at each login.
    private static final String MAX_ALLOWED_PACKET = "max_allowed_packet";

    private final int index;
    private final BackendAddress address;
    private volatile int packetBytes;

    public Backend(int index, BackendAddress address) {
        this.index = index;
        this.address = address;
    }

    public int index() {
        return index;
    }

    /// What the record of the current backends calls it.
    public String name() {
        return address.name();
    }

    /// A new connection in autocommit mode.
    public Connection connect() throws SQLException {
        return connect(0);
    }

    /// @param silenceMillis how long the server may take to answer, 0 for ever
    public Connection connect(long silenceMillis) throws SQLException {
        return connect(silenceMillis, "");
    }

    /// @param settings that the driver is to know of, as in SET; empty for none
    Connection connect(long silenceMillis, String settings) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", address.user());
        properties.setProperty("password", address.password());
        properties.setProperty("useAffectedRows", "false");
        properties.setProperty("allowMultiQueries", "false");
        properties.setProperty("rewriteBatchedStatements", "true");
        properties.setProperty("continueBatchOnError", "false");
        properties.setProperty("enableEscapeProcessing", "false");
        properties.setProperty("jdbcCompliantTruncation", "false");
        properties.setProperty("useServerPrepStmts", "false");
        properties.setProperty("characterEncoding", "UTF-8");
        properties.setProperty("characterSetResults", "UTF-8");
        properties.setProperty("connectionCollation", "utf8mb4_general_ci");
        properties.setProperty("connectionTimeZone", "+00:00");
        properties.setProperty("forceConnectionTimeZoneToSession", "true");
        properties.setProperty("useLocalSessionState", "true");
        properties.setProperty(
                "sessionVariables", settings.isEmpty() ? SETTINGS : SETTINGS + ", " + settings);
        properties.setProperty("netTimeoutForStreamingResults", "0");
        properties.setProperty("allowPublicKeyRetrieval", "true");
        properties.setProperty("connectTimeout", "5000");
        properties.setProperty("socketTimeout", Long.toString(silenceMillis));
        properties.setProperty("tcpKeepAlive", "true");
        Connection connection = DriverManager.getConnection(address.url(), properties);
        packetBytes =
                connection
                        .unwrap(JdbcConnection.class)
                        .getSession()
                        .getServerSession()
                        .getServerVariable(MAX_ALLOWED_PACKET, 0);
        return connection;
    }

    /// The largest packet that it takes on the newest connection; 0 before there was one.
    public int packetBytes() {
        return packetBytes;
    }

    /// Creates Quire's own tables where they are missing.
    ///
    /// @throws OlderLogException when the log there is none of this Quire's
    public void prepare() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String table : OWN_TABLES) {
                statement.execute(table);
            }
            refuseOlderLog(statement);
            addTerm(statement);
        }
    }

    /// The term that a record was logged in, which is to be the active logger's. Tables of an
    /// earlier Quire have none, a copy of the log has no foreign key, and who added them may have
    /// ended after any step.
    private static void addTerm(Statement statement) throws SQLException {
        statement.execute("SET foreign_key_checks = 0"); // or the log is copied, row by row
        add(
                statement,
                "SHOW KEYS FROM quire.logger_active WHERE Key_name = 'term'",
                "ALTER TABLE quire.logger_active ADD UNIQUE KEY term (term)");
        add(
                statement,
                "SHOW COLUMNS FROM quire.commit_log LIKE 'term'",
                "ALTER TABLE quire.commit_log ADD COLUMN term BIGINT");
        add(
                statement,
                "SELECT 1 FROM information_schema.REFERENTIAL_CONSTRAINTS"
                        + " WHERE CONSTRAINT_SCHEMA = 'quire' AND TABLE_NAME = 'commit_log'"
                        + " AND REFERENCED_TABLE_NAME = 'logger_active'",
                "ALTER TABLE quire.commit_log ADD FOREIGN KEY (term) REFERENCES quire.logger_active (term)");
    }

    private static void add(Statement statement, String look, String change) throws SQLException {
        if (!finds(statement, look)) {
            try {
                statement.execute(change);
            } catch (SQLException e) {
                if (!finds(statement, look)) { // another logger has added it this moment
                    throw e;
                }
            }
        }
    }

    private static boolean finds(Statement statement, String query) throws SQLException {
        try (ResultSet found = statement.executeQuery(query)) {
            return found.next();
        }
    }

    /// Texts of statements were logged in a column of this name.
    private void refuseOlderLog(Statement statement) throws SQLException {
        if (finds(statement, "SHOW COLUMNS FROM quire.commit_log LIKE 'statements'")) {
            throw new OlderLogException(
                    this
                            + " has a log of an older Quire, which this one does not read. Start that one"
                            + " again, stop it when `quire status` shows that every backend has applied"
                            + " everything, and DROP TABLE quire.commit_log on each of them");
        }
    }

    @Override
    public String toString() {
        return "backend " + index + " (" + address + ")";
    }
}
