package org.quiredb.sql.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.sql.text.Tokens;

final class CountedQueryTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT SQL_CALC_FOUND_ROWS a, t.b FROM t WHERE c = 1 ORDER BY d LIMIT 0, 10"
                        + "| SELECT COUNT(*) FROM t WHERE c = 1",
                "SELECT SQL_CALC_FOUND_ROWS t.* FROM t GROUP BY t.id ORDER BY d LIMIT 10;"
                        + "| SELECT COUNT(*) FROM (SELECT 1 AS one FROM t GROUP BY t.id) AS found",
                "SELECT SQL_CALC_FOUND_ROWS a b FROM t GROUP BY b LIMIT 10"
                        + "| SELECT COUNT(*) FROM (SELECT a b FROM t GROUP BY b) AS found",
                "SELECT SQL_CALC_FOUND_ROWS a FROM t GROUP BY 1 LIMIT 10"
                        + "| SELECT COUNT(*) FROM (SELECT a FROM t GROUP BY 1) AS found",
                "SELECT SQL_CALC_FOUND_ROWS MAX(a) FROM t LIMIT 10"
                        + "| SELECT COUNT(*) FROM (SELECT MAX(a) FROM t) AS found",
                "SELECT DISTINCT SQL_CALC_FOUND_ROWS a FROM t LIMIT 10"
                        + "| SELECT COUNT(*) FROM (SELECT DISTINCT a FROM t) AS found",
                "SELECT SQL_CALC_FOUND_ROWS a FROM t HAVING a > 1 LIMIT 10"
                        + "| SELECT COUNT(*) FROM (SELECT a FROM t HAVING a > 1) AS found",
                "SELECT SQL_CALC_FOUND_ROWS a FROM (SELECT a FROM u ORDER BY a LIMIT 5) t LIMIT 1"
                        + "| SELECT COUNT(*) FROM (SELECT a FROM u ORDER BY a LIMIT 5) t",
            })
    void countsTheRowsWithoutTheirLimit(String sql, String found) {
        CountedQuery query = CountedQuery.of(Tokens.of(sql)).orElseThrow();

        assertThat(query.found()).isNotNull().extracting(CountedQuery.Part::sql).isEqualTo(found);
        assertThat(query.shown().sql()).isEqualTo(sql.replace("SQL_CALC_FOUND_ROWS", ""));
    }

    @Test
    void whatHasNoLimitIsCountedAsItIsShown() {
        assertThat(CountedQuery.of(Tokens.of("SELECT SQL_CALC_FOUND_ROWS a FROM t")))
                .map(CountedQuery::found)
                .isEmpty();
    }

    @Test
    void eachPartTakesItsOwnParameters() {
        CountedQuery query =
                CountedQuery.of(
                                Tokens.of(
                                        "SELECT SQL_CALC_FOUND_ROWS a FROM t WHERE b = ? AND c IN (?, ?) ORDER BY d + ? LIMIT ?"))
                        .orElseThrow();

        assertThat(query.shown().kept()).containsExactly(0, 1, 2, 3, 4);
        assertThat(query.found())
                .isNotNull()
                .extracting(CountedQuery.Part::kept)
                .isEqualTo(List.of(0, 1, 2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a FROM t LIMIT 1",
                "SELECT a FROM (SELECT SQL_CALC_FOUND_ROWS a FROM t LIMIT 1) u",
                "SELECT SQL_CALC_FOUND_ROWS a FROM t UNION SELECT 1 LIMIT 1",
                "SELECT SQL_CALC_FOUND_ROWS a FROM t LIMIT 1 FOR UPDATE",
                "SELECT SQL_CALC_FOUND_ROWS a INTO @x FROM t LIMIT 1",
                "SELECT SQL_CALC_FOUND_ROWS a FROM t WHERE a IN (SELECT SQL_CALC_FOUND_ROWS b FROM u)",
                "SELECT SQL_CALC_FOUND_ROWS a FROM t LIMIT ROWS EXAMINED 5",
                "SELECT SQL_CALC_FOUND_ROWS a FROM t /*!50000 LIMIT 1 */",
                "SELECT SQL_CALC_FOUND_ROWS 1 LIMIT 1",
                "INSERT INTO t SELECT SQL_CALC_FOUND_ROWS a FROM u LIMIT 1",
            })
    void leavesOthersAlone(String sql) {
        assertThat(CountedQuery.of(Tokens.of(sql))).isEqualTo(Optional.empty());
    }
}
