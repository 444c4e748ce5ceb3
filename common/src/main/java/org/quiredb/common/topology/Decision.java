package org.quiredb.common.topology;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;

/// What a replica is to do.
public sealed interface Decision {
    /// Take in what has arrived of these masters' streams of the epoch and nothing after it, then
    /// tell everybody the own standing.
    record CloseStreams(long epoch, Set<String> masters) implements Decision {}

    /// Ask the backend for the topology in force: a member does not answer, and may be none any
    /// more.
    record LookUp() implements Decision {}

    /// Send a member the write sets after these.
    record HandOver(String heir, List<ClassPosition> after) implements Decision {}

    /// As master: let the backend store this topology.
    record Change(Topology next) implements Decision {}

    /// Become master of everything that the lost ones were master of.
    ///
    /// @param ends what is held here of each such class: the log goes no further
    /// @param least what the least advanced survivor holds of each class
    record TakeOver(Topology next, List<ClassPosition> ends, List<ClassPosition> least)
            implements Decision {
        /// Classes of a lost leader's that only the log knows, at the commit before its last: such
        /// a one has begun with a schema change that no survivor has heard of.
        public List<ClassPosition> onlyLogged(List<ClassPosition> logEnds) {
            if (next.leader().term() < next.epoch()) {
                return List.of();
            }
            Set<ConflictClass> known = new HashSet<>(next.classes().keySet());
            ends.forEach(end -> known.add(end.conflictClass()));
            return logEnds.stream()
                    .filter(logged -> logged.commitNumber() > 0)
                    .filter(logged -> !known.contains(logged.conflictClass()))
                    .map(logged ->
                            new ClassPosition(logged.conflictClass(), logged.commitNumber() - 1))
                    .toList();
        }
    }

    /// The tier goes on without this replica: begin anew.
    record Leave(String reason) implements Decision {}
}
