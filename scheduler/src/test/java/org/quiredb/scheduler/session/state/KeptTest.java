package org.quiredb.scheduler.session.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.quiredb.common.error.QuireException;

final class KeptTest {
    private final Kept.All all = new Kept.All(150);

    @Test
    void oneSessionKeepsNoMoreThanItsOwnBound() {
        try (Kept kept = new Kept(all, 100)) {
            kept.add(80);
            assertThatThrownBy(() -> kept.add(21)).isInstanceOf(QuireException.class);
            kept.add(20);
            kept.add(-50);
            kept.add(50);
            assertThat(all.bytes()).isEqualTo(100);
        }
        assertThat(all.bytes()).isZero();
    }

    @Test
    void allTogetherKeepNoMoreThanTheirs() {
        Kept one = new Kept(all, 100);
        one.add(100);
        try (Kept other = new Kept(all, 100)) {
            assertThatThrownBy(() -> other.add(60)).isInstanceOf(QuireException.class);
            other.add(50);
            one.close();
            other.add(50);
            assertThat(all.bytes()).isEqualTo(100);
        }
    }
}
