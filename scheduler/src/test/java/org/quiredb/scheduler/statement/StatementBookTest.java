package org.quiredb.scheduler.statement;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.quiredb.sql.text.NormalizedSql;

final class StatementBookTest {
    private static final long MILLI = 1_000_000;

    private final AtomicLong now = new AtomicLong(1_000_000);
    private final InstantSource clock = () -> Instant.ofEpochMilli(now.get());
    private final StatementBook book = new StatementBook(clock);

    @Test
    void countsByTextWhateverTheConstantsAre() {
        add("SELECT a FROM t WHERE id = 17 AND n = 'Bob'", 2 * MILLI);
        add("SELECT a FROM t WHERE id = 4711 AND n = 'Eve'", 4 * MILLI);

        assertThat(book.mostFrequent(10))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.text()).isEqualTo("SELECT a FROM t WHERE id = ? AND n = ?");
                    assertThat(entry.count()).isEqualTo(2);
                    assertThat(entry.meanMillis()).isEqualTo(3);
                    assertThat(entry.longestMillis()).isEqualTo(4);
                });
    }

    @Test
    void tellsNoConstantNotEvenOneThatNormalisationLeaves() {
        add("SET PASSWORD = 'hunter2'", MILLI);
        add("CREATE TABLE t (a INT DEFAULT 4711 COMMENT 'hunter2')", MILLI);
        add("SELECT a, 'hunter2' AS b FROM t ORDER BY 1 LIMIT 4711", MILLI);
        add("GRANT ALL ON s.* TO 'joe'@'%' IDENTIFIED BY 'hunter2'", MILLI);
        add("SELECT 'hunter2", "not closed", MILLI);

        assertThat(book.heaviest(10) + " " + book.slowest(10))
                .contains("SET PASSWORD = ?")
                .doesNotContain("hunter2")
                .doesNotContain("4711")
                .doesNotContain("joe");
    }

    @Test
    void keepsSoManyTextsAndAmongThemTheFrequentOnes() {
        for (int i = 0; i < 20; i++) {
            add("SELECT frequent FROM t", MILLI);
        }
        for (int i = 0; i < 10_000; i++) {
            book.add("SELECT c" + i + " FROM t", StatementKind.READ, MILLI, "", false);
            if (i % 100 == 0) {
                add("SELECT frequent FROM t", MILLI);
            }
        }

        assertThat(book.mostFrequent(Integer.MAX_VALUE))
                .hasSizeLessThanOrEqualTo(StatementBook.MAXIMUM_TEXTS)
                .first()
                .satisfies(entry -> {
                    assertThat(entry.text()).isEqualTo("SELECT frequent FROM t");
                    // it may have given way once, before it was known to come again and again
                    assertThat(entry.count()).isBetween(60L, 120L);
                });
    }

    @Test
    void countsTextsThatAreTooLongAsOne() {
        book.add("SELECT " + "a".repeat(5_000), StatementKind.READ, MILLI, "", false);
        book.add("SELECT " + "b".repeat(5_000), StatementKind.READ, MILLI, "", false);

        assertThat(book.mostFrequent(10))
                .singleElement()
                .satisfies(entry -> assertThat(entry.count()).isEqualTo(2));
    }

    @Test
    void keepsTheSlowestOfAQuarterOfAnHour() {
        for (int i = 1; i <= 100; i++) {
            book.add("SELECT c" + i + "x FROM t", StatementKind.READ, i * MILLI, "", false);
        }
        assertThat(book.slowest(Integer.MAX_VALUE))
                .hasSize(SlowStatements.KEPT)
                .first()
                .satisfies(slow -> assertThat(slow.millis()).isEqualTo(100));

        now.addAndGet(SlowStatements.KEPT_MILLIS + 1);
        assertThat(book.slowest(10)).isEmpty();
        add("SELECT quick FROM t", MILLI);
        assertThat(book.slowest(10)).hasSize(1);
    }

    @Test
    void saysWhatTheBackendRanAndWhy() {
        add("SELECT a FROM t", MILLI);
        book.add("SELECT f(a) FROM t", StatementKind.READ, MILLI, "function F", false);

        assertThat(book.onBackend(10))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.onBackend()).isEqualTo(1);
                    assertThat(entry.backendReason()).isEqualTo("function F");
                });
    }

    private void add(String sql, long nanos) {
        add(NormalizedSql.of(sql).text(), "", nanos);
    }

    private void add(String normalized, String more, long nanos) {
        book.add(normalized + more, StatementKind.READ, nanos, "", false);
    }
}
