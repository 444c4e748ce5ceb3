package org.quiredb.common.topology;

import java.util.ArrayList;
import java.util.List;
import org.quiredb.common.message.ClassPosition;

/// What a replica is to do.
public sealed interface Decision {
    /// Take in what has arrived of the epoch's stream and nothing after it, then tell everybody the
    /// own standing.
    record CloseStream(long epoch) implements Decision {}

    /// Ask the backend for the topology in force: a member does not answer, and may be none any
    /// more.
    record LookUp() implements Decision {}

    /// Send a member the write sets after these.
    record HandOver(String heir, List<ClassPosition> after) implements Decision {}

    /// As master: let the backend store this topology.
    record Change(Topology next) implements Decision {}

    /// Become master.
    ///
    /// @param ends what is held here of each class: the log goes no further
    /// @param least what the least advanced survivor holds of each class
    record TakeOver(Topology next, List<ClassPosition> ends, List<ClassPosition> least)
            implements Decision {
        /// The ends, with the classes too that only the log knows: such a one can have begun with a
        /// schema change, which no survivor has heard of.
        public List<ClassPosition> endsAmong(List<ClassPosition> logEnds) {
            List<ClassPosition> all = new ArrayList<>(ends);
            for (ClassPosition logged : logEnds) {
                boolean known =
                        ends.stream()
                                .anyMatch(e -> e.conflictClass().equals(logged.conflictClass()));
                if (!known && logged.commitNumber() > 0) {
                    all.add(new ClassPosition(logged.conflictClass(), logged.commitNumber() - 1));
                }
            }
            return all;
        }
    }

    /// The tier goes on without this replica: begin anew.
    record Leave(String reason) implements Decision {}
}
