package org.quiredb.logger.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DefaultExpressionsTest {
    @Test
    void mariaDbAndMySqlShowTheSameDefaultsAsTheSameExpression() {
        assertThat(DefaultExpressions.ofMariaDb("NULL")).isNull();
        assertThat(DefaultExpressions.ofMySql(null, "varchar", "")).isNull();
        assertThat(DefaultExpressions.ofMariaDb("'it''s'")).isEqualTo("'it''s'");
        assertThat(DefaultExpressions.ofMySql("it's", "varchar", "")).isEqualTo("'it''s'");
        assertThat(DefaultExpressions.ofMariaDb("7")).isEqualTo("7");
        assertThat(DefaultExpressions.ofMySql("7", "int", "")).isEqualTo("7");
        assertThat(DefaultExpressions.ofMariaDb("current_timestamp()"))
                .isEqualTo("current_timestamp()");
        assertThat(DefaultExpressions.ofMySql("CURRENT_TIMESTAMP", "datetime", "DEFAULT_GENERATED"))
                .isEqualTo("current_timestamp()");
        assertThat(
                        DefaultExpressions.ofMySql(
                                "CURRENT_TIMESTAMP(6)", "datetime", "DEFAULT_GENERATED"))
                .isEqualTo("current_timestamp(6)");
    }

    @Test
    void aStringInAMySqlExpressionLosesItsEscapesAndCharacterSet() {
        assertThat(DefaultExpressions.unescape("(`a` = _utf8mb4\\'x\\')")).isEqualTo("(`a` = 'x')");
    }
}
