package org.quiredb.tpcw.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quiredb.tpcw.TestServer;
import org.quiredb.tpcw.population.Population;
import org.quiredb.tpcw.population.PopulationProgress;

@Tag("slow")
class ConsistencyTest {

    private static final String URL =
            TestServer.url("broken") + "&sessionVariables=foreign_key_checks=0";

    @BeforeAll
    static void populate() throws SQLException {
        Population.populate(
                URL, TestServer.USER, TestServer.PASSWORD, 50, 100, 3, PopulationProgress.SILENT);
        assertThat(Consistency.check(URL, TestServer.USER, TestServer.PASSWORD))
                .allMatch(Finding::holds);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    each order has a line | DELETE FROM order_line WHERE ol_o_id = 1
                    each order has a card record over its total | DELETE FROM cc_xacts WHERE cx_o_id = 2
                    each order has a card record over its total | UPDATE orders SET o_tax = 0, o_total = 1 WHERE o_id = 3
                    the lines of each order are numbered from 1 | UPDATE order_line SET ol_id = 9 WHERE ol_o_id = 4 AND ol_id = 1
                    the total of each order is its sub-total, tax and shipping | UPDATE orders SET o_tax = o_tax + 1 WHERE o_id = 5
                    quantities and discounts of order lines are in range | UPDATE order_line SET ol_qty = 0 WHERE ol_o_id = 6
                    no stock is negative | UPDATE item SET i_stock = -1 WHERE i_id = 1
                    no item is related to itself | UPDATE item SET i_related3 = i_id WHERE i_id = 2
                    the related items of each item differ | UPDATE item SET i_related2 = i_related5 WHERE i_id = 3
                    quantities in carts are in range | INSERT INTO shopping_cart_line VALUES (1, 1, 0)
                    each scl_sc_id names a row of shopping_cart | INSERT INTO shopping_cart_line VALUES (77, 1, 1)
                    no customer lacks a user name | UPDATE customer SET c_uname = '' WHERE c_id = 1
                    no two customers share a user name | UPDATE customer SET c_uname = 'AL' WHERE c_id = 3
                    each ol_i_id names a row of item | UPDATE order_line SET ol_i_id = 51 WHERE ol_o_id = 7 AND ol_id = 1
                    each i_related4 names a row of item | UPDATE item SET i_related4 = 999 WHERE i_id = 5
                    """)
    void findsWhatBreaksACondition(String condition, String damage) throws SQLException {
        long before = violations(condition);

        TestServer.execute(URL, damage);

        assertThat(violations(condition)).isGreaterThan(before);
    }

    private static long violations(String condition) throws SQLException {
        return Consistency.check(URL, TestServer.USER, TestServer.PASSWORD).stream()
                .filter(finding -> finding.condition().equals(condition))
                .mapToLong(Finding::violations)
                .sum();
    }
}
