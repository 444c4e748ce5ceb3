package org.quiredb.scheduler.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.version.VersionVector;

class TagsTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theLowWatermarkOnlyGrowsAndNeverPassesATagInUse(long seed) {
        Random random = new Random(seed);
        Tags tags = new Tags(Duration.ofHours(1), System::nanoTime);
        List<Tags.Use> uses = new ArrayList<>();
        VersionVector before = VersionVector.EMPTY;
        for (int step = 0; step < 2_000; step++) {
            switch (random.nextInt(4)) {
                case 0 -> tags.merge(VersionVector.EMPTY.with(random.nextInt(4), step));
                case 1 -> uses.add(tags.use(1));
                case 2 -> {
                    if (!uses.isEmpty()) {
                        uses.remove(random.nextInt(uses.size())).close();
                    }
                }
                default -> {
                    VersionVector low = tags.computeLowWatermark();
                    assertThat(low.covers(before)).isTrue();
                    assertThat(uses).allSatisfy(use -> assertThat(use.tag().covers(low)).isTrue());
                    before = low;
                }
            }
        }
        uses.forEach(Tags.Use::close);
        assertThat(tags.inUse()).isZero();
        assertThat(tags.computeLowWatermark()).isEqualTo(tags.current());
    }
}
