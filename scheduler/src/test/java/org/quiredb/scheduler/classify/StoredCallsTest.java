package org.quiredb.scheduler.classify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// What a text calls, by its words alone: a name too many is asked of the backend in vain.
class StoredCallsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TEMPORARY TABLE t (id INT PRIMARY KEY, n INT, KEY by_n (n))",
                "CREATE TEMPORARY TABLE IF NOT EXISTS shop.t (id INT, INDEX `by` (id))",
                "CREATE TABLE child (id INT, FOREIGN KEY (id) REFERENCES parent (id))",
                "INSERT INTO t (id) VALUES (1)",
                "SELECT 1 FROM t WHERE EXISTS (SELECT 1) AND id IN (1, 2)"
            })
    void aTableOrAnIndexWithItsColumnsIsNoCall(String sql) {
        assertThat(StoredCalls.named(Tokens.of(sql), true)).isEmpty();
    }

    @Test
    void whateverElseStandsBeforeABracketMayBe() {
        assertThat(
                        StoredCalls.named(
                                Tokens.of(
                                        "CREATE TEMPORARY TABLE t (id INT, KEY k (id)) AS"
                                                + " SELECT f(1), db.g(2) FROM s WHERE NOT EXISTS (SELECT h(3))"),
                                true))
                .containsExactlyInAnyOrder(
                        new TableName("", "f"), new TableName("db", "g"), new TableName("", "h"));
    }
}
