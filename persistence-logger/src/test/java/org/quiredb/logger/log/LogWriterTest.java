package org.quiredb.logger.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.quiredb.common.version.ConflictClass;

/// What waits is written together.
final class LogWriterTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private static final ConflictClass CRM = new ConflictClass("crm");
    private static final LogWork ONE = new LogWork.Append(SHOP, 1, List.of());
    private static final LogWork OTHER = new LogWork.Append(CRM, 1, List.of());
    private static final LogWork IDS = new LogWork.TakeTableIds(CRM, 1, 1, 1);

    /// Those that the store has left it gives to who asks alone: others were nobody's for ever, and
    /// two masters who change their schemas left some behind with every fourth change.
    @Test
    void tableIdsAreTakenInATransactionOfTheirOwn() throws Exception {
        Held store = new Held();
        try (LogWriter writer = new LogWriter(store, 10_000)) {
            writer.start();
            CountDownLatch answered = new CountDownLatch(6);
            begin(writer, ONE, answered);
            assertThat(store.written.poll(10, TimeUnit.SECONDS)).containsExactly(ONE);
            for (LogWork next : List.of(ONE, OTHER, IDS, ONE, OTHER)) {
                begin(writer, next, answered);
            }
            store.held.countDown();
            assertThat(answered.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(store.written)
                    .containsExactly(List.of(ONE, OTHER), List.of(IDS), List.of(ONE, OTHER));
        }
    }

    private static void begin(LogWriter writer, LogWork work, CountDownLatch answered) {
        assertThat(
                        writer.begin(
                                work,
                                outcome -> {
                                    assertThat(outcome.get()).isNotNull();
                                    answered.countDown();
                                }))
                .isTrue();
    }

    /// Does nothing, the first time not before it is let go.
    private static final class Held implements LogStore {
        final BlockingQueue<List<LogWork>> written = new LinkedBlockingQueue<>();
        final CountDownLatch held = new CountDownLatch(1);

        @Override
        public List<LogOutcome> run(List<LogWork> work) {
            written.add(work);
            try {
                assertThat(held.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return work.stream().<LogOutcome>map(one -> new LogOutcome.Stored(1, true)).toList();
        }

        @Override
        public void disconnect() {}
    }
}
