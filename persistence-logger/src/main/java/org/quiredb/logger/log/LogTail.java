package org.quiredb.logger.log;

import java.util.List;
import org.quiredb.common.writeset.CommitRecord;

/// The end of one class's log: the epoch that may write, which is its master's term, and the last
/// commit number stored.
///
/// @param opened the epoch that the class was opened for last, 0 while no master has opened it
/// @param inForce the term of the class's master in the topology
public record LogTail(long opened, long inForce, long lastCommitNumber) {
    /// What is to be done with records that a master offers.
    public sealed interface Verdict {
        /// The fresh ones are stored; the repeated ones must be the same as those in the log.
        record Accepted(List<CommitRecord> repeated, List<CommitRecord> fresh) implements Verdict {}

        record OldEpoch(long epoch) implements Verdict {}

        record Refused(String reason) implements Verdict {}
    }

    /// The epoch that may write.
    public long epoch() {
        return Math.max(opened, inForce);
    }

    /// Whether a master of this epoch may take the class over.
    public boolean opensFor(long newEpoch) {
        return newEpoch > opened && newEpoch >= inForce;
    }

    /// Whether the master of this epoch, which the topology names, has taken the class over before:
    /// it lost the answer.
    public boolean openedBefore(long masterEpoch) {
        return masterEpoch == opened && masterEpoch == inForce;
    }

    /// Judges records offered by a master of the given epoch. A master that lost an answer offers
    /// records again, so those that the log has are no error.
    public Verdict offer(long masterEpoch, List<CommitRecord> records) {
        if (masterEpoch < epoch()) {
            return new Verdict.OldEpoch(epoch());
        }
        if (masterEpoch > epoch() || opened == 0) {
            return new Verdict.Refused(
                    "epoch "
                            + masterEpoch
                            + " has not opened the class; its log is at epoch "
                            + epoch());
        }
        for (int i = 1; i < records.size(); i++) {
            if (records.get(i).commitNumber() != records.get(i - 1).commitNumber() + 1) {
                return new Verdict.Refused(
                        "commit "
                                + records.get(i).commitNumber()
                                + " is offered right after "
                                + records.get(i - 1).commitNumber());
            }
        }
        if (!records.isEmpty() && records.getFirst().commitNumber() > lastCommitNumber + 1) {
            return new Verdict.Refused(
                    "commit "
                            + records.getFirst().commitNumber()
                            + " is offered, but the log ends at "
                            + lastCommitNumber);
        }
        List<CommitRecord> repeated =
                records.stream().filter(r -> r.commitNumber() <= lastCommitNumber).toList();
        return new Verdict.Accepted(
                repeated, List.copyOf(records.subList(repeated.size(), records.size())));
    }
}
