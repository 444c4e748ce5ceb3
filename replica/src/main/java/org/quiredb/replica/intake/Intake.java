package org.quiredb.replica.intake;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.topology.Standing;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CounterChange;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.TablePart;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.replica.engine.Engine;
import org.quiredb.replica.page.PageStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a replica does with each thing that comes in: take it in, skip it, refuse it, close a
/// stream, acknowledge. It has no thread, queue or clock.
///
/// Threads: one at a time, its owner's.
public final class Intake {
    private static final Logger LOG = LoggerFactory.getLogger(Intake.class);

    /// What comes in.
    public sealed interface Arrival {
        /// A master's stream.
        ///
        /// @param settled as of {@link GroupMessage.WriteSets}
        record Stream(String from, long settled, List<byte[]> writeSets) implements Arrival {}

        /// Of a master's stream, before the write set that it belongs to.
        @SuppressWarnings("ArrayRecordComponent") // as it came, never compared
        record Part(String from, byte[] part) implements Arrival {}

        /// What this replica missed of a former master's.
        record HandedOver(List<byte[]> writeSets) implements Arrival {}

        record Changed(Topology topology) implements Arrival {}

        /// Nothing of these masters at this epoch or an older one is taken in from here on, but
        /// what is handed over.
        record Close(long epoch, Set<String> masters) implements Arrival {}
    }

    private final String self;
    private final PageStore store;
    private final Engine engine;
    private final Progress progress;
    private final BiConsumer<String, byte[]> send;
    private final Consumer<Standing> standing;
    private final Consumer<Topology> changed;
    private final RecentWriteSets recent = new RecentWriteSets();
    private final TableParts parts;
    private final Map<Integer, Long> countersAt = new HashMap<>();
    private final Map<ConflictClass, String> unacknowledged = new HashMap<>();
    private final Map<String, Long> closedEpochs = new HashMap<>();

    /// @param send to a member of the group by name
    /// @param standing told when a stream is closed, or more was handed over after that
    /// @param changed told of each topology in its place among the write sets
    public Intake(
            String self,
            PageStore store,
            Engine engine,
            Progress progress,
            BiConsumer<String, byte[]> send,
            Consumer<Standing> standing,
            Consumer<Topology> changed) {
        this.self = self;
        this.store = store;
        this.parts = new TableParts(store);
        this.engine = engine;
        this.progress = progress;
        this.send = send;
        this.standing = standing;
        this.changed = changed;
    }

    public RecentWriteSets recent() {
        return recent;
    }

    /// Progress stands at what the replica has; what is here already is acknowledged next.
    ///
    /// @param counters for a table, the commit number that its counters already contain
    public void open(Map<Integer, Long> counters) {
        countersAt.putAll(counters);
        acknowledgeAll();
    }

    /// @throws IllegalStateException on a gap: the replica can no longer follow
    /// @throws org.quiredb.common.wire.MangledMessageException likewise
    public void take(Arrival arrival) {
        switch (arrival) {
            case Arrival.Stream(String from, long settled, List<byte[]> writeSets) ->
                    writeSets.forEach(bytes -> takeFromStream(from, settled, bytes));
            case Arrival.Part(String from, byte[] part) -> takePart(from, TablePart.decode(part));
            case Arrival.HandedOver(List<byte[]> writeSets) -> {
                writeSets.forEach(bytes -> takeIn(WriteSet.decode(bytes), bytes));
                if (!closedEpochs.isEmpty()) {
                    tellStanding();
                }
            }
            case Arrival.Changed(Topology topology) -> {
                progress.enter(topology);
                forgetOwnParts();
                if (topology.epoch() == progress.epoch()) {
                    acknowledgeAll();
                }
                changed.accept(topology);
            }
            case Arrival.Close(long epoch, Set<String> masters) -> {
                if (epoch >= progress.epoch()) {
                    masters.forEach(master -> closedEpochs.put(master, epoch));
                    tellStanding();
                }
            }
        }
    }

    /// Acknowledges each class once that has come further, cumulatively.
    public void acknowledge() {
        unacknowledged.forEach((conflictClass, to) -> {
            if (!to.equals(self)) {
                send.accept(to, received(conflictClass).encode());
            }
        });
        unacknowledged.clear();
    }

