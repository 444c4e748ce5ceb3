package org.quiredb.scheduler.session.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.quiredb.scheduler.session.state.Output;

/// The end of a result is the client's only when it is released.
final class HeldBackTest {
    private final List<byte[]> relayed = new ArrayList<>();
    private final HeldBack held =
            new HeldBack(
                    new Output() {
                        @Override
                        public void relay(byte[] packets, Runnable written) {
                            relayed.add(packets);
                            written.run();
                        }

                        @Override
                        public void ok(
                                long affectedRows,
                                long lastInsertId,
                                int statusFlags,
                                int warnings,
                                String info) {
                            throw new AssertionError();
                        }
                    });

    @Test
    void everyPartButTheLastGoesOnWhenTheNextHasCome() {
        List<Integer> consumed = new ArrayList<>();
        byte[] first = {1, 0, 0, 0, 7};
        byte[] last = {1, 0, 0, 1, 8, 2, 0, 0, 2, 9, 9};
        held.part(first, () -> consumed.add(1));
        assertThat(relayed).isEmpty();
        held.part(last, () -> consumed.add(2));
        assertThat(relayed).containsExactly(first);
        assertThat(consumed).containsExactly(1, 2);
        held.release();
        assertThat(relayed).containsExactly(first, last);
    }
}
