package org.quiredb.master;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.message.LoggerReply.TopologyReply;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.master.commit.ClassCommits;
import org.quiredb.master.commit.Commits;
import org.quiredb.master.log.LoggerCalls;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.intake.RecentWriteSets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a replica holds when its life ends, for whatever reason, and does not let go of before it
/// is known to be elsewhere: all others may be ending too.
///
/// A member of the topology in force holds every stable commit; where commits are acknowledged
/// before they are logged, it may be the last to hold some. So memory is dropped only when the
/// topology in force does not name the replica, since then its members hold all of that, or when
/// the log has everything that it holds. What the log lacks the replica appends itself, under the
/// term of the class's master in force. That is harmless whatever the others do: a member holds
/// nothing but a beginning of what the master of the term, or the one before it that was taken over
/// from, gave these numbers to. Records that are there already are recognised, and the log refuses
/// them once the term is over, in the transaction that would store them. Nothing that is appended
/// so is applied before a master says that it is stable, or a tier that begins anew loads it.
///
/// Threads: one.
final class Bequest {
    private static final Logger LOG = LoggerFactory.getLogger(Bequest.class);
    private static final long RETRY_MILLIS = 200;
    private static final int APPENDED_AT_ONCE = 256;
    private static final int APPENDED_BYTES = 4 << 20;

    private final String self;
    private final Progress progress;
    private final RecentWriteSets recent;
    private final Commits commits;
    private final LoggerCalls log;
    private final BooleanSupplier over;
    private String told = "";

    /// @param over whether the process ends, with all that it holds
    Bequest(
            String self,
            Progress progress,
            RecentWriteSets recent,
            Commits commits,
            LoggerCalls log,
            BooleanSupplier over) {
        this.self = self;
        this.progress = progress;
        this.recent = recent;
        this.commits = commits;
        this.log = log;
        this.over = over;
    }

    /// Returns when nobody needs what is held here. The replica takes nothing in any more.
    void handIn() throws InterruptedException {
        while (!over.getAsBoolean()) {
            try {
                if (isElsewhere(log.inForce(true))) {
                    return;
                }
            } catch (RuntimeException e) { // whatever it is, what is held here is not let go of
                tell(String.valueOf(e.getMessage()));
            }
            Thread.sleep(RETRY_MILLIS);
        }
    }

    private boolean isElsewhere(TopologyReply reply) {
        Topology now = reply.topology();
        boolean elsewhere = true;
        if (now.contains(self)) {
            for (ClassPosition held : progress.positions()) {
                elsewhere &= isLogged(held, now, reply.ends());
            }
        }
        return elsewhere;
    }

    private boolean isLogged(ClassPosition held, Topology now, List<ClassPosition> ends) {
        ConflictClass c = held.conflictClass();
        Optional<ClassCommits> own = commits.of(c);
        if (own.isPresent()) {
            return own.get().isAllLogged(); // it logs the rest itself
        }
        long logged =
                ends.stream()
                        .filter(end -> end.conflictClass().equals(c))
                        .mapToLong(ClassPosition::commitNumber)
                        .max()
                        .orElse(0);
        if (logged >= held.commitNumber()) {
            return true;
        }
        List<CommitRecord> missing = new ArrayList<>();
        long sizeBytes = 0;
        for (byte[] message : recent.after(List.of(new ClassPosition(c, logged)))) {
            if (missing.size() < APPENDED_AT_ONCE && sizeBytes < APPENDED_BYTES) {
                WriteSet next = WriteSet.decode(message);
                sizeBytes += next.sizeBytes();
                missing.add(next.commitRecord());
            }
        }
        if (missing.isEmpty() || missing.getFirst().commitNumber() != logged + 1) {
            tell("%s ends at %d in the log, and that is not kept here".formatted(c, logged));
            return false;
        }
        long end = log.append(c, now.mastership(c).term(), 0, missing);
        LOG.info("has {} logged up to {} of {}", c, end, held.commitNumber());
        return end >= held.commitNumber();
    }

    /// Once, not at each try.
    private void tell(String reason) {
        if (!told.equals(reason)) {
            told = reason;
            LOG.warn("{} keeps what it holds until it is elsewhere: {}", self, reason);
        }
    }
}
