import java.math.BigDecimal;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.HexFormat;

/// Create, read, update and delete through Connector/J, with statements prepared in the driver and in the server.
///
/// Usage: `java -cp mysql-connector-j.jar Crud.java HOST PORT USER PASSWORD`; prints the same against Quire and against
/// MariaDB.
public final class Crud {
    private static final String[] MISTAKES = {
        "INSERT INTO note (title) VALUES ('plain')",
        "INSERT INTO nowhere VALUES (1)",
        "UPDATE note SET nothing = 1",
        "DELETE FROM nowhere",
        "SELECT * FROM nowhere",
        "SELECT nothing FROM note",
        "SELECT FROM note WHERE",
        "SELEC 1",
        "INSERT INTO word (note, text) VALUES (NULL, 'none')",
        "INSERT INTO note (title, price) VALUES ('one')",
        "INSERT INTO word (note, text) VALUES (99, 'orphan')",
        "DELETE FROM note WHERE id = 1",
        "CREATE TABLE note (id INT)",
        "DROP TABLE nowhere"
    };

    private static final String[] QUERIES = {
        "SELECT * FROM note ORDER BY id",
        "SELECT id, title AS name, price * 2 AS doubled FROM note WHERE price > ? ORDER BY id DESC LIMIT 2",
        "SELECT COUNT(*) AS notes, SUM(price) AS total, MIN(made), MAX(title) FROM note WHERE id < ?",
        "SELECT n.title, w.text FROM note n JOIN word w ON w.note = n.id WHERE n.id < ? ORDER BY n.id, w.text",
        "SELECT n.title, COUNT(w.text) FROM note n LEFT JOIN word w ON w.note = n.id WHERE n.id < ? GROUP BY n.id, n.title"
                + " HAVING COUNT(w.text) >= 0 ORDER BY n.id",
        "SELECT title FROM note WHERE id IN (1, 2, ?) AND title LIKE '%i%' ORDER BY title",
        "SELECT title FROM note WHERE made BETWEEN '2026-01-01' AND '2026-12-31' AND id <> ? ORDER BY id",
        "SELECT CONCAT(title, ?), LENGTH(title), SUBSTRING(title, 2, 3), REPLACE(title, 'a', 'A') FROM note ORDER BY id",
        "SELECT DATE_FORMAT(made, '%Y/%m'), YEAR(made), DATE_ADD(made, INTERVAL ? DAY) FROM note WHERE made IS NOT NULL ORDER BY id",
        "SELECT title FROM note n WHERE EXISTS (SELECT 1 FROM word w WHERE w.note = n.id) AND n.id < ? ORDER BY id",
        "SELECT DISTINCT done FROM note WHERE id < ? ORDER BY done",
        "SELECT 1 + ?, DATABASE(), @@autocommit"
    };

    private final Connection connection;

    private Crud(Connection connection) {
        this.connection = connection;
    }

    public static void main(String[] arguments) throws SQLException {
        if (arguments.length != 4) {
            System.err.println("usage: Crud HOST PORT USER PASSWORD");
            System.exit(2);
        }
        for (boolean serverSide : new boolean[] {false, true}) {
            String url =
                    "jdbc:mysql://%s:%s/crud_java?createDatabaseIfNotExist=true&allowMultiQueries=true&useServerPrepStmts=%s"
                            .formatted(arguments[0], arguments[1], serverSide);
            try (Connection connection = DriverManager.getConnection(url, arguments[2], arguments[3])) {
                System.out.println("server-side prepared statements: " + serverSide);
                new Crud(connection).run();
            }
        }
        refused(arguments, "crud_java", "wrong");
        refused(arguments, "nowhere", arguments[3]);
    }

    private static void refused(String[] arguments, String database, String password) {
        String url = "jdbc:mysql://%s:%s/%s".formatted(arguments[0], arguments[1], database);
        try (Connection connection = DriverManager.getConnection(url, arguments[2], password)) {
            System.out.println("connected");
        } catch (SQLException e) {
            System.out.println("not connected: " + e.getErrorCode());
        }
    }

    private void run() throws SQLException {
        create();
        insert();
        for (String query : QUERIES) {
            show(query, query.contains("?") ? "3" : null);
        }
        types();
        batch();
        mistakes();
        transactions();
        savepoints();
        readOnly();
        driverQuestions();
        several();
    }

