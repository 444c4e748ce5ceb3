package org.quiredb.scheduler.session.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.session.state.ClientStatement;

final class CalledFirstTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    INSERT INTO t VALUES (f(1), 'a') | SELECT f(1) | INSERT INTO t VALUES (9, 'a')
                    INSERT t (a, b) VALUES (1, d.f()), (g(), f(NULL)) | SELECT d.f(), g(), f(NULL) | INSERT t (a, b) VALUES (1, 9), (9, 9)
                    REPLACE INTO t SET a = f() + 1, b = a | SELECT f() | REPLACE INTO t SET a = 9 + 1, b = a
                    INSERT INTO t VALUES (NULL, f()), (NULL, 'a' + `d`.f() / NULL) | SELECT f(), `d`.f() | INSERT INTO t VALUES (NULL, 9), (NULL, 'a' + 9 / NULL)
                    INSERT INTO t SET a = NULL, b = f() + NULL, c = d.f() | SELECT f(), d.f() | INSERT INTO t SET a = NULL, b = 9 + NULL, c = 9
                    INSERT INTO t VALUES (CONCAT('x', LPAD(f(), 3, '0')), f(g(UPPER('a')))) | SELECT f(), f(g(UPPER('a'))) | INSERT INTO t VALUES (CONCAT('x', LPAD(9, 3, '0')), 9)
                    """)
    void theirPlacesGetConstants(String sql, String query, String made) {
        CalledFirst calls = CalledFirst.of(statement(sql, 0)).orElseThrow();
        assertThat(calls.query().sql()).isEqualTo(query);
        int places = query.split(", (?=[`a-z])", -1).length;
        assertThat(calls.with(Collections.nCopies(places, "9")).sql()).isEqualTo(made);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO t VALUES (1, UPPER('a'))",
                "INSERT INTO t VALUES (f(a))",
                "INSERT INTO t VALUES (IF(1, f(), 2))",
                "INSERT INTO t VALUES (COALESCE(f(), 2))",
                "INSERT INTO t VALUES (CONCAT(NULL, f()))",
                "INSERT INTO t VALUES (CONCAT(UPPER(NULL), f()))",
                "INSERT INTO t VALUES (CONCAT(f(), g()))",
                "INSERT INTO t VALUES (f() + d.g())",
                "INSERT INTO t VALUES (1, NULL + f())",
                "INSERT INTO t VALUES (1 / 0 + f())",
                "INSERT INTO t VALUES (NULL = f())",
                "INSERT INTO t VALUES (NULL LIKE f())",
                "INSERT INTO t VALUES (f() REGEXP NULL)",
                "INSERT INTO t SET a = 1, b = NULL < f()",
                "INSERT INTO t SET a = b = f()",
                "INSERT INTO t SET a = b, b = a + f()",
                "INSERT INTO t VALUES (1 AND f())",
                "INSERT INTO t VALUES (1 || f())",
                "INSERT INTO t VALUES (CASE WHEN 1 THEN 2 ELSE f() END)",
                "INSERT IGNORE INTO t VALUES (f())",
                "INSERT INTO t VALUES (f()) ON DUPLICATE KEY UPDATE a = 1",
                "INSERT INTO t VALUES (f()) RETURNING a",
                "INSERT INTO t SELECT f()",
                "INSERT INTO t VALUES (f((SELECT 1)))",
                "INSERT INTO t VALUES (f(), @a := 1)",
                "INSERT INTO t (a) VALUES (1)",
                "UPDATE t SET a = f()",
                "SELECT f()"
            })
    void othersAreEvaluatedAsAWhole(String sql) {
        assertThat(CalledFirst.of(statement(sql, 0))).isEmpty();
    }

    @Test
    void parametersGoWhereTheyStand() {
        CalledFirst calls =
                CalledFirst.of(statement("INSERT INTO t VALUES (?, f(?, ?), ?, g(?))", 5))
                        .orElseThrow();
        assertThat(calls.query().bound()).isEqualTo(values(1, 2, 4));
        assertThat(calls.with(List.of("8", "9")).bound()).isEqualTo(values(0, 3));
    }

    @Test
    void aParameterBeforeACallThatIsNullMayLeaveThatOut() {
        String sql = "INSERT INTO t VALUES (CONCAT(?, f()))";
        assertThat(CalledFirst.of(statement(sql, 1))).isPresent();
        ClientStatement without = ClientStatement.of(sql, List.of(SqlValue.NULL), false, false);
        assertThat(CalledFirst.of(without)).isEmpty();
    }

    private static ClientStatement statement(String sql, int bound) {
        List<SqlValue> values = new ArrayList<>();
        for (int i = 0; i < bound; i++) {
            values.add(SqlValue.of(i));
        }
        return ClientStatement.of(sql, values, false, false);
    }

    private static List<SqlValue> values(int... of) {
        List<SqlValue> values = new ArrayList<>();
        for (int one : of) {
            values.add(SqlValue.of(one));
        }
        return values;
    }
}
