package org.quiredb.node.suites;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class CausesTest {
    private static final List<String> EXPECTED =
            List.of("SELECT a FROM t1;", "a", "1", "DROP TABLE t1;");

    @Test
    void aStatementThatFailedIsNamedByItsErrorAndItsFirstWords() {
        assertThat(
                        of(
                                "SELECT a FROM t1;",
                                "a",
                                "1",
                                "mysqltest: At line 7: query 'create temporary table t2",
                                "(a int)' failed: ER_NOT_SUPPORTED_YET (1235): Quire does not support 'it'",
                                "DROP TABLE t1;"))
                .containsExactly("1235 Quire does not support '…': CREATE TEMPORARY");
    }

    @Test
    void anAnswerThatDiffersIsNamedByItsStatement() {
        assertThat(of("SELECT a FROM t1;", "a", "2", "DROP TABLE t1;"))
                .containsExactly("answers differ: SELECT");
    }

    @Test
    void warningsAreNamedByTheirNumbers() {
        assertThat(of("SELECT a FROM t1;", "a", "1", "Note\t1051\tUnknown table", "DROP TABLE t1;"))
                .containsExactly("has another Note 1051");
    }

    private static List<String> of(String... actual) {
        return Causes.of(new Run(0, EXPECTED), new Run(0, List.of(actual)));
    }
}
