package org.quiredb.logger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.logger.backend.BackendAddress;

final class RetentionTest {
    private static final long KEPT_SECONDS =
            LoggerRequest.FindTransaction.ASKED_WITHIN_MILLIS / 1_000;

    private final Retention retention = new Retention();

    @Test
    void nothingIsOverBeforeItWasAppliedForAsLongAsSomebodyMayAsk() {
        assertThat(overAt(0, 1_000_000)).isZero();
        assertThat(overAt(KEPT_SECONDS - 1, 2_000_000)).isZero();
        assertThat(overAt(KEPT_SECONDS, 3_000_000)).isEqualTo(1_000_000);
        assertThat(overAt(2 * KEPT_SECONDS - 2, 4_000_000)).isEqualTo(1_000_000);
        assertThat(overAt(3 * KEPT_SECONDS, 4_000_000)).isEqualTo(4_000_000);
    }

    @Test
    void whatIsAskedForOftenIsMarkedOnceASecond() {
        for (int i = 0; i < 10; i++) {
            retention.over(i, TimeUnit.MILLISECONDS.toNanos(i));
        }
        assertThat(overAt(KEPT_SECONDS, 10)).isZero();
        assertThat(overAt(2 * KEPT_SECONDS, 20)).isEqualTo(10);
    }

    private long overAt(long seconds, long applied) {
        return retention.over(applied, TimeUnit.SECONDS.toNanos(seconds));
    }

    /// As one of a database that has had a class of its own.
    @Test
    void ofAClassThatIsLeftTheLastCommitStaysWhileNoBackendIsAway() {
        LoggerConfiguration configuration =
                LoggerConfiguration.of(
                        "logger", List.of(new BackendAddress("jdbc:mysql://db/", "", "")));
        int usual = LoggerConfiguration.DEFAULT_KEPT_COMMITS;
        int away = LoggerConfiguration.Absence.DEFAULT.keptCommits();
        assertThat(configuration.kept(true, true)).isEqualTo(1);
        assertThat(configuration.kept(true, false)).isEqualTo(usual);
        assertThat(configuration.kept(false, true)).isEqualTo(away);
        assertThat(configuration.kept(false, false)).isEqualTo(away);
    }
}
