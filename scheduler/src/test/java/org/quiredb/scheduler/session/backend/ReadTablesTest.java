package org.quiredb.scheduler.session.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

final class ReadTablesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    SELECT a, b FROM t AS x, d.u WHERE c IN (1, e) ORDER BY f, g | d.u t
                    SELECT (SELECT MAX(a) FROM t), b FROM (SELECT c FROM u, v) w JOIN x ON y = z, q | q t u v x
                    SELECT 1 FROM ((t, u) LEFT JOIN v USING (a)) | t u v
                    DELETE FROM t USING t, u WHERE a = b | t u
                    INSERT INTO t (a, b) SELECT c, d FROM u ON DUPLICATE KEY UPDATE a = e | u
                    UPDATE IGNORE t, v SET a = (SELECT b FROM u LIMIT 1), c = d | t u v
                    SELECT 1 FROM {OJ t LEFT OUTER JOIN u ON a = b} | t u
                    BEGIN SELECT a INTO b FROM t; SET c = (SELECT d FROM u), e = f; END | t u
                    SELECT f(a, b), c | ''
                    """)
    void areWhateverStandsInAListOfTables(String sql, String names) {
        List<String> found =
                ReadTables.of(Tokens.of(sql).plain()).stream()
                        .map(ReadTablesTest::shown)
                        .sorted()
                        .toList();
        assertThat(String.join(" ", found)).isEqualTo(names);
    }

    private static String shown(TableName name) {
        return name.database().isEmpty() ? name.name() : name.database() + "." + name.name();
    }
}
