package org.quiredb.master;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.topology.Decision;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.master.commit.ClassCommits;
import org.quiredb.master.commit.Commits;
import org.quiredb.master.commit.Continuation;
import org.quiredb.replica.engine.Engine;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.intake.RecentWriteSets;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.TableCounters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How a replica becomes master of classes: taken over from a master that is lost, or received from
/// one that hands them on. The topology says so already.
///
/// Threads: the role's; each accession ends on a thread of its own.
final class Accession {
    private static final Logger LOG = LoggerFactory.getLogger(Accession.class);
    private static final int HANDED_OVER_AT_ONCE = 256;

    private final PageStore store;
    private final Engine engine;
    private final Progress progress;
    private final RecentWriteSets recent;
    private final Commits commits;
    private final Consumer<byte[]> multicast;
    private final Consumer<ClassPosition> finishSchemaChange;
    private final Consumer<String> end;

    /// @param finishSchemaChange told of one that a lost master has left in the log
    /// @param end told when it cannot become master
    Accession(
            PageStore store,
            Engine engine,
            Progress progress,
            RecentWriteSets recent,
            Commits commits,
            Consumer<byte[]> multicast,
            Consumer<ClassPosition> finishSchemaChange,
            Consumer<String> end) {
        this.store = store;
        this.engine = engine;
        this.progress = progress;
        this.recent = recent;
        this.commits = commits;
        this.multicast = multicast;
        this.finishSchemaChange = finishSchemaChange;
        this.end = end;
    }

    /// Hands the other survivors what they miss, then goes on where the lost masters were.
    ///
    /// @param leads everything that is yet to come belongs to it too
    void takeOver(Decision.TakeOver takeOver, List<ClassPosition> logEnds, boolean leads) {
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
        serve(takeOver.ends(), left, leads);
    }

    /// Everything of these classes is stable, so it is here and in the log.
    void receive(Set<ConflictClass> classes) {
        List<ClassPosition> ends =
                classes.stream().map(c -> new ClassPosition(c, progress.received(c))).toList();
        for (ClassPosition end : ends) {
            LOG.info(
                    "this replica is handed {} at commit {}",
                    end.conflictClass(),
                    end.commitNumber());
            commits.takeOver(
                    end.conflictClass(), end.commitNumber(), end.commitNumber(), List.of());
        }
        serve(ends, List.of(), false);
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
        commits.takeOver(end.conflictClass(), end.commitNumber(), next.logEnd(), next.unlogged());
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

    private void serve(List<ClassPosition> ends, List<ClassPosition> left, boolean leads) {
        Thread.ofVirtual().name("accession").start(() -> serveWhenStable(ends, left, leads));
    }

    private void serveWhenStable(
            List<ClassPosition> ends, List<ClassPosition> left, boolean leads) {
        try {
            List<ConflictClass> served = new ArrayList<>();
            for (ClassPosition end : ends) {
                commits.of(end.conflictClass()).ifPresent(ClassCommits::awaitAllSettledAtLast);
                served.add(end.conflictClass());
            }
            commits.loaded(vector(ends));
            left.forEach(finishSchemaChange);
            left.stream()
                    .map(ClassPosition::conflictClass)
                    .filter(c -> !served.contains(c))
                    .forEach(served::add);
            served.forEach(commits::serve);
            if (leads) {
                commits.serve(ConflictClass.NONE);
            }
            LOG.info(
                    "this replica is master of {}{}",
                    served,
                    leads ? " and what is yet to come" : "");
        } catch (RuntimeException e) { // whatever it is: nobody else would take its place
            LOG.error(
                    "this replica cannot become master: it begins anew, another one takes over", e);
            end.accept("it cannot become master: " + e.getMessage());
        }
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
