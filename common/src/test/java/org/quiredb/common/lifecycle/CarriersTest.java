package org.quiredb.common.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Work that holds every carrier and never waits.
final class CarriersTest {
    private static final VirtualThreadSchedulerMXBean SCHEDULER =
            ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);

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
        try (Carriers _ = Carriers.open()) {
            compute(Thread::onSpinWait);

            assertThat(runs()).isTrue();
        } finally {
            over.set(true);
        }
    }

    @Test
    void workThatChecksItsSignalGivesWay() throws Exception {
        try (Carriers _ = Carriers.open()) {
            computeWithin(work -> {
                StopSignal signal = new StopSignal();
                signal.during(() -> work.accept(signal::check));
            });

            Instant begun = Instant.now();
            for (int i = 0; i < 100; i++) {
                assertThat(runs()).isTrue();
            }
            assertThat(Instant.now()).isBefore(begun.plusSeconds(20));
        } finally {
            over.set(true);
        }
    }

    @Test
    void thereAreAsManyAsBeforeWhenNobodyNeedsMore() throws Exception {
        int usual = SCHEDULER.getParallelism();
        try (Carriers _ = Carriers.open()) {
            StopSignal signal = new StopSignal();
            Thread thread =
                    Thread.ofVirtual()
                            .start(() ->
                                    signal.during(() -> {
                                        while (SCHEDULER.getParallelism() == usual) {
                                            signal.check();
                                        }
                                    }));

            assertThat(thread.join(Duration.ofSeconds(20))).isTrue();
        }
        assertThat(SCHEDULER.getParallelism()).isEqualTo(usual);
    }

    private void compute(Runnable step) throws InterruptedException {
        computeWithin(work -> work.accept(step));
    }

    /// @param around what each thread does with its work, to be given a step
    private void computeWithin(Consumer<Consumer<Runnable>> around) throws InterruptedException {
        int many = 3 * Runtime.getRuntime().availableProcessors();
        CountDownLatch begun = new CountDownLatch(Runtime.getRuntime().availableProcessors());
        Consumer<Runnable> work =
                step -> {
                    begun.countDown();
                    while (!over.get()) {
                        step.run();
                    }
                };
        for (int i = 0; i < many; i++) {
            computing.add(Thread.ofVirtual().start(() -> around.accept(work)));
        }
        begun.await();
    }

    private static boolean runs() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        Thread.ofVirtual().start(ran::countDown);
        return ran.await(20, TimeUnit.SECONDS);
    }
}
