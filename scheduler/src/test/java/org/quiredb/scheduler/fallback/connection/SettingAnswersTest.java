package org.quiredb.scheduler.fallback.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class SettingAnswersTest {
    private long now = Long.MAX_VALUE - 1; // nanoTime may overflow
    private int asked;
    private final SettingAnswers answers = new SettingAnswers(() -> now);

    @Test
    void isAskedOnceByAllWhoHaveSetTheSame() {
        assertThat(ask(session("d", "SET a = 1"), "q")).isEqualTo(1);
        assertThat(ask(session("d", "SET a = 1"), "q")).isEqualTo(1);
        BackendSession withValues =
                new BackendSession(
                        BackendLogin.OWN, "d", List.of("SET a = 1"), Map.of("last_insert_id", "7"));
        assertThat(ask(withValues, "q")).isEqualTo(1);
    }

    @Test
    void isAskedAgainByOthersAndOfOther() {
        assertThat(ask(session("d", "SET a = 1"), "q")).isEqualTo(1);
        assertThat(ask(session("d", "SET a = 2"), "q")).isEqualTo(2);
        assertThat(ask(session("e", "SET a = 1"), "q")).isEqualTo(3);
        assertThat(ask(session("d", "SET a = 1"), "r")).isEqualTo(4);
    }

    @Test
    void isAskedAgainSomeSecondsLater() {
        assertThat(ask(session("d"), "q")).isEqualTo(1);
        now += TimeUnit.SECONDS.toNanos(9);
        assertThat(ask(session("d"), "q")).isEqualTo(1);
        now += TimeUnit.SECONDS.toNanos(2);
        assertThat(ask(session("d"), "q")).isEqualTo(2);
    }

    @Test
    void errorsAreNotKept() {
        assertThatThrownBy(() ->
                        answers.of(
                                session("d"),
                                "q",
                                1,
                                Integer.class,
                                () -> {
                                    throw new IllegalStateException("no");
                                }))
                .hasMessage("no");
        assertThat(ask(session("d"), "q")).isEqualTo(1);
    }

    @Test
    void longQuestionsAndTheEldestAreNotKept() {
        assertThat(ask(session("d", "x".repeat(2_000)), "q")).isEqualTo(1);
        assertThat(ask(session("d", "x".repeat(2_000)), "q")).isEqualTo(2);
        for (int i = 0; i < 501; i++) {
            ask(session("d"), "q" + i);
        }
        int before = asked;
        ask(session("d"), "q500");
        assertThat(asked).isEqualTo(before);
        ask(session("d"), "q0");
        assertThat(asked).isEqualTo(before + 1);
    }

    private static BackendSession session(String database, String... assignments) {
        return new BackendSession(BackendLogin.OWN, database, List.of(assignments));
    }

    private int ask(BackendSession session, String question) {
        return answers.of(session, question, question.length(), Integer.class, () -> ++asked);
    }
}
