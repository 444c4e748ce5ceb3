package org.quiredb.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.route.Tags;

final class PinsTest {
    private static final long OWNER = 1;
    private static final long OTHER = 2;

    private final Tags tags = new Tags();
    private final Semaphore closed = new Semaphore(0);

    @Test
    void aPinKeepsItsTagUntilItsOwnerLetsGo() {
        Pins pins = new Pins(this::pin, 4, Duration.ofHours(1));
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
        Pins pins = new Pins(this::pin, 4, Duration.ofHours(1));
        pins.take(OWNER);
        pins.take(OWNER);
        pins.take(OTHER);
        pins.releaseAll(OWNER);
        assertThat(tags.inUse()).isEqualTo(1);
    }

    @Test
    void thereAreOnlySoMany() {
        Pins pins = new Pins(this::pin, 2, Duration.ofHours(1));
        pins.take(OWNER);
        pins.take(OTHER);
        assertThatThrownBy(() -> pins.take(OWNER)).isInstanceOf(QuireException.class);
        assertThat(tags.inUse()).isEqualTo(2);
        pins.releaseAll(OTHER);
        pins.take(OWNER);
    }

    @Test
    void aPinThatIsForgottenEndsByItself() throws Exception {
        Pins pins = new Pins(this::pin, 2, Duration.ofMillis(20));
        Pins.Lease lease = pins.take(OWNER);
        assertThat(closed.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        assertThat(tags.inUse()).isZero();
        pins.release(OWNER, lease.id());
        assertThat(closed.availablePermits()).isZero();
    }

    private Pin pin() {
        Tags.Use use = tags.use();
        return new Pin() {
            @Override
            public VersionVector tag() {
                return use.tag();
            }

            @Override
            public void close() {
                use.close();
                closed.release();
            }
        };
    }
}
