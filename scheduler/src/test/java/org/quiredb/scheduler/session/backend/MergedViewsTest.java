package org.quiredb.scheduler.session.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

final class MergedViewsTest {
    private static final Map<TableName, String> VIEWS =
            Map.of(
                    new TableName("d", "v"), "Q",
                    new TableName("e", "v"), "E",
                    new TableName("d", "w"), "W");

    private static @Nullable String merged(String query) {
        return MergedViews.in(Tokens.of(query), "d", table -> table.name().equals("t"), VIEWS::get);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT * FROM v | SELECT * FROM (Q) AS `v`",
                "SELECT * FROM v; | SELECT * FROM (Q) AS `v`;",
                "SELECT a FROM v WHERE a = 1 | SELECT a FROM (Q) AS `v` WHERE a = 1",
                "SELECT a FROM e.v x | SELECT a FROM (E) x",
                "SELECT a FROM v AS x, t, w | SELECT a FROM (Q) AS x, t, (W) AS `w`",
                "SELECT a FROM t LEFT JOIN v ON t.a = v.a | SELECT a FROM t LEFT JOIN (Q) AS `v` ON t.a = v.a",
                "SELECT a, (SELECT b FROM w) FROM t | SELECT a, (SELECT b FROM (W) AS `w`) FROM t",
                "SELECT d.v.a FROM v | SELECT v.a FROM (Q) AS `v`",
                "SELECT a, v FROM t WHERE v IN (SELECT a FROM v) | SELECT a, v FROM t WHERE v IN (SELECT a FROM (Q) AS `v`)",
            })
    void aViewIsItsQuery(String query, String merged) {
        assertThat(merged(query)).isEqualTo(merged);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM t",
                "SELECT * FROM v, nothing",
                "WITH v AS (SELECT 1) SELECT * FROM v",
                "SELECT * FROM v USE INDEX (a)",
                "SELECT * FROM v x FORCE INDEX (a)",
                "SELECT * FROM v FOR SYSTEM_TIME ALL",
                "SELECT * FROM v LOCK IN SHARE MODE",
                "SELECT * FROM v PARTITION (p)",
                "SELECT d.v.a FROM v AS x",
                "SELECT d.v.a FROM v, e.v",
                "SELECT * FROM v WINDOW x AS (ORDER BY a)",
                "SELECT /*!50000 a */ FROM v"
            })
    void whatIsNotSurelyTheSameIsLeft(String query) {
        assertThat(merged(query)).isNull();
    }

    @Test
    void aNameInBackticksStaysOne() {
        assertThat(
                        MergedViews.in(
                                Tokens.of("SELECT * FROM `a``b`"),
                                "d",
                                table -> false,
                                view -> view.name().equals("a`b") ? "Q" : null))
                .isEqualTo("SELECT * FROM (Q) AS `a``b`");
    }
}
