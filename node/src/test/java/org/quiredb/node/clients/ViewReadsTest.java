package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Views are read in memory, never by a definition that is not theirs any more.
@ExtendWith(BothSides.class)
@Tag("slow")
final class ViewReadsTest {
    private final BothSides.Ports ports;
    private Connection client;
    private Connection other;

    ViewReadsTest(BothSides.Ports ports) {
        this.ports = ports;
    }

    @BeforeEach
    void connectBoth() throws SQLException {
        client = connect(ports.quire(), "quire", "quire");
        other = connect(ports.quire(), "quire", "quire");
        execute(client, "CREATE DATABASE IF NOT EXISTS views");
        execute(client, "DROP TABLE IF EXISTS views.numbers");
        execute(client, "CREATE TABLE views.numbers (id INT PRIMARY KEY, v INT NOT NULL)");
        execute(client, "INSERT INTO views.numbers VALUES (1, 10), (2, 20), (3, 30)");
        client.setCatalog("views");
        other.setCatalog("views");
        execute(client, "CREATE OR REPLACE VIEW v AS SELECT v FROM numbers WHERE id < 3");
    }

    @AfterEach
    void close() throws SQLException {
        client.close();
        other.close();
    }

    @Test
    void theBackendIsNotAskedForRows() throws SQLException {
        execute(client, "CREATE OR REPLACE VIEW w AS SELECT v + 1 AS n FROM v");
        assertThat(number(client, "SELECT SUM(v) FROM v")).isEqualTo(30);
        assertThat(number(client, "SELECT SUM(n) FROM w")).isEqualTo(32);
        long before = ports.tier().fallbackStatements();
        assertThat(number(client, "SELECT SUM(v) FROM v")).isEqualTo(30);
        assertThat(number(client, "SELECT SUM(v) FROM views.v AS x WHERE x.v > 10")).isEqualTo(20);
        assertThat(number(client, "SELECT SUM(n) FROM w")).isEqualTo(32);
        assertThat(number(client, "SELECT COUNT(*) FROM v JOIN numbers USING (v)")).isEqualTo(2);
        assertThat(ports.tier().fallbackStatements()).isEqualTo(before);
    }

    @Test
    void pagesOfViewsAreCountedInMemory() throws SQLException {
        assertThat(number(client, "SELECT SUM(v) FROM v")).isEqualTo(30);
        execute(client, "START TRANSACTION");
        execute(client, "INSERT INTO numbers VALUES (0, 5)");
        execute(other, "INSERT INTO numbers VALUES (-1, 1)");
        assertThat(number(client, "SELECT COUNT(*) FROM v")).isEqualTo(4);
        execute(other, "INSERT INTO numbers VALUES (-2, 2)");
        long before = ports.tier().fallbackStatements();
        for (int round = 0; round < 2; round++) {
            String page = "SELECT SQL_CALC_FOUND_ROWS v FROM v ORDER BY v LIMIT 1, 1";
            assertThat(number(client, page)).isEqualTo(round == 0 ? 5 : 2);
            assertThat(number(client, "SELECT FOUND_ROWS()")).isEqualTo(round == 0 ? 4 : 5);
            execute(client, "COMMIT");
        }
        assertThat(ports.tier().fallbackStatements()).isEqualTo(before);
    }

    @Test
    void aTransactionReadsItsOwnRowsInMemory() throws SQLException {
        execute(client, "START TRANSACTION");
        execute(client, "INSERT INTO numbers VALUES (0, 5)");
        assertThat(number(client, "SELECT SUM(v) FROM v")).isEqualTo(35);
        long before = ports.tier().fallbackStatements();
        assertThat(number(client, "SELECT SUM(v) FROM v")).isEqualTo(35);
        assertThat(number(other, "SELECT SUM(v) FROM v")).isEqualTo(30);
        assertThat(ports.tier().fallbackStatements()).isEqualTo(before);
        execute(client, "ROLLBACK");
    }

    @Test
    void aViewThatIsReplacedIsReadAsItIsThen() throws SQLException {
        try (PreparedStatement prepared = other.prepareStatement("SELECT SUM(v) FROM v")) {
            for (int round = 0; round < 5; round++) {
                execute(
                        client,
                        "CREATE OR REPLACE VIEW v AS SELECT v FROM numbers WHERE id > " + round);
                int sum = 60 - (round > 0 ? 10 : 0) - (round > 1 ? 20 : 0) - (round > 2 ? 30 : 0);
                assertThat(number(other, "SELECT IFNULL(SUM(v), 0) FROM v")).isEqualTo(sum);
                try (ResultSet row = prepared.executeQuery()) {
                    assertThat(row.next()).isTrue();
                    assertThat(row.getInt(1)).isEqualTo(sum);
                }
            }
        }
        execute(client, "DROP VIEW v");
        assertThatThrownBy(() -> number(other, "SELECT SUM(v) FROM v"))
                .hasMessageContaining("doesn't exist");
    }

