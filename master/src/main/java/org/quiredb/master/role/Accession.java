package org.quiredb.master.role;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.topology.Decision;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.master.commit.Continuation;
import org.quiredb.master.commit.MasteredClasses;
import org.quiredb.replica.engine.Engine;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.intake.RecentWriteSets;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.TableCounters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How a replica becomes master of classes: taken over from a master that is lost, or received from
/// one that hands them on. The topology says so already. It has no thread: its edge waits until
/// what it goes on from is settled.
///
/// Threads: the role's; each accession ends on the one that tells it that all is settled.
public final class Accession {
    private static final Logger LOG = LoggerFactory.getLogger(Accession.class);
    private static final int HANDED_OVER_AT_ONCE = 256;

    private final String self;
    private final PageStore store;
    private final Engine engine;
    private final Progress progress;
    private final RecentWriteSets recent;
    private final MasteredClasses master;
    private final Consumer<byte[]> multicast;
    private final BiConsumer<List<ConflictClass>, Runnable> whenSettled;
    private final Consumer<ClassPosition> finishSchemaChange;

    /// @param whenSettled runs what it is given when all that is under way of these classes is
    ///   stable and in the log, however long that takes
    /// @param finishSchemaChange told of one that a lost master has left in the log
    public Accession(
            String self,
            PageStore store,
            Engine engine,
            Progress progress,
            RecentWriteSets recent,
            MasteredClasses master,
            Consumer<byte[]> multicast,
            BiConsumer<List<ConflictClass>, Runnable> whenSettled,
            Consumer<ClassPosition> finishSchemaChange) {
        this.self = self;
        this.store = store;
        this.engine = engine;
        this.progress = progress;
        this.recent = recent;
        this.master = master;
        this.multicast = multicast;
        this.whenSettled = whenSettled;
        this.finishSchemaChange = finishSchemaChange;
    }

    /// Hands the other survivors what they miss, then goes on where the lost masters were; the
    /// leader with everything that is yet to come, too.
    ///
    /// @param logEnds where the log of each class ends
    public void takeOver(Decision.TakeOver takeOver, List<ClassPosition> logEnds) {
        boolean leads =
                progress.topology().leads(self) && master.served(ConflictClass.NONE).isEmpty();
        List<byte[]> missed = recent.after(takeOver.least());
        for (int from = 0; from < missed.size(); from += HANDED_OVER_AT_ONCE) {
            int to = Math.min(missed.size(), from + HANDED_OVER_AT_ONCE);
            multicast.accept(new GroupMessage.HandedOver(missed.subList(from, to)).encode());
        }
        List<ClassPosition> left = new ArrayList<>();
        for (ClassPosition end : takeOver.ends()) {
            goOn(end, logEnds, left);
        }
        for (ClassPosition end : takeOver.onlyLogged(logEnds)) {
            goOn(end, logEnds, left);
        }
        leaveGaps(takeOver.ends());
        serveWhenSettled(takeOver.ends(), left, leads);
    }

    /// Everything of these classes is stable, so it is here and in the log.
    public void receive(Set<ConflictClass> classes) {
        List<ClassPosition> ends =
                classes.stream()
                        .sorted(Comparator.comparing(ConflictClass::name))
                        .map(c -> new ClassPosition(c, progress.received(c)))
                        .toList();
        for (ClassPosition end : ends) {
            LOG.info(
                    "this replica is handed {} at commit {}",
                    end.conflictClass(),
                    end.commitNumber());
            master.receive(end.conflictClass(), end.commitNumber());
        }
        serveWhenSettled(ends, List.of(), false);
    }

    /// @param left takes the schema change that the log has beyond the end
    private void goOn(ClassPosition end, List<ClassPosition> logEnds, List<ClassPosition> left) {
        Continuation next = Continuation.of(end, logEnds, recent);
        next.left().ifPresent(left::add);
        LOG.info(
                "this replica takes {} over at commit {}; {} commits are still to be logged",
                end.conflictClass(),
                end.commitNumber(),
                next.unlogged().size());
        master.takeOver(end.conflictClass(), end.commitNumber(), next.logEnd(), next.unlogged());
    }

    private void leaveGaps(List<ClassPosition> ends) {
        for (CatalogueEntry table : engine.tables()) {
            if (ends.stream().anyMatch(e -> e.conflictClass().equals(table.conflictClass()))) {
                TableCounters counters = store.counters(table.tableId());
                long next = counters.nextAutoIncrement();
                counters.raiseAutoIncrement(next + AutoIncrementGap.of(table.definition(), next));
            }
        }
    }

    private void serveWhenSettled(
            List<ClassPosition> ends, List<ClassPosition> left, boolean leads) {
        List<ConflictClass> classes = ends.stream().map(ClassPosition::conflictClass).toList();
        whenSettled.accept(classes, () -> serve(ends, left, leads));
    }

    private void serve(List<ClassPosition> ends, List<ClassPosition> left, boolean leads) {
        master.loaded(vector(ends));
        left.forEach(finishSchemaChange);
        List<ConflictClass> served =
                Stream.concat(ends.stream(), left.stream())
                        .map(ClassPosition::conflictClass)
                        .distinct()
                        .toList();
        served.forEach(master::serve);
        if (leads) {
            master.serve(ConflictClass.NONE);
        }
        LOG.info("this replica is master of {}{}", served, leads ? " and what is yet to come" : "");
    }

    private VersionVector vector(List<ClassPosition> ends) {
        VersionVector vector = VersionVector.EMPTY;
        for (CatalogueEntry table : engine.tables()) {
            for (ClassPosition end : ends) {
                if (end.conflictClass().equals(table.conflictClass())) {
                    vector = vector.with(table.tableId(), end.commitNumber());
                }
            }
        }
        return vector;
    }
}
