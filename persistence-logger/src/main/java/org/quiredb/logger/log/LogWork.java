package org.quiredb.logger.log;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;

/// One thing to be done to a class's log, inside the writer's database transaction.
public sealed interface LogWork {
    LogOutcome run(LogTables log) throws SQLException;

    record Open(ConflictClass conflictClass, long epoch) implements LogWork {
        @Override
        public LogOutcome run(LogTables log) throws SQLException {
            LogTail tail = log.lockTail(conflictClass);
            if (tail.openedBefore(epoch)) {
                return new LogOutcome.Stored(tail.lastCommitNumber(), true);
            }
            if (!tail.opensFor(epoch)) {
                return new LogOutcome.OldEpoch(tail.epoch());
            }
            log.storeEpoch(conflictClass, epoch);
            return new LogOutcome.Stored(tail.lastCommitNumber(), false);
        }
    }

    record Append(ConflictClass conflictClass, long epoch, List<CommitRecord> records)
            implements LogWork {
        @Override
        public LogOutcome run(LogTables log) throws SQLException {
            LogTail tail = log.lockTail(conflictClass);
            return switch (tail.offer(epoch, records)) {
                case LogTail.Verdict.OldEpoch(long newer) -> new LogOutcome.OldEpoch(newer);
                case LogTail.Verdict.Refused(String reason) -> new LogOutcome.Refused(reason);
                case LogTail.Verdict.Accepted(
                                List<CommitRecord> repeated,
                                List<CommitRecord> fresh) ->
                        store(log, tail, repeated, fresh);
            };
        }

        private LogOutcome store(
                LogTables log, LogTail tail, List<CommitRecord> repeated, List<CommitRecord> fresh)
                throws SQLException {
            for (CommitRecord record : repeated) {
                if (!log.sameTransaction(conflictClass, record)) {
                    return new LogOutcome.Refused(
                            "the log holds another transaction as commit " + record.commitNumber());
                }
            }
            if (!fresh.isEmpty()) {
                log.insert(conflictClass, epoch, fresh);
            }
            return new LogOutcome.Stored(tail.lastCommitNumber() + fresh.size(), fresh.isEmpty());
        }
    }

    /// Reads what is applied. While it runs no other logger becomes the active one.
    record ReadApplied() implements LogWork {
        @Override
        public LogOutcome run(LogTables log) throws SQLException {
            return new LogOutcome.Marks(log.applied());
        }
    }

    /// Puts the next topology in force, if the present one is of the epoch before.
    ///
    /// @param ends a new master's: what the log has beyond them no survivor has heard of. Of that a
    ///   schema change stays, which may be under way this moment
    record ChangeTopology(Topology next, List<ClassPosition> ends) implements LogWork {
        @Override
        public LogOutcome run(LogTables log) throws SQLException {
            Topology now = log.lockTopology();
            if (now.epoch() + 1 == next.epoch()) {
                for (ClassPosition end : ends) {
                    long applied = log.applied(end.conflictClass());
                    if (applied > kept(log, end)) {
                        return new LogOutcome.Refused(
                                "the backend has applied commit %d of %s and the heir ends at %d"
                                        .formatted(
                                                applied, end.conflictClass(), end.commitNumber()));
                    }
                }
                for (ClassPosition end : ends) {
                    log.cutOff(end.conflictClass(), kept(log, end));
                }
                log.store(next);
                now = next;
            }
            return new LogOutcome.InForce(now, ofThisTier(log));
        }

        /// Without the classes that were left before the tier was begun, as others were configured
        /// by then: no survivor has heard of such a one either, but it is none that a lost leader
        /// has begun. That it would have opened in its own term, and whatever is held was opened
        /// since the tier was begun, and no later than that.
        private List<ClassPosition> ofThisTier(LogTables log) throws SQLException {
            Set<ConflictClass> known = new HashSet<>(next.classes().keySet());
            long begun = Long.MAX_VALUE;
            for (ClassPosition end : ends) {
                known.add(end.conflictClass());
                begun = Math.min(begun, log.lockTail(end.conflictClass()).opened());
            }
            List<ClassPosition> all = log.ends();
            if (ends.isEmpty()) {
                return all;
            }
            List<ClassPosition> ofThis = new ArrayList<>();
            for (ClassPosition end : all) {
                ConflictClass one = end.conflictClass();
                if (known.contains(one) || log.lockTail(one).opened() >= begun) {
                    ofThis.add(end);
                }
            }
            return ofThis;
        }

        /// A schema change is alone beyond what is stable: nothing is committed while it runs.
        private static long kept(LogTables log, ClassPosition end) throws SQLException {
            long next = end.commitNumber() + 1;
            return log.read(end.conflictClass(), next, next).stream()
                    .filter(CommitRecord::changesSchema)
                    .mapToLong(CommitRecord::commitNumber)
                    .findFirst()
                    .orElse(end.commitNumber());
        }
    }

    /// Puts the next record of the schedulers in force, if the present one is of the epoch before.
    record ChangeSchedulers(Schedulers next) implements LogWork {
        @Override
        public LogOutcome run(LogTables log) throws SQLException {
            Schedulers now = log.lockSchedulers();
            if (now.epoch() + 1 == next.epoch()) {
                log.store(next);
                now = next;
            }
            return new LogOutcome.SchedulersInForce(now);
        }
    }

    /// Gives a class's master ids for new tables. The topology's lock keeps every other one out.
    ///
    /// @param least what the master knows to be free
    record TakeTableIds(ConflictClass conflictClass, long epoch, int least, int count)
            implements LogWork {
        TakeTableIds and(int more) {
            return new TakeTableIds(conflictClass, epoch, least, count + more);
        }

        @Override
        public LogOutcome run(LogTables log) throws SQLException {
            LogTail tail = log.lockTail(conflictClass);
            if (tail.epoch() != epoch) {
                return new LogOutcome.OldEpoch(tail.epoch());
            }
            int next = log.nextTableId();
            int first = Math.max(next, Math.max(least, 1));
            if (first + count != next) { // DROP TABLE needs none, and no flush of the disk
                log.storeNextTableId(first + count);
            }
            return new LogOutcome.TableIds(first);
        }
    }

    /// Gives ids for all tables to one who loads them anew. None is given twice: a vector that
    /// outlives the replicas never names a table by an id that is another's now.
    record TakeTableIdsAnew(int count) implements LogWork {
        @Override
        public LogOutcome run(LogTables log) throws SQLException {
            int first = Math.max(log.nextTableId(), 1);
            log.storeNextTableId(first + count);
            return new LogOutcome.TableIds(first);
        }
    }

    /// Takes the last record back: a schema change that the backend refused.
    record TakeBack(ConflictClass conflictClass, long epoch, long commitNumber) implements LogWork {
        @Override
        public LogOutcome run(LogTables log) throws SQLException {
            LogTail tail = log.lockTail(conflictClass);
            if (tail.epoch() != epoch) {
                return new LogOutcome.OldEpoch(tail.epoch());
            }
            if (tail.lastCommitNumber() != commitNumber) {
                return new LogOutcome.Refused(
                        "commit " + commitNumber + " is not the last one logged");
            }
            log.delete(conflictClass, commitNumber);
            return new LogOutcome.Stored(commitNumber - 1, false);
        }
    }
}
