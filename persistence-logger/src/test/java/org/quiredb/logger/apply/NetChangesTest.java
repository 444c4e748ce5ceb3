package org.quiredb.logger.apply;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.common.writeset.RowShape;
import org.quiredb.logger.Records;

class NetChangesTest {
    private static final RowShape FREE_INSERT =
            new RowShape(RowShape.Kind.INSERT, "shop", "free", List.of(), List.of("a", "b"), "");
    private static final RowShape FREE_DELETE =
            new RowShape(
                    RowShape.Kind.DELETE_LIKE, "shop", "free", List.of("a", "b"), List.of("b"), "");

    /// Each as a commit of its own.
    private static List<String> statements(RowChange... commits) {
        NetChanges net = new NetChanges();
        for (RowChange commit : commits) {
            net.add(RowChanges.of(List.of(commit)));
        }
        return new RowSql(1 << 20, shape -> true)
                .of(net).stream().map(c -> c.rows() + " " + c.sql()).toList();
    }

    private static RowChange set(long id, long amount) {
        return Records.update("total", id, Map.of("amount", SqlValue.of(amount)));
    }

    private static RowChange insert(long id) {
        return Records.insert("total", Map.of("id", SqlValue.of(id)));
    }

    private static RowChange free(RowShape shape, String text) {
        return new RowChange(shape, List.of(SqlValue.of(1), SqlValue.of(text)));
    }

    @Test
    void theLastUpdateOfARowIsTheOnlyOne() {
        assertThat(
                        statements(
                                set(1, 5),
                                set(2, 7),
                                set(1, 6),
                                Records.update("total", 1, Map.of("note", SqlValue.of("x")))))
                .containsExactly(
                        "1 UPDATE `shop`.`total` SET `amount` = 6, `note` = 'x' WHERE `id` = 1",
                        "1 UPDATE `shop`.`total` SET `amount` = 7 WHERE `id` = 2");
    }

    @Test
    void whatIsInsertedIsInsertedAsItBecame() {
        assertThat(
                        statements(
                                insert(1),
                                insert(2),
                                Records.update("total", 1, Map.of("id", SqlValue.of(1))),
                                Records.delete("total", 2),
                                insert(3)))
                .containsExactly("2 INSERT INTO `shop`.`total` (`id`) VALUES (1), (3)");
    }

    @Test
    void deletesComeBeforeInsertsAndShareAStatement() {
        assertThat(
                        statements(
                                set(1, 5),
                                Records.delete("total", 1),
                                insert(1),
                                Records.delete("total", 2),
                                Records.delete("total", 1)))
                .containsExactly("2 DELETE FROM `shop`.`total` WHERE `id` IN (1, 2)");
    }

    @Test
    void rowsOfOneCommitMayTakeTheKeysOfOneAnother() {
        NetChanges net = new NetChanges();
        net.add(
                RowChanges.of(
                        List.of(
                                Records.delete("total", 1),
                                insert(2),
                                Records.delete("total", 2),
                                insert(3))));
        net.add(RowChanges.of(List.of(Records.delete("total", 3), insert(4))));
        assertThat(new RowSql(1 << 20, shape -> true).of(net))
                .extracting(RowSql.Counted::sql)
                .containsExactly(
                        "DELETE FROM `shop`.`total` WHERE `id` IN (1, 2)",
                        "INSERT INTO `shop`.`total` (`id`) VALUES (2), (4)");
    }

    @Test
    void rowsThatAreAlikeAreCounted() {
        assertThat(
                        statements(
                                free(FREE_INSERT, "x"),
                                free(FREE_INSERT, "x"),
                                free(FREE_DELETE, "x"),
                                free(FREE_DELETE, "X")))
                .containsExactly(
                        "1 DELETE FROM `shop`.`free` WHERE `a` <=> 1 AND `b` <=> 'X' AND"
                                + " CAST(CONVERT(`b` USING utf8mb4) AS BINARY) <=> CAST('X' AS BINARY) LIMIT 1",
                        "1 INSERT INTO `shop`.`free` (`a`, `b`) VALUES (1, 'x')");
    }

