package org.quiredb.replica.kind;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.sql.parse.Parser;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.sql.tree.Query;

class TreeFactsTest {
    private static Query query(String mysql) {
        return Objects.requireNonNull(Parser.read(NormalizedSql.of(mysql).text()).query());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT NOW()",
                "SELECT id FROM t WHERE at < CURRENT_TIMESTAMP - INTERVAL 1 DAY",
                "SELECT a.id FROM (SELECT id FROM t WHERE day = CURDATE()) a",
                "SELECT id FROM t ORDER BY UNIX_TIMESTAMP() - seen",
                "SELECT id FROM t UNION SELECT id FROM t WHERE day IN (SELECT CURRENT_DATE)",
                "SELECT id FROM t ORDER BY RAND()"
            })
    void aResultMayHangOnItsMoment(String mysql) {
        assertThat(TreeFacts.ofItsMoment(query(mysql))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT YEAR(at), DATE(at) FROM t WHERE at < '2026-01-01'",
                "SELECT FROM_UNIXTIME(seen), COUNT(*) FROM t GROUP BY seen"
            })
    void otherFunctionsOfTimeDoNot(String mysql) {
        assertThat(TreeFacts.ofItsMoment(query(mysql))).isFalse();
    }
}
