package org.quiredb.common.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class TruncationErrorTest {
    @Test
    void isToldAsTheServerToldIt() {
        assertThat(TruncationError.message("Data truncation: Out of range value for column 'a'"))
                .isEqualTo("Out of range value for column 'a'");
        assertThat(TruncationError.message("You said Data truncation: twice"))
                .isEqualTo("You said Data truncation: twice");
        assertThat(TruncationError.sqlState(1264)).isEqualTo("22003");
        assertThat(TruncationError.sqlState(1406)).isEqualTo("22001");
        assertThat(TruncationError.sqlState(1978)).isEqualTo("22007");
    }

    @Test
    void hasTheStateThatMemoryGivesIt() {
        Arrays.stream(ErrorCode.values())
                .filter(code -> code.sqlState().startsWith("22"))
                .forEach(code ->
                        assertThat(TruncationError.sqlState(code.number()))
                                .isEqualTo(code.sqlState()));
    }
}
