package org.quiredb.node.console;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Those who are told the state each second.
///
/// One that is slow misses states: it is told the newest when it is done with the one before.
///
/// Threads: any; each viewer's own thread writes to it.
final class Viewers implements AutoCloseable {
    static final int MAXIMUM = 16;
    private static final long STUCK_NANOS = 10_000_000_000L;

    private final AtomicInteger count = new AtomicInteger();
    private final Set<Viewer> viewers = ConcurrentHashMap.newKeySet();
    private final Object told = new Object();

    /// Guarded by told, as closed.
    private byte @Nullable [] message;

    private long number;
    private boolean closed;

    private static final class Viewer {
        final HttpExchange exchange;

        /// 0 while nothing is being written.
        volatile long writingSince;

        Viewer(HttpExchange exchange) {
            this.exchange = exchange;
        }
    }

    /// Whether there is room for one more, who is to be shown to its seat then.
    boolean takeSeat() {
        if (count.incrementAndGet() <= MAXIMUM) {
            return true;
        }
        count.decrementAndGet();
        return false;
    }

    /// Of one that was not shown to it after all.
    void leaveSeat() {
        count.decrementAndGet();
    }

    /// Tells a viewer everything until it leaves, and its seat with it; its headers have been sent.
    void show(HttpExchange exchange) throws IOException {
        Viewer viewer = new Viewer(exchange);
        viewers.add(viewer);
        try {
            OutputStream out = exchange.getResponseBody();
            write(viewer, out, "retry: 1000\n\n".getBytes(StandardCharsets.UTF_8));
            long seen;
            synchronized (told) {
                seen = number; // what was told before nobody looked is old
            }
            while (true) {
                byte[] next;
                synchronized (told) {
                    while (number == seen && !closed) {
                        told.wait();
                    }
                    if (closed || message == null) {
                        return;
                    }
                    seen = number;
                    next = message;
                }
                write(viewer, out, next);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            viewers.remove(viewer);
            count.decrementAndGet();
        }
    }

    private static void write(Viewer viewer, OutputStream out, byte[] bytes) throws IOException {
        viewer.writingSince = System.nanoTime() | 1;
        out.write(bytes);
        out.flush();
        viewer.writingSince = 0;
    }

    /// Tells everybody, if there is somebody.
    void tell(Supplier<byte[]> json) {
        if (viewers.isEmpty()) {
            return;
        }
        byte[] data = json.get();
        byte[] head = "event: state\ndata: ".getBytes(StandardCharsets.UTF_8);
        byte[] event = new byte[head.length + data.length + 2];
        System.arraycopy(head, 0, event, 0, head.length);
        System.arraycopy(data, 0, event, head.length, data.length);
        event[event.length - 2] = '\n';
        event[event.length - 1] = '\n';
        synchronized (told) {
            message = event;
            number++;
            told.notifyAll();
        }
        cutOffStuck(System.nanoTime());
    }

    private void cutOffStuck(long nowNanos) {
        for (Viewer viewer : viewers) {
            long since = viewer.writingSince;
            if (since != 0 && nowNanos - since > STUCK_NANOS) {
                Thread.ofVirtual().name("console cut off").start(viewer.exchange::close);
            }
        }
    }

    @Override
    public void close() {
        synchronized (told) {
            closed = true;
            told.notifyAll();
        }
    }
}
