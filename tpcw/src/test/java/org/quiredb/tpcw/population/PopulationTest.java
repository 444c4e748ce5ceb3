package org.quiredb.tpcw.population;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.quiredb.tpcw.TestServer.CUSTOMERS;
import static org.quiredb.tpcw.TestServer.ITEMS;
import static org.quiredb.tpcw.TestServer.PASSWORD;
import static org.quiredb.tpcw.TestServer.USER;
import static org.quiredb.tpcw.TestServer.number;
import static org.quiredb.tpcw.TestServer.query;
import static org.quiredb.tpcw.TestServer.url;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quiredb.tpcw.TestServer;
import org.quiredb.tpcw.check.Consistency;
import org.quiredb.tpcw.check.Finding;
import org.quiredb.tpcw.random.DigSyl;
import org.quiredb.tpcw.schema.Schema;

@Tag("slow")
class PopulationTest {

    private static final Size SMALL = new Size(200, 1100, LocalDateTime.of(2026, 3, 1, 12, 0));

    private static final String URL = url("small");
    private static final List<String> STEPS = new ArrayList<>();
    private static final List<Long> ROWS = new ArrayList<>();

    @BeforeAll
    static void populate() throws SQLException {
        Population.populate(
                URL,
                USER,
                PASSWORD,
                SMALL,
                42,
                (step, done, total) -> {
                    STEPS.add(step);
                    ROWS.add(done);
                    assertThat(total).isEqualTo(SMALL.numberedRows());
                });
    }

    @Test
    void hasTheCardinalitiesOfTheSpecification() throws SQLException {
        String url = url("cardinalities");
        Population.populate(url, USER, PASSWORD, ITEMS, CUSTOMERS, 7, PopulationProgress.SILENT);

        assertThat(number(url, "SELECT COUNT(*) FROM item")).isEqualTo(ITEMS);
        assertThat(number(url, "SELECT COUNT(*) FROM author")).isEqualTo(ITEMS / 4);
        assertThat(number(url, "SELECT COUNT(*) FROM country")).isEqualTo(92);
        assertThat(number(url, "SELECT COUNT(*) FROM customer")).isEqualTo(CUSTOMERS);
        assertThat(number(url, "SELECT COUNT(*) FROM address")).isEqualTo(2 * CUSTOMERS);
        assertThat(number(url, "SELECT COUNT(*) FROM orders")).isEqualTo(CUSTOMERS * 9 / 10);
        assertThat(number(url, "SELECT COUNT(*) FROM cc_xacts")).isEqualTo(CUSTOMERS * 9 / 10);
        assertThat(number(url, "SELECT COUNT(*) FROM order_line"))
                .isBetween((int) (CUSTOMERS * 2.5), (int) (CUSTOMERS * 2.9));
        assertThat(number(url, "SELECT COUNT(*) FROM shopping_cart")).isZero();
        assertThat(number(url, "SELECT COUNT(DISTINCT i_subject) FROM item")).isEqualTo(24);
        assertThat(number(url, "SELECT COUNT(*) FROM item WHERE i_stock < 10 OR i_stock > 30"))
                .isZero();
        assertThat(Consistency.check(url, USER, PASSWORD)).allMatch(Finding::holds);
    }

    @Test
    void givesEverySearchKeyToSomeTitleAndSomeAuthor() throws SQLException {
        for (int key = 1; key <= SMALL.titleKeys(); key++) {
            assertThat(
                            number(
                                    URL,
                                    "SELECT COUNT(*) FROM item WHERE i_title LIKE '%"
                                            + DigSyl.key(key)
                                            + "%'"))
                    .isPositive();
        }
        for (int key = 1; key <= SMALL.authorKeys(); key++) {
            assertThat(
                            number(
                                    URL,
                                    "SELECT COUNT(*) FROM author WHERE a_lname LIKE '%"
                                            + DigSyl.key(key)
                                            + "%'"))
                    .isPositive();
        }
    }

    @Test
    void makesTheSameRowsOfTheSameSeed() throws SQLException {
        Population.populate(url("seed_b"), USER, PASSWORD, SMALL, 42, PopulationProgress.SILENT);
        Population.populate(url("seed_c"), USER, PASSWORD, SMALL, 43, PopulationProgress.SILENT);

        assertThat(checksums("small")).isEqualTo(checksums("seed_b"));
        assertThat(checksums("small").get("item")).isNotEqualTo(checksums("seed_c").get("item"));
    }

    @Test
    void continuesKeysAfterThoseOfTheRows() throws SQLException {
        TestServer.execute(
                URL,
                "INSERT INTO address (addr_street1, addr_street2, addr_city, addr_state, addr_zip, addr_co_id)"
                        + " VALUES ('a', 'b', 'c', 'd', 'e', 1)");

        assertThat(number(URL, "SELECT MAX(addr_id) FROM address"))
                .isEqualTo(SMALL.addresses() + 1);
        TestServer.execute(URL, "DELETE FROM address WHERE addr_id > " + SMALL.addresses());
    }

    @Test
    void declaresKeysThatTheServerKeeps() throws SQLException {
        assertThat(
                        query(
                                URL,
                                "SELECT CONCAT(table_name, '.', column_name) FROM information_schema.key_column_usage"
                                        + " WHERE table_schema = 'small' AND referenced_table_name IS NOT NULL"))
                .hasSize(Schema.FOREIGN_KEYS.size())
                .contains("order_line.ol_i_id", "orders.o_c_id");
        assertThatThrownBy(() ->
                        TestServer.execute(URL, "UPDATE item SET i_a_id = 999999 WHERE i_id = 1"))
                .hasMessageContaining("foreign key constraint fails");
    }

    @Test
    void tellsHowFarItIsUntilAllRowsAreIn() {
        assertThat(ROWS).isSorted();
        assertThat(ROWS.getLast()).isEqualTo(SMALL.numberedRows());
        assertThat(STEPS).contains("rows", "keys of item");
    }

    @Test
    void refusesABookstoreThatIsTooSmall() {
        assertThatThrownBy(() ->
                        Population.populate(
                                "jdbc:mysql://127.0.0.1/",
                                USER,
                                PASSWORD,
                                3,
                                100,
                                1,
                                PopulationProgress.SILENT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least 10 items");
    }

    private static Map<String, Long> checksums(String database) throws SQLException {
        try (Connection connection = TestServer.connect(url(database));
                Statement statement = connection.createStatement()) {
            var checksums = new HashMap<String, Long>();
            for (String table : Schema.TABLES) {
                try (ResultSet row = statement.executeQuery("CHECKSUM TABLE " + table)) {
                    row.next();
                    checksums.put(table, row.getLong(2));
                }
            }
            return checksums;
        }
    }
}
