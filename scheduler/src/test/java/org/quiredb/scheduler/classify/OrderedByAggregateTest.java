package org.quiredb.scheduler.classify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.sql.text.Tokens;

final class OrderedByAggregateTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM t ORDER BY COUNT(*)",
                "DELETE FROM t WHERE a IN (SELECT b FROM u ORDER BY b) ORDER BY a, 1 + `max`(b) DESC LIMIT 1",
                "UPDATE t SET a = 1 ORDER BY (SELECT 1), SUM(a)",
                "DELETE FROM t WHERE a IN (SELECT b FROM u FOR UPDATE) ORDER BY COUNT(*)",
                "SET STATEMENT max_statement_time = 1 FOR UPDATE t SET a = 1 ORDER BY MIN(a)",
                "CREATE TRIGGER g AFTER UPDATE ON t FOR EACH ROW DELETE FROM u ORDER BY COUNT(*)",
                "CREATE PROCEDURE p() BEGIN SELECT 1; IF a THEN DELETE FROM t ORDER BY AVG(a); END IF; END"
            })
    void isFound(String sql) {
        assertThat(OrderedByAggregate.isIn(Tokens.of(sql))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM t ORDER BY count, a LIMIT 1",
                "DELETE FROM t ORDER BY (SELECT COUNT(*) FROM u), a",
                "UPDATE t SET a = (SELECT b FROM u GROUP BY b ORDER BY COUNT(*) LIMIT 1) ORDER BY a",
                "DELETE FROM t WHERE a = 'ORDER BY COUNT(*)' ORDER BY a",
                "SELECT a FROM t GROUP BY a ORDER BY COUNT(*) FOR UPDATE",
                "CREATE TRIGGER g AFTER DELETE ON t FOR EACH ROW INSERT INTO u SELECT a FROM v GROUP BY a ORDER BY COUNT(*)",
                "CREATE PROCEDURE p() BEGIN DELETE FROM t; SELECT a FROM t GROUP BY a ORDER BY COUNT(*); END"
            })
    void isNotSeenElsewhere(String sql) {
        assertThat(OrderedByAggregate.isIn(Tokens.of(sql))).isFalse();
    }
}
