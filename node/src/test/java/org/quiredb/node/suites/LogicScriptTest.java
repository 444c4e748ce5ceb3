package org.quiredb.node.suites;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.quiredb.node.suites.LogicScript.Step;

final class LogicScriptTest {
    @Test
    void whatIsForOthersIsLeftOut() {
        String file =
                """
                hash-threshold 8

                # made by hand
                statement ok
                CREATE TABLE t1(
                  a INTEGER)

                onlyif mysql # has its own division
                query I rowsort label-0
                SELECT 1 DIV 2
                ----
                0

                skipif mysql # has its own division
                query I rowsort label-0
                SELECT 1 / 2
                ----
                0

                query II nosort
                SELECT a, a FROM t1
                ----

                onlyif sqlite
                halt

                statement error
                DROP TABLE t2

                onlyif mysql
                halt

                statement ok
                DROP TABLE t1
                """;
        assertThat(LogicScript.parse("hand", file.lines().toList()).steps())
                .containsExactly(
                        new Step("CREATE TABLE t1(\n  a INTEGER)", false, false),
                        new Step("SELECT 1 DIV 2", true, true),
                        new Step("SELECT a, a FROM t1", true, false),
                        new Step("DROP TABLE t2", false, false));
    }
}
