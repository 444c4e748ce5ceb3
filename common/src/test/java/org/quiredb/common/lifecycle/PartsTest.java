package org.quiredb.common.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PartsTest {
    private final List<String> ended = new ArrayList<>();
    private final Parts parts = new Parts();

    @Test
    void endsTheLastPartFirst() {
        parts.add(() -> ended.add("backend"));
        parts.add(() -> ended.add("logger"));

        parts.close();
        parts.close();

        assertThat(ended).containsExactly("logger", "backend");
    }

    @Test
    void endsTheOthersWhenOneFailsAndThrowsTheFirstFailure() {
        parts.add(() -> ended.add("backend"));
        parts.add(() -> {
            throw new IllegalStateException("second");
        });
        parts.add(() -> {
            throw new IllegalStateException("first");
        });

        assertThatThrownBy(parts::close)
                .hasRootCauseMessage("first")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        assertThat(ended).containsExactly("backend");
    }

    @Test
    void endsAPartThatIsStartedWhileTheOthersEnd() {
        parts.close();

        assertThatThrownBy(() -> parts.add(() -> ended.add("late")))
                .isInstanceOf(IllegalStateException.class);
        assertThat(ended).containsExactly("late");
    }
}
