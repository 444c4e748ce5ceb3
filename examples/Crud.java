import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// The same create, read, update and delete through Connector/J, with and without server-side prepared statements.
///
/// Usage: `java -cp mysql-connector-j.jar Crud.java HOST PORT USER PASSWORD`; prints the same against Quire and against
/// MySQL or MariaDB.
public final class Crud {
    public static void main(String[] arguments) throws SQLException {
        if (arguments.length != 4) {
            System.err.println("usage: Crud HOST PORT USER PASSWORD");
            System.exit(2);
        }
        for (boolean serverSide : new boolean[] {false, true}) {
            String url =
                    "jdbc:mysql://%s:%s/crud_java?createDatabaseIfNotExist=true&useServerPrepStmts=%s"
                            .formatted(arguments[0], arguments[1], serverSide);
            try (Connection connection = DriverManager.getConnection(url, arguments[2], arguments[3])) {
                System.out.println("server-side prepared statements: " + serverSide);
                run(connection);
            }
        }
    }

    private static void run(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS note");
            statement.execute(
                    "CREATE TABLE note (id BIGINT AUTO_INCREMENT PRIMARY KEY, title VARCHAR(60) NOT NULL UNIQUE,"
                            + " price DECIMAL(10,2), made DATETIME)");
        }
        connection.setAutoCommit(false);
        try (PreparedStatement insert =
                connection.prepareStatement(
                        "INSERT INTO note (title, price, made) VALUES (?, ?, ?)", Statement.RETURN_GENERATED_KEYS)) {
            for (String title : new String[] {"it's a \\ \"test\"", "Zürich", "plain"}) {
                insert.setString(1, title);
                insert.setBigDecimal(2, new java.math.BigDecimal("19.90"));
                insert.setObject(3, java.time.LocalDateTime.of(2026, 1, 2, 3, 4, 5));
                insert.executeUpdate();
                try (ResultSet keys = insert.getGeneratedKeys()) {
                    keys.next();
                    System.out.println("key " + keys.getLong(1));
                }
            }
        }
        connection.commit();
        show(connection, "SELECT id, title, price, made FROM note WHERE price > ? ORDER BY id", "1");
        update(connection, "UPDATE note SET price = price * 2 WHERE title = ?", "PLAIN");
        update(connection, "DELETE FROM note WHERE id = ?", "1");
        connection.rollback();
        update(connection, "DELETE FROM note WHERE title = ?", "Zürich");
        connection.commit();
        connection.setReadOnly(true);
        show(connection, "SELECT COUNT(*) AS notes, SUM(price) AS total FROM note WHERE id < ?", "100");
        connection.commit();
        connection.setReadOnly(false);
        try {
            update(connection, "INSERT INTO note (title) VALUES (?)", "plain");
        } catch (SQLException e) {
            System.out.println("duplicate: " + e.getErrorCode() + " " + e.getSQLState());
        }
        connection.rollback();
    }

    private static void update(Connection connection, String sql, String parameter) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, parameter);
            System.out.println(sql + ": " + statement.executeUpdate());
        }
    }

    private static void show(Connection connection, String sql, String parameter) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, parameter);
            try (ResultSet rows = statement.executeQuery()) {
                int columns = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    StringBuilder row = new StringBuilder();
                    for (int column = 1; column <= columns; column++) {
                        row.append(rows.getMetaData().getColumnLabel(column)).append('=').append(rows.getString(column)).append(' ');
                    }
                    System.out.println(row.toString().strip());
                }
            }
        }
    }
}
