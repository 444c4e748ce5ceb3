package org.quiredb.replica.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.replica.engine.StatementMemory;

/// A row is in memory several times while it goes out: so many at a time as there is room for.
final class LargeRowsTest {
    private static final int MIB = 1 << 20;

    private final StatementMemory memory =
            new StatementMemory(new StatementMemory.Limits(10L * MIB, Long.MAX_VALUE));
    private final List<byte[]> sent = new ArrayList<>();

    @Test
    void smallPartsCountForNothingHoweverManyTheyAre() {
        try (LargeRows rows = new LargeRows(memory, sent::add)) {
            for (int i = 0; i < 20; i++) {
                rows.accept(new byte[MIB]);
            }
        }
        assertThat(sent).hasSize(20);
    }

    @Test
    void oneThatThereIsNoRoomForIsRefusedAndTheOthersGoOut() {
        try (LargeRows rows = new LargeRows(memory, sent::add)) {
            rows.accept(new byte[2 * MIB]);
            rows.accept(new byte[2 * MIB]);
            assertThatThrownBy(() -> rows.accept(new byte[3 * MIB]))
                    .isInstanceOfSatisfying(
                            QuireException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_SORT_MEMORY));
        }
        assertThat(sent).hasSize(2);
    }
}
