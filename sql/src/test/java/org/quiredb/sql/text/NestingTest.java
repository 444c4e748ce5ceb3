package org.quiredb.sql.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
            })
    void whatIsNoDeeperPasses(String sql) {
        assertThat(isWithin(sql)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "CASE WHEN ", "SELECT (", "/*! ( */", "/*M! ( */"})
    void whatIsDeeperDoesNot(String opening) {
        assertThat(isWithin(opening.repeat(MAXIMUM + 1))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1+", "NOT ", "a AND ", "- ", "SELECT 1 UNION "})
    void chainsMayBeLonger(String link) {
        assertThat(isWithin(link.repeat(25 * MAXIMUM))).isTrue();
        assertThat(isWithin(link.repeat(25 * MAXIMUM + 1))).isFalse();
    }

    private static boolean isWithin(String sql) {
        return Nesting.of(Tokens.of(sql)).isWithin(MAXIMUM);
    }
}