    @Test
    void aStatementTakesNoMoreThanItMay() {
        NetChanges net = new NetChanges();
        for (int i = 0; i < 50; i++) {
            net.add(RowChanges.of(List.of(insert(i))));
        }
        List<RowSql.Counted> statements = new RowSql(100, shape -> true).of(net);
        assertThat(statements).hasSizeGreaterThan(3);
        assertThat(statements).allMatch(statement -> statement.sql().length() <= 110);
        assertThat(statements.stream().mapToLong(RowSql.Counted::rows).sum()).isEqualTo(50);
    }

    @Test
    void valuesGivenForRowsThatDoNotComeUpAreRemembered() {
        NetChanges net = new NetChanges();
        net.add(RowChanges.of(List.of(insert(7))));
        net.add(RowChanges.of(List.of(Records.delete("total", 7))));
        NetChanges.Table table = net.tables().iterator().next();
        assertThat(table.raise())
                .satisfies(raise -> assertThat(raise.values()).containsExactly(SqlValue.of(7)));
        assertThat(new RowSql(100, shape -> true).of(net)).isEmpty();
    }

    /// Its literal would be twice as long as a packet may be.
    @Test
    void theLongValuesOfALargeRowAreNoPartOfItsStatement() {
        SqlValue bytes = new SqlValue.BytesValue(new byte[1 << 20]);
        SqlValue text = SqlValue.of("ü".repeat(1 << 10));
        NetChanges net = new NetChanges();
        for (long id = 1; id <= 3; id++) {
            SqlValue large = id == 2 ? bytes : new SqlValue.BytesValue(new byte[] {(byte) id});
            net.add(
                    RowChanges.of(
                            List.of(
                                    Records.insert(
                                            "total",
                                            new TreeMap<>(
                                                    Map.of(
                                                            "id",
                                                            SqlValue.of(id),
                                                            "large",
                                                            large,
                                                            "text",
                                                            id == 2 ? text : SqlValue.NULL))))));
        }
        List<RowSql.Counted> statements = new RowSql(1 << 20, shape -> true).of(net);
        assertThat(statements)
                .extracting(RowSql.Counted::sql)
                .containsExactly(
                        "INSERT INTO `shop`.`total` (`id`, `large`, `text`) VALUES (1, x'01', NULL), (3, x'03', NULL)",
                        "INSERT INTO `shop`.`total` (`id`, `large`, `text`) VALUES (2, ?, CONVERT(? USING utf8mb4))");
        assertThat(statements.getFirst().values()).isEmpty();
        assertThat(statements.getLast().values())
                .usingRecursiveComparison()
                .isEqualTo(List.of(bytes, text));
        assertThat(RowSql.one(Records.update("total", 2, Map.of("large", bytes))))
                .isEqualTo(
                        new RowSql.Counted(
                                "UPDATE `shop`.`total` SET `large` = ? WHERE `id` = 2",
                                1,
                                List.of(bytes),
                                List.of()));
    }

    /// MySQL's JSON equals no text.
    @Test
    void whatMayBeJsonIsFoundByItsBytesOnly() {
        RowShape like =
                new RowShape(
                        RowShape.Kind.DELETE_LIKE,
                        "shop",
                        "free",
                        List.of("doc"),
                        List.of("doc"),
                        "");
        for (String json : List.of("{\"a\": 1}", "[1]", "\"x\"", "-1.5", "7", "true", "null")) {
            assertThat(RowSql.one(new RowChange(like, List.of(SqlValue.of(json)))).sql())
                    .contains("CAST(CONVERT(`doc` USING utf8mb4) AS BINARY) <=> ")
                    .doesNotContain("`doc` <=> ");
        }
        assertThat(RowSql.one(new RowChange(like, List.of(SqlValue.of("trues")))).sql())
                .contains("`doc` <=> 'trues'");
    }
}
