package org.quiredb.scheduler.session;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.error.QuireException;

final class NestingTest {
    private static final int MAXIMUM = 10;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT ((((((((((1))))))))))",
                "SELECT (1),(2),(3),(4),(5),(6),(7),(8),(9),(10),(11),(12)",
                "SELECT '((((((((((((((', \"((((((((((((((\", `((((((((((((((`",
                "SELECT 'it''s \\'((((((((((((((' # ((((((((((((((",
                "SELECT 1 -- ((((((((((((((\n, 2 /* (((((((((((((( */",
                "SELECT CASE 1 WHEN 1 THEN (2) END, CASE 1 WHEN 1 THEN (2) END",
                "'",
                "/*",
            })
    void whatIsNoDeeperPasses(String sql) {
        assertThatCode(() -> Nesting.check(sql + " ".repeat(MAXIMUM), MAXIMUM))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "CASE WHEN ", "SELECT (", "/*! ( */"})
    void whatIsDeeperDoesNot(String opening) {
        refused(opening.repeat(MAXIMUM + 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1+", "NOT ", "a AND ", "- ", "SELECT 1 UNION "})
    void chainsMayBeLonger(String link) {
        assertThatCode(() -> Nesting.check(link.repeat(25 * MAXIMUM), MAXIMUM))
                .doesNotThrowAnyException();
        refused(link.repeat(25 * MAXIMUM + 1));
    }

    private static void refused(String sql) {
        assertThatThrownBy(() -> Nesting.check(sql, MAXIMUM))
                .isInstanceOf(QuireException.class)
                .hasMessageContaining("scheduler.limits.nesting");
    }
}
