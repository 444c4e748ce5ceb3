package org.quiredb.node.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ClientsTest {
    @Test
    void theAnswersOfAllClientsAreCountedTogether() {
        LoadClients.Answers answers =
                LoadClients.answers(
                        List.of(new long[] {3_000, 1_000}, new long[] {9_000, 2_000}), 1, 2);
        assertThat(answers).isEqualTo(new LoadClients.Answers(2, 3, 9, 1));
    }

    @Test
    void noAnswerIsNoTime() {
        assertThat(LoadClients.answers(List.of(new long[0]), 0, 1))
                .isEqualTo(new LoadClients.Answers(0, 0, 0, 0));
    }
}