    /// Who holds parts of a commit has everything before it, also of a class never heard of before.
    private GroupMessage.Received received(ConflictClass conflictClass) {
        long term = progress.term(conflictClass);
        long upTo = progress.received(conflictClass);
        int held = parts.held(conflictClass, term);
        Long awaited = held == 0 ? null : parts.awaited(conflictClass);
        return new GroupMessage.Received(
                conflictClass, term, awaited == null ? upTo : awaited - 1, held);
    }

    /// What a lost master has begun this replica begins anew itself.
    private void forgetOwnParts() {
        Topology topology = progress.topology();
        for (ConflictClass begun : parts.begun()) {
            if (topology.mastership(begun).master().equals(self)) {
                parts.forget(begun);
            }
        }
    }

    /// Only of the present epoch: closed streams of an older one may flow again.
    private void tellStanding() {
        long epoch = progress.epoch();
        Set<String> closedNow = new TreeSet<>(closedEpochs.keySet());
        closedNow.removeIf(master -> closedEpochs.getOrDefault(master, 0L) < epoch);
        standing.accept(
                new Standing(self, epoch, closedNow, recent.holdings(progress.positions())));
    }

    private void takeFromStream(String from, long settled, byte[] bytes) {
        WriteSet writeSet = WriteSet.decode(bytes);
        if (isOver(from, writeSet.conflictClass(), writeSet.epoch())) {
            LOG.info(
                    "write set {} of {} is of old epoch {}, not taken in",
                    writeSet.commitNumber(),
                    from,
                    writeSet.epoch());
            return;
        }
        takeIn(writeSet, bytes);
        recent.settled(writeSet.conflictClass(), settled);
        unacknowledged.put(writeSet.conflictClass(), from);
    }

    private void takePart(String from, TablePart part) {
        ConflictClass conflictClass = part.conflictClass();
        if (!isOver(from, conflictClass, part.epoch())
                && isNext(conflictClass, part.commitNumber())) {
            parts.take(part);
            unacknowledged.put(conflictClass, from);
        }
    }

    /// Whether what a master has sent is of a stream that is closed, or of a term that is over.
    private boolean isOver(String from, ConflictClass conflictClass, long epoch) {
        return epoch < progress.term(conflictClass) || epoch <= closedEpochs.getOrDefault(from, 0L);
    }

    private void takeIn(WriteSet writeSet, byte[] bytes) {
        ConflictClass conflictClass = writeSet.conflictClass();
        long commitNumber = writeSet.commitNumber();
        if (isNext(conflictClass, commitNumber)) {
            parts.complete(writeSet);
            progress.advance(writeSet, () -> apply(writeSet));
            recent.add(conflictClass, commitNumber, bytes);
        }
    }

    /// @return false when it is here already
    /// @throws IllegalStateException on a gap
    private boolean isNext(ConflictClass conflictClass, long commitNumber) {
        long received = progress.received(conflictClass);
        if (commitNumber <= received) {
            return false;
        }
        // A class that was never heard of has come into being since: its stream is complete from
        // its first.
        if (progress.knows(conflictClass) && commitNumber != received + 1) {
            throw new IllegalStateException(
                    "%s goes from %d to %d".formatted(conflictClass, received, commitNumber));
        }
        return true;
    }

    private void apply(WriteSet writeSet) {
        long commitNumber = writeSet.commitNumber();
        engine.committed(writeSet);
        for (SchemaChange change : writeSet.schemaChanges()) {
            engine.apply(change, commitNumber);
            progress.changed(change);
        }
        for (PageChange page : writeSet.pages()) {
            store.enqueue(page, commitNumber);
        }
        for (CounterChange change : writeSet.counters()) {
            if (commitNumber > countersAt.getOrDefault(change.tableId(), 0L)) {
                store.counters(change.tableId()).apply(change);
            }
        }
    }

    /// Also of a class of which nothing but parts has come.
    private void acknowledgeAll() {
        Topology topology = progress.topology();
        Set<ConflictClass> all = new HashSet<>(parts.begun());
        progress.positions().forEach(position -> all.add(position.conflictClass()));
        all.forEach(c -> unacknowledged.put(c, topology.mastership(c).master()));
    }
}
