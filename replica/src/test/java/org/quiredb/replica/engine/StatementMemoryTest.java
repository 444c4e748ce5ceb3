package org.quiredb.replica.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// What a transaction has changed has its place in the heap as what a statement keeps.
final class StatementMemoryTest {
    /// Other tests of this process keep little.
    private static final long PROCESS_BYTES = StatementMemory.Limits.changesBytes();

    @Test
    void whatATransactionHasNoRoomForIsRefusedAndNothingOfItTaken() {
        long before = StatementMemory.keptBytes();
        try (StatementMemory.Changes changes = StatementMemory.changes()) {
            changes.grow(1000);
            assertThatThrownBy(() -> changes.grow(PROCESS_BYTES))
                    .isInstanceOfSatisfying(
                            QuireException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_RESOURCES))
                    .hasMessageContaining("QUIRE_HEAP");
            changes.grow(-200);
            assertThat(StatementMemory.keptBytes()).isEqualTo(before + 800);
        }
        assertThat(StatementMemory.keptBytes()).isEqualTo(before);
    }

    /// What undoes a change may run when its transaction is over.
    @Test
    void whatIsUndoneAfterItsEndCountsForNothing() {
        long before = StatementMemory.keptBytes();
        StatementMemory.Changes changes = StatementMemory.changes();
        changes.grow(1000);
        changes.close();
        changes.grow(-1000);
        assertThat(StatementMemory.keptBytes()).isEqualTo(before);
    }

    @Test
    void aStatementFindsWhatTransactionsHaveTaken() {
        StatementMemory memory =
                new StatementMemory(new StatementMemory.Limits(Long.MAX_VALUE, PROCESS_BYTES));
        try (StatementMemory.Changes changes = StatementMemory.changes();
                StatementMemory.Account account = memory.open()) {
            changes.grow(PROCESS_BYTES / 2);
            assertThatThrownBy(() -> account.keeps(PROCESS_BYTES / 2 + 1))
                    .isInstanceOfSatisfying(
                            QuireException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_SORT_MEMORY));
        }
    }

    /// Of another client it would be: no more than a few rows that it sorts, or inserts.
    @Test
    void aLargeTransactionLeavesSmallStatementsTheirs() {
        StatementMemory memory = new StatementMemory(StatementMemory.Limits.DEFAULT);
        long all = StatementMemory.Limits.DEFAULT.processBytes();
        try (StatementMemory.Changes changes = StatementMemory.changes();
                StatementMemory.Account small = memory.open();
                StatementMemory.Account large = memory.open()) {
            changes.grow(all + all / 4);
            small.keeps(all / 100);
            assertThatThrownBy(() -> large.keeps(all / 50)).isInstanceOf(QuireException.class);
            assertThatThrownBy(() -> changes.grow(all / 2)).isInstanceOf(QuireException.class);
        }
    }
}
