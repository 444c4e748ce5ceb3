package org.quiredb.node.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.quiredb.node.terminal.View;
import org.quiredb.node.watch.Recorded;
import org.quiredb.node.watch.TierMeter;
import org.quiredb.tpcw.browser.Mix;
import org.quiredb.tpcw.run.WorkloadProgress;

/// What the demo shows of a recorded minute in which a slave dies.
final class DemoPictureTest {
    private static final int HEIGHT = 24;
    private final Recorded tier = new Recorded();
    private final TierMeter meter = new TierMeter();
    private final ShopPicture picture = new ShopPicture(Mix.SHOPPING, 16, 65);

    @Test
    void everyPictureFitsATerminalAndEveryLineAPipe() {
        List<View> views = play();

        assertThat(views).hasSize(60);
        assertThat(views)
                .allSatisfy(view -> {
                    assertThat(view.picture().size()).isLessThan(HEIGHT);
                    assertThat(view.picture()).allMatch(line -> line.length() <= 80);
                    assertThat(view.line()).hasSizeLessThanOrEqualTo(100).doesNotContain("\033");
                });
    }

    @Test
    void figuresAndNodesAreThereFromTheFirstSecondToTheLast() {
        List<View> views = play();

        assertThat(views.get(9).picture())
                .anyMatch(line -> line.contains("shopping mix, 16 browsers, 10 s of 1 min 5 s"))
                .anyMatch(line -> line.contains("110 WIPS  median 3.1 ms  p99 41 ms  20 commits/s"))
                .anyMatch(line -> line.matches("slave-1 +slave +serving +1,000 \\S+ +0"))
                .anyMatch(line -> line.matches("slave-2 +slave +serving +900 \\S+ +\\d+"))
                .anyMatch(line -> line.matches("logger +logger +serving"));
        assertThat(views.get(39).picture())
                .anyMatch(line -> line.matches("slave-1 +slave +serving +1,900 \\S+ +0"))
                .anyMatch(line -> line.matches("slave-2 +slave +unreachable +0"));
        assertThat(views.get(39).line())
                .contains("  40 s", "140 WIPS", "reads/s slave-1 1,900; lag 0");
    }

    private List<View> play() {
        List<View> views = new ArrayList<>();
        for (int second = 1; second <= 60; second++) {
            boolean dead = second > 30;
            tier.reads("slave-1", dead ? 1_900 : 1_000)
                    .reads("slave-2", dead ? 0 : 900)
                    .commits(20);
            if (second == 31) {
                tier.state("slave-2", "dead");
            }
            meter.take(TimeUnit.SECONDS.toNanos(second), tier.look());
            picture.take(new WorkloadProgress(second, second > 5, 100 + second, 3.14, 41, 0, 0));
            views.add(picture.view(meter));
        }
        return views;
    }
}