    @Test
    void aViewOfAColumnThatIsGoneIsInvalid() throws SQLException {
        assertThat(number(client, "SELECT SUM(v) FROM v")).isEqualTo(30);
        execute(other, "ALTER TABLE numbers RENAME COLUMN v TO renamed");
        assertThatThrownBy(() -> number(client, "SELECT SUM(v) FROM v"))
                .hasMessageContaining("references invalid table(s) or column(s)");
        execute(other, "ALTER TABLE numbers RENAME COLUMN renamed TO v");
        assertThat(number(client, "SELECT SUM(v) FROM v")).isEqualTo(30);
    }

    /// The state that it sees was there before the view was what it is.
    @Test
    void aTransactionThatHasItsStateIsToBeginAnewForANewView() throws SQLException {
        execute(client, "START TRANSACTION READ ONLY");
        assertThat(number(client, "SELECT SUM(v) FROM v")).isEqualTo(30);
        execute(other, "CREATE OR REPLACE VIEW v AS SELECT v FROM numbers WHERE id = 1");
        execute(other, "INSERT INTO numbers VALUES (4, 40)");
        assertThatThrownBy(() -> number(client, "SELECT SUM(v) FROM v"))
                .hasMessageContaining("try restarting transaction");
        execute(client, "START TRANSACTION READ ONLY");
        assertThat(number(client, "SELECT SUM(v) FROM v")).isEqualTo(10);
        execute(client, "COMMIT");
    }

    @Test
    void aClientNeedsNoRightToTheTablesUnlessTheViewSaysSo() throws SQLException {
        execute(
                client,
                "CREATE OR REPLACE SQL SECURITY INVOKER VIEW asks AS SELECT v FROM numbers");
        try (Connection behind = connect(ports.behind(), "quire", "quire")) {
            execute(behind, "CREATE OR REPLACE USER reader@'127.0.0.1' IDENTIFIED BY 'reader'");
            execute(behind, "GRANT SELECT ON views.v TO reader@'127.0.0.1'");
            execute(behind, "GRANT SELECT ON views.asks TO reader@'127.0.0.1'");
        }
        try (Connection reader = connect(ports.quire(), "reader", "reader")) {
            assertThat(number(reader, "SELECT SUM(v) FROM views.v")).isEqualTo(30);
            assertThatThrownBy(() -> number(reader, "SELECT SUM(v) FROM views.asks"))
                    .hasMessageContaining("lack rights to use them");
            assertThatThrownBy(() -> number(reader, "SELECT SUM(v) FROM views.numbers"))
                    .hasMessageContaining("command denied");
        }
        assertThat(number(client, "SELECT SUM(v) FROM asks")).isEqualTo(60);
    }

    @Test
    void whoMayReadTheTableAloneReadsNoViewOfAViewThatAsksForThat() throws SQLException {
        execute(client, "CREATE OR REPLACE SQL SECURITY INVOKER VIEW within AS SELECT v FROM v");
        execute(client, "CREATE OR REPLACE USER within@'127.0.0.1' IDENTIFIED BY 'within'");
        execute(client, "GRANT SELECT ON views.within TO within@'127.0.0.1'");
        execute(client, "GRANT SELECT ON views.numbers TO within@'127.0.0.1'");
        try (Connection reader = connect(ports.quire(), "within", "within")) {
            assertThatThrownBy(() -> number(reader, "SELECT SUM(v) FROM views.within"))
                    .hasMessageContaining("lack rights to use them");
            execute(client, "GRANT SELECT ON views.v TO within@'127.0.0.1'");
            assertThat(number(reader, "SELECT SUM(v) FROM views.within")).isEqualTo(30);
        }
    }

    @Test
    void whatAViewsDefinerMayReadNoMoreNobodyReadsByIt() throws SQLException {
        execute(client, "CREATE OR REPLACE USER definer@'%' IDENTIFIED BY 'definer'");
        execute(client, "GRANT SELECT (v) ON views.numbers TO definer@'%'");
        execute(
                client,
                "CREATE OR REPLACE DEFINER = definer@'%' VIEW granted AS SELECT v FROM numbers");
        assertThat(number(other, "SELECT SUM(v) FROM granted")).isEqualTo(60);
        execute(client, "REVOKE SELECT (v) ON views.numbers FROM definer@'%'");
        assertThatThrownBy(() -> number(other, "SELECT SUM(v) FROM granted"))
                .hasMessageContaining("lack rights to use them");
        execute(client, "GRANT SELECT ON views.numbers TO definer@'%'");
        assertThat(number(other, "SELECT SUM(v) FROM granted")).isEqualTo(60);
    }

    private static Connection connect(int port, String user, String password) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:%d/".formatted(port), user, password);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }
}
