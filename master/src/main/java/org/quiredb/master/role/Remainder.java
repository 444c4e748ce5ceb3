package org.quiredb.master.role;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.quiredb.common.message.LoggerReply.TopologyReply;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.master.commit.MasteredClasses;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.intake.RecentWriteSets;

/// What a replica holds when its life ends, for whatever reason, and must not let go of before it
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
public final class Remainder {
    private static final int APPENDED_AT_ONCE = 256;
    private static final int APPENDED_BYTES = 4 << 20;

    /// Of one class.
    public sealed interface Part {
        /// The class is the replica's own, whose commits log it themselves.
        record BeingLogged(ConflictClass conflictClass) implements Part {}

        /// The log is to be given these, which come next in it.
        ///
        /// @param held as far as the class is held here
        record Missing(ClassPosition held, long term, List<CommitRecord> records) implements Part {}

        /// What comes next in the log is not kept here any more.
        record NotKept(ConflictClass conflictClass, long logEnd) implements Part {}
    }

    private final String self;
    private final Progress progress;
    private final RecentWriteSets recent;
    private final MasteredClasses master;

    public Remainder(
            String self, Progress progress, RecentWriteSets recent, MasteredClasses master) {
        this.self = self;
        this.progress = progress;
        this.recent = recent;
        this.master = master;
    }

    /// Nothing when nobody needs what is held here. The replica takes nothing in any more.
    ///
    /// @param reply the topology in force, and where the log ends
    public List<Part> of(TopologyReply reply) {
        Topology now = reply.topology();
        return now.contains(self)
                ? progress.positions().stream()
                        .flatMap(held -> part(held, now, reply.ends()).stream())
                        .toList()
                : List.of();
    }

    private Optional<Part> part(ClassPosition held, Topology now, List<ClassPosition> ends) {
        ConflictClass c = held.conflictClass();
        if (master.holds(c)) {
            return master.isAllLogged(c) ? Optional.empty() : Optional.of(new Part.BeingLogged(c));
        }
        long logged =
                ends.stream()
                        .filter(end -> end.conflictClass().equals(c))
                        .mapToLong(ClassPosition::commitNumber)
                        .max()
                        .orElse(0);
        if (logged >= held.commitNumber()) {
            return Optional.empty();
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
        boolean kept = !missing.isEmpty() && missing.getFirst().commitNumber() == logged + 1;
        return Optional.of(
                kept
                        ? new Part.Missing(held, now.mastership(c).term(), missing)
                        : new Part.NotKept(c, logged));
    }
}
