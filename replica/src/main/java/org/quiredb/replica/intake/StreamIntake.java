package org.quiredb.replica.intake;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.quiredb.common.topology.Standing;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.wire.MangledMessageException;
import org.quiredb.replica.engine.Engine;
import org.quiredb.replica.intake.Intake.Arrival;
import org.quiredb.replica.page.PageStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The threaded edge of an {@link Intake}: takes what comes in, in order.
///
/// It may come before {@link #open}: it is kept until the replica has what precedes it. Write sets,
/// topologies, and the end of a stream are taken in the order in which they came.
///
/// Threads: `offer` by any, without blocking; everything else by the intake thread, which `open`
/// starts.
public final class StreamIntake implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StreamIntake.class);
    private static final int ACKNOWLEDGE_AFTER = 64;

    /// A master has no more under way to those in sync; one that joins, and has not its catalogue
    /// for so long, begins anew.
    private static final long MAXIMUM_PART_BYTES = 16 << 20;

    private static final Arrival WAKE = new Arrival.HandedOver(List.of());

    /// Told of what follows; called on the intake thread, `broken` on any.
    public interface Listener {
        /// The stream is closed, or more was handed over after that.
        void standing(Standing standing);

        void changed(Topology topology);

        /// The replica can no longer follow: it must begin anew.
        void broken(String reason);
    }

    private final Progress progress;
    private final Listener listener;
    private final Intake intake;
    private final BlockingQueue<Arrival> queue;
    private final AtomicLong partBytes = new AtomicLong();
    private volatile boolean overflowed;
    private volatile boolean closed;

    /// @param send to a member of the group by name
    /// @param queueMessages how many group messages may wait
    public StreamIntake(
            String self,
            PageStore store,
            Engine engine,
            Progress progress,
            BiConsumer<String, byte[]> send,
            Listener listener,
            int queueMessages) {
        this.progress = progress;
        this.listener = listener;
        this.intake =
                new Intake(
                        self, store, engine, progress, send, listener::standing, listener::changed);
        this.queue = new ArrayBlockingQueue<>(queueMessages);
    }

    public RecentWriteSets recent() {
        return intake.recent();
    }

    /// Something has arrived. A replica whose queue is full falls out rather than hold anybody
    /// back.
    public void offer(Arrival arrival) {
        if (!overflowed
                && (partBytes.addAndGet(partBytes(arrival)) > MAXIMUM_PART_BYTES
                        || !queue.offer(arrival))) {
            overflowed = true;
            stop("it takes write sets in more slowly than they come");
        }
    }

    private static int partBytes(Arrival arrival) {
        return arrival instanceof Arrival.Part(String _, byte[] part) ? part.length : 0;
    }

    /// Before {@link #open}: parts that have come of a master are not needed where it takes no
    /// schema change in when it is asked hereafter, and of no use where it does.
    public void forgetParts(String master) {
        queue.removeIf(arrival -> {
            boolean its = arrival instanceof Arrival.Part part && part.from().equals(master);
            if (its) {
                partBytes.addAndGet(-partBytes(arrival));
            }
            return its;
        });
    }

    /// Lets the stream in: what is not past the positions that progress stands at is skipped.
    ///
    /// Acknowledges at once to the masters what is here already.
    ///
    /// @param counters for a table, the commit number that its counters already contain
    public void open(Map<Integer, Long> counters) {
        if (overflowed) {
            throw new IllegalStateException(
                    "more write sets came while joining than are kept; join again");
        }
        intake.open(counters);
        Thread.ofVirtual().name("intake").start(this::run);
    }

    @Override
    public void close() {
        closed = true;
        queue.offer(WAKE); // or it has enough to look at; an interrupt could hit the file of pages
    }

    private void run() {
        try {
            int since = 0;
            while (!closed) {
                Arrival next = queue.poll();
                if (next == null || since >= ACKNOWLEDGE_AFTER) {
                    intake.acknowledge();
                    since = 0;
                }
                Arrival arrived = next == null ? queue.take() : next;
                if (closed) {
                    return;
                }
                partBytes.addAndGet(-partBytes(arrived));
                intake.take(arrived);
                since++;
            }
        } catch (InterruptedException e) {
            LOG.debug("intake ends");
        } catch (MangledMessageException | IllegalStateException e) {
            LOG.debug("the stream broke", e);
            stop("its stream of write sets is broken: " + e.getMessage());
        } catch (RuntimeException | Error e) { // one that takes nothing in must not pass for sound
            LOG.error("a write set could not be taken in", e);
            stop("a write set could not be taken in: " + e);
        }
    }

    private void stop(String reason) {
        progress.stop(reason);
        listener.broken(reason);
    }
}
