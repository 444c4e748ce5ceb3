package org.quiredb.master.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;

@Timeout(60)
@Tag("slow")
final class SchemaGateTest {
    private static final long WAIT_MILLIS = 3_000;

    private final SchemaGate gate = new SchemaGate(8, WAIT_MILLIS);

    @Test
    void aTransactionThatStaysOpenKeepsTheSchemaChangeWaitingAndNobodyElseForLong() {
        gate.enter();
        CompletableFuture<Void> change =
                CompletableFuture.runAsync(gate::close, Thread::startVirtualThread);
        long longestNanos = 0;
        long entered = 0;
        while (!change.isDone()) {
            long beganNanos = System.nanoTime();
            gate.enter();
            longestNanos = Math.max(longestNanos, System.nanoTime() - beganNanos);
            gate.leave();
            entered++;
        }

        assertThat(TimeUnit.NANOSECONDS.toMillis(longestNanos))
                .isLessThan(WAIT_MILLIS - SchemaGate.LONGEST_WINDOW_MILLIS / 2);
        assertThat(entered).isGreaterThan(2);
        assertThat(change)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        QuireException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.LOCK_WAIT_TIMEOUT));
        gate.leave();
        gate.close();
        assertThat(gate.inside()).isEqualTo(8);
    }

    @Test
    void whoWorksForOneThatIsInsideDoesNotWaitBehindTheSchemaChangeThatWaitsForThatOne() {
        gate.enter();
        CompletableFuture<Void> change =
                CompletableFuture.runAsync(gate::close, Thread::startVirtualThread);
        long entered = 0;
        while (!change.isDone()) {
            gate.enterBeside();
            gate.leave();
            entered++;
        }

        assertThat(entered).isGreaterThan(1_000);
        gate.leave();
        gate.close();
        gate.open();
        assertThat(gate.inside()).isZero();
    }

    @Test
    void aSchemaChangeGetsThroughWhereTransactionsFollowEachOther() {
        CompletableFuture<Void> change =
                CompletableFuture.runAsync(
                        () -> {
                            gate.close();
                            gate.open();
                        },
                        Thread::startVirtualThread);
        while (!change.isDone()) {
            gate.enter();
            gate.leave();
        }

        assertThat(change).succeedsWithin(Duration.ofSeconds(1));
        gate.enter();
        assertThat(gate.inside()).isEqualTo(1);
    }

    @Test
    void aSchemaChangeThatRunsIsWaitedForUntilItIsOverOrTheClientEndsThat() throws Exception {
        SchemaGate hasty = new SchemaGate(8, 20);
        hasty.close();
        StopSignal killed = new StopSignal();
        CompletableFuture<Void> stays =
                CompletableFuture.runAsync(hasty::enter, Thread::startVirtualThread);
        CompletableFuture<Boolean> leaves =
                CompletableFuture.supplyAsync(
                        () ->
                                killed.during(() -> {
                                    hasty.enter();
                                    return true;
                                }),
                        Thread::startVirtualThread);
        assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> stays.get(200, TimeUnit.MILLISECONDS));
        killed.request();
        assertThat(leaves)
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        QuireException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.QUERY_INTERRUPTED));
        hasty.open();
        assertThat(stays).succeedsWithin(Duration.ofSeconds(30));
    }

    @Test
    void whoSaysForHowLongWaitsNoLongerThanThat() {
        SchemaGate patient = new SchemaGate(8, TimeUnit.MINUTES.toMillis(10));
        patient.enter();

        CompletableFuture<Void> change =
                CompletableFuture.runAsync(() -> patient.close(0), Thread::startVirtualThread);

        assertThat(change)
                .failsWithin(Duration.ofMinutes(1))
                .withThrowableThat()
                .withMessageContaining("Lock wait timeout exceeded");
        patient.leave();
        patient.close(0);
        assertThat(patient.inside()).isEqualTo(8);
    }

    @Test
    void pastTheBoundTheNextOneWaitsForOneToEnd() {
        SchemaGate narrow = new SchemaGate(1, 20);
        narrow.enter();
        assertThatExceptionOfType(QuireException.class)
                .isThrownBy(narrow::enter)
                .withMessageContaining("Lock wait timeout exceeded");
    }
}
