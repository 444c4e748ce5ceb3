package org.quiredb.simulation;

import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// Requests and answers between processes. An answer may not come: the other is dead, cut off, or
/// silent for longer than the caller waits. Then nobody knows whether it has done what it was
/// asked.
final class Calls {
    private Calls() {}

    /// @param handler at the other process
    /// @param answered once, in the caller's life: empty when there is no answer
    static <Q, A> void call(
            Machine from,
            Machine to,
            Q request,
            long timeoutMillis,
            BiConsumer<Q, Consumer<A>> handler,
            Consumer<Optional<A>> answered) {
        World world = from.world;
        boolean[] over = new boolean[1];
        Consumer<Optional<A>> once =
                answer -> {
                    if (!over[0]) {
                        over[0] = true;
                        answered.accept(answer);
                    }
                };
        if (!to.up()) {
            from.after(world.between(50, 3_000), () -> once.accept(Optional.empty()));
            return;
        }
        int life = to.life();
        int asking = from.life();
        watch(from, to, life, world.nowMillis() + timeoutMillis, over, once);
        Consumer<A> reply =
                answer ->
                        sent(
                                to,
                                from,
                                asking,
                                over,
                                () ->
                                        from.after(
                                                delay(world),
                                                () -> once.accept(Optional.of(answer))));
        sent(
                from,
                to,
                life,
                over,
                () -> to.after(delay(world), () -> handler.accept(request, reply)));
    }

    /// What is cut off is sent again, as long as both connections' ends live and somebody waits.
    private static void sent(Machine from, Machine to, int life, boolean[] over, Runnable arrives) {
        if (over[0] || to.life() != life) {
            return;
        }
        if (from.reaches(to)) {
            arrives.run();
        } else {
            from.after(20_000, () -> sent(from, to, life, over, arrives));
        }
    }

    /// A closed socket is seen, and that the time is over.
    private static <A> void watch(
            Machine from,
            Machine to,
            int life,
            long deadlineMillis,
            boolean[] over,
            Consumer<Optional<A>> once) {
        from.after(
                20_000,
                () -> {
                    if (over[0]) {
                        return;
                    }
                    if (from.world.nowMillis() >= deadlineMillis
                            || (to.life() != life && from.reaches(to))) {
                        once.accept(Optional.empty());
                    } else {
                        watch(from, to, life, deadlineMillis, over, once);
                    }
                });
    }

    static long delay(World world) {
        return world.chance(3) ? world.between(1_000, 40_000) : world.between(30, 600);
    }
}
