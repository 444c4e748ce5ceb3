package org.quiredb.logger.log;

import java.util.List;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPosition;

/// How a piece of the log's work ended. All but the last three are on disk.
public sealed interface LogOutcome {
    /// @param lastCommitNumber the last commit number in the class's log
    /// @param repeated whether every record offered was there before
    record Stored(long lastCommitNumber, boolean repeated) implements LogOutcome {}

    /// @param topology the one in force now
    /// @param ends the last commit number in each class's log
    record InForce(Topology topology, List<ClassPosition> ends) implements LogOutcome {}

    /// @param record the one in force now
    record SchedulersInForce(Schedulers record) implements LogOutcome {}

    /// How far the first backend has applied each class.
    record Marks(List<ClassPosition> applied) implements LogOutcome {}

    /// @param first these ids and those after it, as many as were asked for, are given to nobody
    ///   else
    record TableIds(int first) implements LogOutcome {}

    /// Refused: the class belongs to this newer epoch.
    record OldEpoch(long epoch) implements LogOutcome {}

    record Refused(String reason) implements LogOutcome {}

    /// The backend does not take what is to be logged, as it is set now.
    record NotTaken(String reason) implements LogOutcome {}
}
