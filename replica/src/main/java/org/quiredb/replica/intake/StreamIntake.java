package org.quiredb.replica.intake;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.wire.MangledMessageException;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.service.Engine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes write sets in, in order, and acknowledges them.
///
/// Write sets may come before {@link #open}: they are kept until the replica has what precedes
/// them.
///
/// Threads: `arrived` by the group's; everything else by the intake thread, which `open` starts.
public final class StreamIntake implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StreamIntake.class);
    private static final int ACKNOWLEDGE_AFTER = 64;

    private record Arrived(String from, List<byte[]> writeSets) {}

    private final PageStore store;
    private final Engine engine;
    private final Progress progress;
    private final BiConsumer<String, byte[]> send;
    private final BlockingQueue<Arrived> queue;
    private final Map<Integer, Long> countersAt = new HashMap<>();
    private final Map<ConflictClass, String> unacknowledged = new HashMap<>();
    private volatile @Nullable Thread thread;
    private volatile boolean overflowed;
    private volatile boolean closed;

    /// @param send to a member of the group by name
    /// @param queueMessages how many group messages may wait
    public StreamIntake(
            PageStore store,
            Engine engine,
            Progress progress,
            BiConsumer<String, byte[]> send,
            int queueMessages) {
        this.store = store;
        this.engine = engine;
        this.progress = progress;
        this.send = send;
        this.queue = new ArrayBlockingQueue<>(queueMessages);
    }

    /// Write sets have arrived from a member of the group.
    public void arrived(String from, GroupMessage.WriteSets message) {
        Arrived arrived = new Arrived(from, message.writeSets());
        try {
            if (thread != null) {
                queue.put(arrived);
            } else if (!overflowed) {
                overflowed = !queue.offer(arrived);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Lets the stream in: what is not past the positions that progress stands at is skipped.
    ///
    /// Acknowledges at once to the master what is here already.
    ///
    /// @param counters for a table, the commit number that its counters already contain
    public void open(String master, Map<Integer, Long> counters) {
        if (overflowed) {
            throw new IllegalStateException(
                    "more write sets came while joining than are kept; join again");
        }
        countersAt.putAll(counters);
        thread = Thread.ofVirtual().name("intake").start(() -> run(master));
    }

    @Override
    public void close() {
        closed = true;
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    private void run(String master) {
        try {
            progress.positions().forEach(p -> unacknowledged.put(p.conflictClass(), master));
            int since = 0;
            while (!closed) {
                Arrived next = queue.poll();
                if (next == null || since >= ACKNOWLEDGE_AFTER) {
                    acknowledge();
                    since = 0;
                }
                Arrived arrived = next == null ? queue.take() : next;
                arrived.writeSets.forEach(bytes -> takeIn(arrived.from, WriteSet.decode(bytes)));
                since++;
            }
        } catch (InterruptedException e) {
            LOG.debug("intake ends");
        } catch (MangledMessageException | IllegalStateException e) {
            progress.stop("the stream of write sets is broken: " + e.getMessage());
            LOG.error(
                    "replica stops serving and must join again: the stream of write sets is broken",
                    e);
        }
    }

    private void takeIn(String from, WriteSet writeSet) {
        ConflictClass conflictClass = writeSet.conflictClass();
        if (writeSet.epoch() < progress.epoch()) {
            LOG.warn(
                    "write set {} of {} is of old epoch {}, not taken in",
                    writeSet.commitNumber(),
                    from,
                    writeSet.epoch());
            return;
        }
        long received = progress.received(conflictClass);
        if (writeSet.commitNumber() > received) {
            // A class that was never heard of has come into being since: its stream is complete
            // from its first.
            if (progress.knows(conflictClass) && writeSet.commitNumber() != received + 1) {
                throw new IllegalStateException(
                        "%s goes from %d to %d"
                                .formatted(conflictClass, received, writeSet.commitNumber()));
            }
            progress.raiseEpoch(writeSet.epoch());
            progress.advance(conflictClass, writeSet.commitNumber(), () -> apply(writeSet));
        }
        unacknowledged.put(conflictClass, from);
    }

    private void apply(WriteSet writeSet) {
        long commitNumber = writeSet.commitNumber();
        writeSet.schemaChanges()
                .forEach(change -> {
                    engine.apply(change);
                    progress.changed(change);
                });
        writeSet.pages().forEach(page -> store.enqueue(page, commitNumber));
        writeSet.counters().stream()
                .filter(change -> commitNumber > countersAt.getOrDefault(change.tableId(), 0L))
                .forEach(change -> store.counters(change.tableId()).apply(change));
    }

    private void acknowledge() {
        unacknowledged.forEach((conflictClass, to) -> {
            long upTo = progress.received(conflictClass);
            send.accept(
                    to, new GroupMessage.Received(conflictClass, progress.epoch(), upTo).encode());
        });
        unacknowledged.clear();
    }
}
