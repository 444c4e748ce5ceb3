package org.quiredb.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.route.Tags;

final class PinsTest {
    private static final long OWNER = 1;
    private static final long OTHER = 2;

    private final Tags tags = new Tags(Duration.ofHours(1), System::nanoTime);

    @Test
    void aPinKeepsItsTagUntilItsOwnerLetsGo() {
        Pins pins = new Pins(() -> tags.use(1), 4, Duration.ofHours(1));
        tags.merge(VersionVector.EMPTY.with(1, 5));
        Pins.Lease lease = pins.take(OWNER);
        tags.merge(VersionVector.EMPTY.with(1, 9));

        pins.release(OTHER, lease.id());
        assertThat(tags.computeLowWatermark()).isEqualTo(lease.tag());
        pins.release(OWNER, lease.id());
        assertThat(tags.computeLowWatermark().get(1)).isEqualTo(9);
        pins.release(OWNER, lease.id());
        assertThat(tags.inUse()).isZero();
    }

    @Test
    void theEndOfAConnectionEndsItsPinsOnly() {
        Pins pins = new Pins(() -> tags.use(1), 4, Duration.ofHours(1));
        pins.take(OWNER);
        pins.take(OWNER);
        pins.take(OTHER);
        pins.releaseAll(OWNER);
        assertThat(tags.inUse()).isEqualTo(1);
    }

    @Test
    void thereAreOnlySoMany() {
        Pins pins = new Pins(() -> tags.use(1), 2, Duration.ofHours(1));
        pins.take(OWNER);
        pins.take(OTHER);
        assertThatThrownBy(() -> pins.take(OWNER)).isInstanceOf(QuireException.class);
        assertThat(tags.inUse()).isEqualTo(2);
        pins.releaseAll(OTHER);
        pins.take(OWNER);
    }

    @Test
    void aPinThatIsForgottenEndsByItself() {
        Pins pins = new Pins(() -> tags.use(1), 2, Duration.ofMillis(20));
        Pins.Lease lease = pins.take(OWNER);
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (tags.inUse() > 0) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
        pins.release(OWNER, lease.id());
        assertThat(tags.inUse()).isZero();
    }
}
