package org.quiredb.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.page.LoadAccess;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.SnapshotAccess;
import org.quiredb.replica.sql.SqlEngine;

/// How the queries of the TPC-W interactions are run: which table first, and by which index. What
/// decides is the trees of a bookstore of 1,000 books.
@Tag("slow")
class PlansTest {
    private static final PageStore STORE = new PageStore();
    private static final SqlEngine ENGINE = new SqlEngine(STORE);
    private static VersionVector tag = VersionVector.EMPTY;

    @BeforeAll
    static void load() {
        int tableId = 0;
        for (Bookstore.Table table : Bookstore.of(1000, 2880, "utf8mb4_general_ci")) {
            ENGINE.apply(new SchemaChange.CreateTable(++tableId, table.definition()));
            LoadAccess load = new LoadAccess(STORE, 1);
            List<List<byte @Nullable []>> rows = table.rows();
            ENGINE.load(load, tableId, rows);
            load.finish();
            tag = tag.with(tableId, 1);
        }
    }

    @AfterAll
    static void close() {
        ENGINE.close();
    }

    static Stream<Arguments> queries() {
        String list =
                "SELECT i_id, i_title, a_fname, a_lname FROM item JOIN author ON a_id = i_a_id WHERE ";
        return Stream.of(
                query(
                        "home: the customer",
                        "SELECT c_fname, c_lname FROM customer WHERE c_id = 77",
                        "customer: PRIMARY"),
                query(
                        "promotion",
                        "SELECT i_id, i_thumbnail FROM item WHERE i_id IN (3, 5, 7, 11, 13) ORDER BY i_id",
                        "item: PRIMARY"),
                query("product detail", list + "i_id = 77", "item: PRIMARY", "author: PRIMARY"),
                query(
                        "new products",
                        list + "i_subject = 'ARTS' ORDER BY i_pub_date DESC, i_title LIMIT 50",
                        "item: ix_i_subject",
                        "author: PRIMARY"),
                query(
                        "search by subject",
                        list + "i_subject = 'ARTS' ORDER BY i_title LIMIT 50",
                        "item: ix_i_subject",
                        "author: PRIMARY"),
                query(
                        "search by title",
                        list + "i_title LIKE '%BA%' ORDER BY i_title LIMIT 50",
                        "item: ix_i_title",
                        "author: PRIMARY"),
                query(
                        "search by author",
                        list + "a_lname LIKE '%BA%' ORDER BY i_title LIMIT 50",
                        "author: every row",
                        "item: ix_i_a_id"),
                query(
                        "best sellers, of a bookstore a hundredth as large",
                        "SELECT i_id, i_title, a_fname, a_lname, SUM(ol_qty) AS sold"
                                + " FROM order_line JOIN item ON i_id = ol_i_id JOIN author ON a_id = i_a_id"
                                + " WHERE ol_o_id > (SELECT MAX(o_id) - 33 FROM orders) AND i_subject = 'ARTS'"
                                + " GROUP BY i_id, i_title, a_fname, a_lname ORDER BY sold DESC, i_id LIMIT 50",
                        "order_line: PRIMARY",
                        "item: PRIMARY",
                        "author: PRIMARY"),
                query(
                        "shopping cart",
                        "SELECT scl_i_id, scl_qty, i_title FROM shopping_cart_line JOIN item ON i_id = scl_i_id"
                                + " WHERE scl_sc_id = 7 ORDER BY scl_i_id",
                        "shopping_cart_line: PRIMARY",
                        "item: PRIMARY"),
                query(
                        "registration",
                        "SELECT co_id FROM country WHERE co_name = 'Japan'",
                        "country: ix_co_name"),
                query(
                        "address",
                        "SELECT addr_id FROM address WHERE addr_zip = '12345' AND addr_street1 = 'a' AND addr_street2 = 'b'"
                                + " AND addr_city = 'c' AND addr_state = 'd' AND addr_co_id = 7 ORDER BY addr_id LIMIT 1",
                        "address: ix_addr_zip"),
                query(
                        "buy request: the customer",
                        "SELECT c_id, addr_street1, co_name FROM customer JOIN address ON addr_id = c_addr_id"
                                + " JOIN country ON co_id = addr_co_id WHERE c_uname = 'OGBABA'",
                        "customer: ix_c_uname",
                        "address: PRIMARY",
                        "country: PRIMARY"),
                query(
                        "buy confirm: the customer",
                        "SELECT c_discount, c_addr_id, addr_co_id FROM customer JOIN address ON addr_id = c_addr_id WHERE c_id = 77",
                        "customer: PRIMARY",
                        "address: PRIMARY"),
                query(
                        "order display: the last order",
                        "SELECT o_id FROM orders WHERE o_c_id = 77 ORDER BY o_date DESC, o_id DESC LIMIT 1",
                        "orders: ix_o_c_id"),
                query(
                        "order display: the order",
                        "SELECT o_id, cx_type, bill.addr_city, bill_co.co_name, ship.addr_city, ship_co.co_name"
                                + " FROM orders JOIN cc_xacts ON cx_o_id = o_id"
                                + " JOIN address bill ON bill.addr_id = o_bill_addr_id JOIN country bill_co ON bill_co.co_id = bill.addr_co_id"
                                + " JOIN address ship ON ship.addr_id = o_ship_addr_id JOIN country ship_co ON ship_co.co_id = ship.addr_co_id"
                                + " WHERE o_id = 77",
                        "orders: PRIMARY",
                        "bill: PRIMARY",
                        "ship: PRIMARY",
                        "cc_xacts: PRIMARY",
                        "bill_co: PRIMARY",
                        "ship_co: PRIMARY"),
                query(
                        "order display: the lines",
                        "SELECT ol_i_id, i_title, ol_qty FROM order_line JOIN item ON i_id = ol_i_id WHERE ol_o_id = 77 ORDER BY ol_id",
                        "order_line: PRIMARY",
                        "item: PRIMARY"),
                query(
                        "admin confirm: what else they bought",
                        "SELECT also.ol_i_id, SUM(also.ol_qty) AS bought"
                                + " FROM (SELECT DISTINCT o_c_id FROM order_line JOIN orders ON o_id = ol_o_id"
                                + " WHERE ol_i_id = 77 AND ol_o_id > (SELECT MAX(o_id) - 100 FROM orders)) buyers"
                                + " JOIN orders other ON other.o_c_id = buyers.o_c_id JOIN order_line also ON also.ol_o_id = other.o_id"
                                + " WHERE also.ol_i_id <> 77 GROUP BY also.ol_i_id ORDER BY bought DESC, also.ol_i_id LIMIT 5",
                        "buyers: derived",
                        "other: ix_o_c_id",
                        "also: PRIMARY"));
    }

    private static Arguments query(String what, String sql, String... steps) {
        return Arguments.of(what, sql, List.of(steps));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("queries")
    void isRunBy(String what, String sql, List<String> expected) {
        StatementCall call =
                new StatementCall("tpcw", sql, new ArrayList<SqlValue>(), false, 2, false);
        assertThat(ENGINE.explain(new SnapshotAccess(STORE, tag), call))
                .as(what)
                .isEqualTo(expected);
        assertThat(readByPlan(call)).as(what).isEqualTo(!expected.contains("buyers: derived"));
    }

    private static boolean readByPlan(StatementCall call) {
        double before = ENGINE.figures().getFirst().value();
        assertThat(ENGINE.read(new SnapshotAccess(STORE, tag), call, part -> {}))
                .isInstanceOf(ReplicaReply.Rows.class);
        return ENGINE.figures().getFirst().value() > before;
    }
}
