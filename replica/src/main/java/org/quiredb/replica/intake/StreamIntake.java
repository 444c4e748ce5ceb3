package org.quiredb.replica.intake;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.topology.Standing;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.wire.MangledMessageException;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.service.Engine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes write sets in, in order, and acknowledges them.
///
/// They may come before {@link #open}: they are kept until the replica has what precedes them. What
/// comes in is taken in its order: write sets, topologies, and the end of a stream.
///
/// Threads: `offer` by any, without blocking; everything else by the intake thread, which `open`
/// starts.
public final class StreamIntake implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StreamIntake.class);
    private static final int ACKNOWLEDGE_AFTER = 64;

    /// What comes in.
    public sealed interface Arrival {
        /// A master's stream.
        record Stream(String from, List<byte[]> writeSets) implements Arrival {}

        /// What this replica missed of a former master's.
        record HandedOver(List<byte[]> writeSets) implements Arrival {}

        record Changed(Topology topology) implements Arrival {}

        /// Nothing of these masters at this epoch or an older one is taken in from here on, but
        /// what is handed over.
        record Close(long epoch, Set<String> masters) implements Arrival {}
    }

    /// Told of what follows; called on the intake thread, `broken` on any.
    public interface Listener {
        /// The stream is closed, or more was handed over after that.
        void standing(Standing standing);

        void changed(Topology topology);

        /// The replica can no longer follow: it must begin anew.
        void broken(String reason);
    }

    private final String self;
    private final PageStore store;
    private final Engine engine;
    private final Progress progress;
    private final BiConsumer<String, byte[]> send;
    private final Listener listener;
    private final BlockingQueue<Arrival> queue;
    private final RecentWriteSets recent = new RecentWriteSets();
    private final Map<Integer, Long> countersAt = new HashMap<>();
    private final Map<ConflictClass, String> unacknowledged = new HashMap<>();
    private final Map<String, Long> closedEpochs = new HashMap<>();
    private volatile @Nullable Thread thread;
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
        this.self = self;
        this.store = store;
        this.engine = engine;
        this.progress = progress;
        this.send = send;
        this.listener = listener;
        this.queue = new ArrayBlockingQueue<>(queueMessages);
    }

    public RecentWriteSets recent() {
        return recent;
    }

    /// Something has arrived. A replica whose queue is full falls out rather than hold anybody
    /// back.
    public void offer(Arrival arrival) {
        if (!overflowed && !queue.offer(arrival)) {
            overflowed = true;
            stop("it takes write sets in more slowly than they come");
        }
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
        countersAt.putAll(counters);
        thread = Thread.ofVirtual().name("intake").start(this::run);
    }

    @Override
    public void close() {
        closed = true;
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    private void run() {
        try {
            acknowledgeAll();
            int since = 0;
            while (!closed) {
                Arrival next = queue.poll();
                if (next == null || since >= ACKNOWLEDGE_AFTER) {
                    acknowledge();
                    since = 0;
                }
                take(next == null ? queue.take() : next);
                since++;
            }
        } catch (InterruptedException e) {
            LOG.debug("intake ends");
        } catch (MangledMessageException | IllegalStateException e) {
            LOG.debug("the stream broke", e);
            stop("its stream of write sets is broken: " + e.getMessage());
        }
    }

    private void stop(String reason) {
        progress.stop(reason);
        listener.broken(reason);
    }

    private void take(Arrival arrival) {
        switch (arrival) {
            case Arrival.Stream(String from, List<byte[]> writeSets) ->
                    writeSets.forEach(bytes -> takeFromStream(from, bytes));
            case Arrival.HandedOver(List<byte[]> writeSets) -> {
                writeSets.forEach(bytes -> takeIn(WriteSet.decode(bytes), bytes));
                if (!closedEpochs.isEmpty()) {
                    tellStanding();
                }
            }
            case Arrival.Changed(Topology topology) -> {
                progress.enter(topology);
                if (topology.epoch() == progress.epoch()) {
                    acknowledgeAll();
                }
                listener.changed(topology);
            }
            case Arrival.Close(long epoch, Set<String> masters) -> {
                if (epoch >= progress.epoch()) {
                    masters.forEach(master -> closedEpochs.put(master, epoch));
                    tellStanding();
                }
            }
        }
    }

    /// Only of the present epoch: closed streams of an older one may flow again.
    private void tellStanding() {
        long epoch = progress.epoch();
        Set<String> closedNow = new TreeSet<>(closedEpochs.keySet());
        closedNow.removeIf(master -> closedEpochs.getOrDefault(master, 0L) < epoch);
        listener.standing(
                new Standing(self, epoch, closedNow, recent.holdings(progress.positions())));
    }

    private void takeFromStream(String from, byte[] bytes) {
        WriteSet writeSet = WriteSet.decode(bytes);
        if (writeSet.epoch() < progress.term(writeSet.conflictClass())
                || writeSet.epoch() <= closedEpochs.getOrDefault(from, 0L)) {
            LOG.info(
                    "write set {} of {} is of old epoch {}, not taken in",
                    writeSet.commitNumber(),
                    from,
                    writeSet.epoch());
            return;
        }
        takeIn(writeSet, bytes);
        unacknowledged.put(writeSet.conflictClass(), from);
    }

    private void takeIn(WriteSet writeSet, byte[] bytes) {
        ConflictClass conflictClass = writeSet.conflictClass();
        long commitNumber = writeSet.commitNumber();
        long received = progress.received(conflictClass);
        if (commitNumber <= received) {
            return;
        }
        // A class that was never heard of has come into being since: its stream is complete from
        // its first.
        if (progress.knows(conflictClass) && commitNumber != received + 1) {
            throw new IllegalStateException(
                    "%s goes from %d to %d".formatted(conflictClass, received, commitNumber));
        }
        progress.advance(conflictClass, commitNumber, () -> apply(writeSet));
        recent.add(conflictClass, commitNumber, bytes);
    }

    private void apply(WriteSet writeSet) {
        long commitNumber = writeSet.commitNumber();
        writeSet.schemaChanges()
                .forEach(change -> {
                    engine.apply(change, commitNumber);
                    progress.changed(change);
                });
        writeSet.pages().forEach(page -> store.enqueue(page, commitNumber));
        writeSet.counters().stream()
                .filter(change -> commitNumber > countersAt.getOrDefault(change.tableId(), 0L))
                .forEach(change -> store.counters(change.tableId()).apply(change));
    }

    private void acknowledgeAll() {
        Topology topology = progress.topology();
        for (ClassPosition position : progress.positions()) {
            ConflictClass conflictClass = position.conflictClass();
            unacknowledged.put(conflictClass, topology.mastership(conflictClass).master());
        }
    }

    private void acknowledge() {
        unacknowledged.forEach((conflictClass, to) -> {
            if (!to.equals(self)) {
                long upTo = progress.received(conflictClass);
                send.accept(
                        to,
                        new GroupMessage.Received(conflictClass, progress.term(conflictClass), upTo)
                                .encode());
            }
        });
        unacknowledged.clear();
    }
}
