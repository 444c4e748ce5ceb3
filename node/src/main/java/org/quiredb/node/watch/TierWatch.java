package org.quiredb.node.watch;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.node.status.StatusClient;

/// Looks at a tier until it is closed, says what happens and draws it once a second.
///
/// Threads: has one, which calls what it was given; closed by any.
public final class TierWatch implements AutoCloseable {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long DRAW_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Supplier<StatusClient> scheduler;
    private final Consumer<String> say;
    private final Consumer<TierMeter> draw;
    private final TierMeter meter = new TierMeter();
    private final TierEvents events = new TierEvents();
    private final Thread thread;
    private volatile boolean closed;

    private TierWatch(
            Supplier<StatusClient> scheduler, Consumer<String> say, Consumer<TierMeter> draw) {
        this.scheduler = scheduler;
        this.say = say;
        this.draw = draw;
        StatusClient first = look(null); // what comes after is told
        thread = Thread.ofPlatform().daemon().name("watch").unstarted(() -> run(first));
    }

    /// Whatever happens after it has returned is told.
    ///
    /// @param scheduler connects to the one that is asked
    /// @param draw called once a second
    public static TierWatch begin(
            Supplier<StatusClient> scheduler, Consumer<String> say, Consumer<TierMeter> draw) {
        TierWatch watch = new TierWatch(scheduler, say, draw);
        watch.thread.start();
        return watch;
    }

    private void run(@Nullable StatusClient first) {
        StatusClient client = first;
        long drawnAt = System.nanoTime();
        while (!closed) {
            LockSupport.parkNanos(LOOK_NANOS);
            client = look(client);
            if (System.nanoTime() - drawnAt >= DRAW_NANOS && !closed) {
                drawnAt += DRAW_NANOS;
                draw.accept(meter);
            }
        }
        if (client != null) {
            client.close();
        }
    }

    /// The connection, when it is to be used again.
    private @Nullable StatusClient look(@Nullable StatusClient connected) {
        StatusClient client = connected;
        try {
            client = client == null ? scheduler.get() : client;
            List<ClusterNode> nodes = client.cluster();
            long now = System.nanoTime();
            meter.take(now, nodes);
            tell(events.take(now, nodes));
            return client;
        } catch (QuireException e) {
            tell(events.silence(System.nanoTime()));
            if (client != null) {
                client.close();
            }
            return null;
        }
    }

    private void tell(List<String> happened) {
        if (!closed) {
            happened.forEach(say);
        }
    }

    /// Says and draws nothing any more when it returns.
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