    private void create() throws SQLException {
        execute("DROP TABLE IF EXISTS word, note");
        execute(
                "CREATE TABLE note (id BIGINT AUTO_INCREMENT PRIMARY KEY, title VARCHAR(60) NOT NULL UNIQUE, price DECIMAL(10,2),"
                        + " made DATETIME, day DATE, done BOOLEAN NOT NULL DEFAULT FALSE, seen INT UNSIGNED, big BIGINT UNSIGNED,"
                        + " rate DOUBLE, body LONGTEXT, raw VARBINARY(100)) DEFAULT CHARSET = utf8mb4");
        execute(
                "CREATE TABLE word (note BIGINT NOT NULL, text VARCHAR(20) NOT NULL, PRIMARY KEY (note, text),"
                        + " FOREIGN KEY (note) REFERENCES note (id))");
    }

    private void insert() throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement insert =
                connection.prepareStatement(
                        "INSERT INTO note (title, price, made, day, done, seen, big, rate, body, raw) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        Statement.RETURN_GENERATED_KEYS)) {
            for (String title : new String[] {"it's a \\ \"test\"", "Zürich", "plain", "smile 😀"}) {
                boolean plain = title.equals("plain");
                insert.setString(1, title);
                insert.setBigDecimal(2, plain ? null : new BigDecimal("19.90"));
                insert.setObject(3, plain ? null : LocalDateTime.of(2026, 1, 2, 3, 4, 5));
                insert.setObject(4, LocalDate.of(2024, 2, 29));
                insert.setBoolean(5, plain);
                insert.setLong(6, 4294967295L);
                insert.setString(7, "18446744073709551615");
                insert.setDouble(8, -1.5e-10);
                insert.setString(9, "line\none\t😀 \\ '");
                insert.setBytes(10, new byte[] {0, 1, '\'', '\\', (byte) 0xFE, (byte) 0xFF});
                System.out.println("inserted " + insert.executeUpdate());
                try (ResultSet keys = insert.getGeneratedKeys()) {
                    keys.next();
                    System.out.println("key " + keys.getLong(1));
                }
            }
        }
        try (Statement statement = connection.createStatement()) {
            System.out.println("words " + statement.executeUpdate("INSERT INTO word VALUES (1, 'red'), (1, 'blue'), (2, 'blue')"));
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    private void types() throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT * FROM note WHERE id = ?")) {
            select.setLong(1, 1);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                System.out.println(
                        row.getLong("id") + " " + row.getBigDecimal("price") + " " + row.getObject("made") + " "
                                + row.getDate("day") + " " + row.getBoolean("done") + " " + row.getLong("seen") + " "
                                + row.getObject("big") + " " + row.getDouble("rate") + " "
                                + HexFormat.of().formatHex(row.getBytes("raw")));
            }
        }
    }

    private void batch() throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement(
                        "INSERT INTO note (title, price) VALUES (?, ?)", Statement.RETURN_GENERATED_KEYS)) {
            for (int i = 1; i <= 3; i++) {
                insert.setString(1, "batch " + i);
                insert.setInt(2, i);
                insert.addBatch();
            }
            System.out.println("batch " + Arrays.toString(insert.executeBatch()));
            try (ResultSet keys = insert.getGeneratedKeys()) {
                while (keys.next()) {
                    System.out.println("batch key " + keys.getLong(1));
                }
            }
        }
        try (Statement statement = connection.createStatement()) {
            statement.addBatch("UPDATE note SET price = price + 1 WHERE title LIKE 'batch%'");
            statement.addBatch("INSERT INTO note (title) VALUES ('plain')");
            statement.addBatch("DELETE FROM note WHERE title LIKE 'batch%'");
            statement.executeBatch();
        } catch (BatchUpdateException e) {
            System.out.println("batch broken: " + e.getErrorCode() + " " + Arrays.toString(e.getUpdateCounts()));
        }
        update("DELETE FROM note WHERE title LIKE ?", "batch%");
    }

    private void mistakes() throws SQLException {
        for (String sql : MISTAKES) {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.execute();
                System.out.println("no mistake: " + sql);
            } catch (SQLException e) {
                System.out.println(sql + ": " + e.getErrorCode() + " " + e.getSQLState() + " " + e.getClass().getSimpleName());
            }
            show("SELECT COUNT(*) FROM note", null);
        }
    }

    private void transactions() throws SQLException {
        connection.setAutoCommit(false);
        update("UPDATE note SET price = price * 2 WHERE title = ?", "PLAIN");
        update("DELETE FROM word WHERE note = ?", "1");
        connection.rollback();
        show("SELECT COUNT(*) FROM word", null);
        update("UPDATE note SET price = ? WHERE id = 2", "7.125");
        update("UPDATE note SET price = 7.13 WHERE id = ?", "2");
        connection.commit();
        show("SELECT price FROM note WHERE id = ?", "2");
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        System.out.println("isolation " + connection.getTransactionIsolation());
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setAutoCommit(true);
    }

    private void savepoints() throws SQLException {
        connection.setAutoCommit(false);
        update("UPDATE note SET seen = 1 WHERE id = ?", "1");
        Savepoint first = connection.setSavepoint("first");
        update("INSERT INTO word VALUES (?, 'green')", "3");
        Savepoint second = connection.setSavepoint();
        update("DELETE FROM word WHERE note = ?", "1");
        show("SELECT note, text FROM word ORDER BY note, text", null);
        connection.rollback(second);
        show("SELECT note, text FROM word ORDER BY note, text", null);
        connection.rollback(first);
        connection.releaseSavepoint(first);
        connection.commit();
        show("SELECT note, text FROM word ORDER BY note, text", null);
        show("SELECT seen FROM note WHERE id = ?", "1");
        connection.setAutoCommit(true);
    }

    private void readOnly() throws SQLException {
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        show("SELECT COUNT(*) AS notes, SUM(price) AS total FROM note WHERE id < ?", "100");
        try {
            update("DELETE FROM note WHERE id = ?", "1");
        } catch (SQLException e) {
            System.out.println("read only: " + e.getSQLState());
        }
        connection.commit();
        connection.setAutoCommit(true);
        connection.setReadOnly(false);
        execute("START TRANSACTION READ ONLY");
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("DELETE FROM word");
        } catch (SQLException e) {
            System.out.println("read only: " + e.getErrorCode());
        }
        execute("COMMIT");
    }

    private void driverQuestions() throws SQLException {
        DatabaseMetaData about = connection.getMetaData();
        try (ResultSet tables = about.getTables("crud_java", null, "%", new String[] {"TABLE"})) {
            while (tables.next()) {
                System.out.println("table " + tables.getString("TABLE_NAME"));
            }
        }
        try (ResultSet columns = about.getColumns("crud_java", null, "note", "%")) {
            while (columns.next()) {
                System.out.println(
                        "column " + columns.getString("COLUMN_NAME") + " " + columns.getString("TYPE_NAME") + " "
                                + columns.getInt("COLUMN_SIZE") + " " + columns.getString("IS_NULLABLE"));
            }
        }
        try (ResultSet keys = about.getPrimaryKeys("crud_java", null, "word")) {
            while (keys.next()) {
                System.out.println("key " + keys.getString("COLUMN_NAME") + " " + keys.getInt("KEY_SEQ"));
            }
        }
        System.out.println("valid " + connection.isValid(5) + ", catalog " + connection.getCatalog());
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO word VALUES (?, ?)")) {
            System.out.println("parameters " + insert.getParameterMetaData().getParameterCount());
            insert.setObject(1, null, Types.BIGINT);
            insert.setString(2, "none");
            insert.executeUpdate();
        } catch (SQLException e) {
            System.out.println("null: " + e.getErrorCode());
        }
    }

    private void several() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            boolean rows = statement.execute("SELECT 1; UPDATE note SET seen = 3 WHERE id = 1; SELECT seen FROM note WHERE id = 1");
            while (rows || statement.getUpdateCount() >= 0) {
                if (rows) {
                    try (ResultSet result = statement.getResultSet()) {
                        print(result);
                    }
                } else {
                    System.out.println("count " + statement.getUpdateCount());
                }
                rows = statement.getMoreResults();
            }
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void update(String sql, String parameter) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, parameter);
            System.out.println(sql + ": " + statement.executeUpdate());
        }
    }

    private void show(String sql, String parameter) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            if (parameter != null) {
                statement.setString(1, parameter);
            }
            System.out.println("-- " + sql);
            try (ResultSet rows = statement.executeQuery()) {
                ResultSetMetaData about = rows.getMetaData();
                for (int column = 1; column <= about.getColumnCount(); column++) {
                    System.out.println(
                            "   " + about.getColumnLabel(column) + "/" + about.getColumnName(column) + " of " + about.getTableName(column)
                                    + " " + about.getColumnTypeName(column) + " " + about.getColumnClassName(column));
                }
                print(rows);
            }
        }
    }

    private static void print(ResultSet rows) throws SQLException {
        int columns = rows.getMetaData().getColumnCount();
        while (rows.next()) {
            StringBuilder row = new StringBuilder();
            for (int column = 1; column <= columns; column++) {
                boolean bytes = rows.getMetaData().getColumnType(column) == Types.VARBINARY;
                String value = bytes ? HexFormat.of().formatHex(rows.getBytes(column)) : rows.getString(column);
                row.append(rows.getMetaData().getColumnLabel(column)).append('=').append(value).append(' ');
            }
            System.out.println(row.toString().strip());
        }
    }
}
