package org.quiredb.scheduler.session.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.scheduler.fallback.Evaluation.Extent;
import org.quiredb.scheduler.fallback.Evaluation.Target;
import org.quiredb.sql.text.Tokens;

final class ChangedRowsTest {
    private static final String ALL = " FROM `shop`.`item`";

    @Test
    void anUpdateOrDeleteOfOneTableIsLookedForByItsOwnCondition() {
        looksFor(
                "UPDATE item SET v = F(v) WHERE v IN (SELECT 1 LIMIT 2) ORDER BY v LIMIT 3",
                "`shop`.`item`",
                " FROM item WHERE v IN (SELECT 1 LIMIT 2)");
        looksFor(
                "UPDATE LOW_PRIORITY IGNORE shop.item AS i SET v = 1",
                "`i`",
                " FROM shop.item AS i");
        looksFor(
                "DELETE QUICK FROM `item` WHERE v = 1 RETURNING id;",
                "`shop`.`item`",
                " FROM `item` WHERE v = 1");
    }

    @Test
    void ofSeveralTablesByTheirJoin() {
        looksFor(
                "UPDATE a JOIN item i ON i.id = a.id SET i.v = a.v WHERE a.id = 1",
                "`i`",
                " FROM a JOIN item i ON i.id = a.id WHERE a.id = 1");
        looksFor(
                "DELETE i FROM item i, a WHERE i.id = a.id",
                "`i`",
                " FROM item i, a WHERE i.id = a.id");
        looksFor(
                "DELETE FROM i USING a LEFT JOIN item AS i ON 1 WHERE a.id = 1",
                "`i`",
                " FROM a LEFT JOIN item AS i ON 1 WHERE a.id = 1");
    }

    @Test
    void whatIsNamedTwiceOrNowhereIsLookedForInAllOfTheTable() {
        looksFor("UPDATE item a JOIN item b ON a.id = b.v SET a.v = 1", "`shop`.`item`", ALL);
        looksFor("UPDATE (item, a) SET item.v = 1", "`shop`.`item`", ALL);
        looksFor("UPDATE other.item SET v = 1", "`shop`.`item`", ALL);
        looksFor("REPLACE INTO item VALUES (1, 2)", "`shop`.`item`", ALL);
        looksFor(
                "INSERT INTO item VALUES (1, 2), (1, 3) ON DUPLICATE KEY UPDATE v = 1",
                "`shop`.`item`",
                ALL);
        looksFor(
                "INSERT IGNORE INTO item VALUES (1, 2) ON DUPLICATE KEY UPDATE v = 1",
                "`shop`.`item`",
                ALL);
        looksFor(
                "INSERT INTO item VALUES (1 + 1, 2) ON DUPLICATE KEY UPDATE v = 1",
                "`shop`.`item`",
                ALL);
    }

    @Test
    void anInsertThatGivesIdsByThese() {
        Target target = target("INSERT INTO item (v) VALUES (1)", 7);
        assertThat(target.from()).isEqualTo(ALL + " WHERE `id` >= 7");
        assertThat(target.extent()).isEqualTo(Extent.NEW);
    }

    @Test
    void anInsertThatGivesKeysByThese() {
        finds("INSERT INTO item VALUES (5, 1), (NULL, 2)", Extent.NEW, "(`id` = 5) OR `id` >= 7");
        finds("INSERT item SET v = 1, item.id = '-9'", Extent.NEW, "(`id` = '-9')");
        finds("INSERT IGNORE item (v, id) VALUE (1, 2)", Extent.NEW, "(`id` = 2)");
        finds("INSERT INTO item (id) VALUES (1 + 1)", Extent.NEW, "`id` >= 7 OR `id` = (1 + 1)");
        String huge = "`id` >= 7 OR `id` = (9999999999)";
        finds("INSERT INTO item (id) VALUES (9999999999)", Extent.NEW, huge);
        finds("INSERT INTO item (id, v) SELECT 1, 2", Extent.NEW, "`id` >= 7");
        String otherwise = " ON DUPLICATE KEY UPDATE v = 1";
        finds("INSERT INTO item VALUES (1, 2)" + otherwise, Extent.KEYED, "(`id` = 1)");
        finds("INSERT INTO item (v) VALUES (2)" + otherwise, Extent.KEYED, "`id` >= 7");
        String zero = "`id` >= 7 OR `id` = 0";
        finds("INSERT INTO item VALUES (0, 1), ('0', 2), (-0, 3)", Extent.NEW, zero);
        finds("INSERT INTO item VALUES (00, 2)" + otherwise, Extent.KEYED, zero);
        finds("INSERT INTO item SET v = F(1, 2)" + otherwise, Extent.KEYED, "`id` >= 7");
    }

    private static void finds(String sql, Extent extent, String condition) {
        Target target = target(sql, 7);
        assertThat(target.from()).as(sql).isEqualTo(ALL + " WHERE " + condition);
        assertThat(target.extent()).as(sql).isEqualTo(extent);
    }

    private static void looksFor(String sql, String called, String from) {
        Target target = target(sql, 7);
        assertThat(target.called()).as(sql).isEqualTo(called);
        assertThat(target.from()).as(sql).isEqualTo(from);
        assertThat(target.extent())
                .as(sql)
                .isEqualTo(from.equals(ALL) ? Extent.TABLE : Extent.FOUND);
    }

    private static Target target(String sql, long firstId) {
        TableDefinition item =
                new TableDefinition(
                        "shop",
                        "item",
                        List.of(column("id", true), column("v", false)),
                        List.of(new IndexDefinition(IndexDefinition.PRIMARY, true, List.of("id"))),
                        List.of(),
                        List.of(),
                        1);
        return new ChangedRows(Tokens.of(sql).plain()).of(List.of(item), firstId).getFirst();
    }

    private static ColumnDefinition column(String name, boolean counts) {
        return new ColumnDefinition(name, "int(11)", true, counts, null, null, null, false, null);
    }
}
