package org.quiredb.common.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Work that holds every carrier and never waits.
final class CarriersTest {
    private final AtomicBoolean over = new AtomicBoolean();
    private final List<Thread> computing = new ArrayList<>();

    @AfterEach
    void end() throws Exception {
        over.set(true);
        for (Thread thread : computing) {
            thread.join();
        }
    }

    @Test
    void othersRunBesideWorkThatNeverWaits() throws Exception {
        Carriers carriers = Carriers.open();
        try {
            compute(Thread::onSpinWait);

            assertThat(runs()).isTrue();
        } finally {
            over.set(true);
            carriers.close();
        }
    }

    @Test
    void workThatChecksItsSignalGivesWay() throws Exception {
        StopSignal signal = new StopSignal();

        compute(signal::check);

        assertThat(runs()).isTrue();
    }

    private void compute(Runnable step) throws InterruptedException {
        int many = 2 * Runtime.getRuntime().availableProcessors();
        CountDownLatch begun = new CountDownLatch(Runtime.getRuntime().availableProcessors());
        for (int i = 0; i < many; i++) {
            computing.add(
                    Thread.ofVirtual()
                            .start(() -> {
                                begun.countDown();
                                while (!over.get()) {
                                    step.run();
                                }
                            }));
        }
        begun.await();
    }

    private static boolean runs() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        Thread.ofVirtual().start(ran::countDown);
        return ran.await(20, TimeUnit.SECONDS);
    }
}
