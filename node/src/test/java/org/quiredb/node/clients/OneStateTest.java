package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A read-only transaction sees one state, whether replicas or the backend run its statements.
@ExtendWith(BothSides.class)
@Tag("slow")
final class OneStateTest {
    private static final String ON_REPLICA = "SELECT v FROM one_state.number WHERE id = 1";

    // A function that no replica has.
    private static final String ON_BACKEND =
            "SELECT v + 0 * BIT_COUNT(WEIGHT_STRING('a')) FROM one_state.number WHERE id = 1";

    private final BothSides.Ports ports;
    private Connection reading;
    private Connection writing;

    OneStateTest(BothSides.Ports ports) {
        this.ports = ports;
    }

    @BeforeEach
    void connectBoth() throws SQLException {
        reading = connect();
        writing = connect();
        execute(writing, "CREATE DATABASE IF NOT EXISTS one_state");
        execute(writing, "DROP TABLE IF EXISTS one_state.number");
        execute(writing, "CREATE TABLE one_state.number (id INT PRIMARY KEY, v INT NOT NULL)");
        execute(writing, "INSERT INTO one_state.number VALUES (1, 1)");
    }

    @AfterEach
    void close() throws SQLException {
        reading.close();
        writing.close();
    }

    @Test
    void aTransactionThatBeginsOnTheBackendKeepsItsStateOnReplicasToo() throws SQLException {
        begin();
        assertThat(number(ON_BACKEND)).isEqualTo(1);
        change();
        assertThat(number(ON_REPLICA)).isEqualTo(1);
        change();
        assertThat(number(ON_BACKEND)).isEqualTo(1);
        execute(reading, "COMMIT");
        assertThat(number(ON_BACKEND)).isEqualTo(3);
        assertThat(number(ON_REPLICA)).isEqualTo(3);
    }

    @Test
    void theBackendAnswersLateWhereNothingHasChangedSince() throws SQLException {
        begin();
        assertThat(number(ON_REPLICA + " AND 'quiet' = 'quiet'")).isEqualTo(1);
        assertThat(number(ON_BACKEND)).isEqualTo(1);
        change();
        assertThat(number(ON_BACKEND)).isEqualTo(1);
        execute(reading, "COMMIT");
    }

    @Test
    void aTransactionThatComesTooLateIsRunAgainAndSucceeds() throws SQLException {
        String first = ON_REPLICA + " AND 'late' <> 'early' AND 1 < 2";
        begin();
        assertThat(number(first)).isEqualTo(1);
        change();
        assertThat(number(first)).isEqualTo(1);
        SQLException refused = catchThrowableOfType(SQLException.class, () -> number(ON_BACKEND));
        assertThat(refused.getErrorCode()).isEqualTo(1213);
        assertThat(refused.getSQLState()).isEqualTo("40001");

        begin();
        assertThat(number(first)).isEqualTo(2);
        change();
        assertThat(number(ON_BACKEND)).isEqualTo(2);
        assertThat(number(first)).isEqualTo(2);
        execute(reading, "COMMIT");
        assertThat(number(first)).isEqualTo(3);
    }

    @Test
    void aNameThatAnotherDialectReservesIsReadOnReplicas() throws SQLException {
        execute(writing, "DROP TABLE IF EXISTS one_state.last");
        execute(writing, "CREATE TABLE one_state.last (writer INT PRIMARY KEY, number INT)");
        execute(writing, "INSERT INTO one_state.last VALUES (1, 5)");
        long before = fallbacks();
        assertThat(number("SELECT MAX(number) FROM one_state.last WHERE number > 1")).isEqualTo(5);
        assertThat(fallbacks()).isEqualTo(before);
    }

    private long fallbacks() {
        return ports.tier().fallbackStatements();
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:%d/".formatted(ports.quire()),
                BothSides.USER,
                BothSides.PASSWORD);
    }

    private void begin() throws SQLException {
        execute(reading, "START TRANSACTION READ ONLY");
    }

    private void change() throws SQLException {
        execute(writing, "UPDATE one_state.number SET v = v + 1 WHERE id = 1");
    }

    private int number(String query) throws SQLException {
        try (Statement statement = reading.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
