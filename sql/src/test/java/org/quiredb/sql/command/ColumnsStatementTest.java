package org.quiredb.sql.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

final class ColumnsStatementTest {
    @ParameterizedTest
    @CsvSource({
        "SHOW COLUMNS FROM t, '', t",
        "SHOW FULL FIELDS IN `t` IN d LIKE 'a%';, d, t",
        "SHOW COLUMNS FROM d.t, d, t",
        "DESCRIBE t, '', t",
        "desc d.t column, d, t",
        "EXPLAIN t '%a', '', t",
    })
    void namesItsTable(String sql, String database, String table) {
        assertThat(ColumnsStatement.table(Tokens.of(sql))).hasValue(new TableName(database, table));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SHOW COLUMNS FROM t WHERE Field = (SELECT 1)",
                "SHOW COLUMNS FROM t LIKE ?",
                "SHOW TABLES FROM t",
                "SHOW COLUMNS FROM",
                "EXPLAIN SELECT 1",
                "EXPLAIN SELECT * FROM t",
                "DESCRIBE UPDATE t SET a = 1",
                "EXPLAIN",
                "SHOW COLUMNS FROM t /*!50000 LIKE 'a' */",
            })
    void leavesOthersAlone(String sql) {
        assertThat(ColumnsStatement.table(Tokens.of(sql))).isEmpty();
    }
}
