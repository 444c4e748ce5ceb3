package org.quiredb.logger.set;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.logger.log.LogOutcome;

/// What several backends made of the same work. How far each has applied it may differ: then the
/// lowest counts, which all have.
final class SetOutcome {
    private SetOutcome() {}

    /// @return empty when they decided differently
    static Optional<List<LogOutcome>> of(Collection<List<LogOutcome>> backends) {
        List<LogOutcome> agreed = new ArrayList<>();
        int pieces = backends.iterator().next().size();
        for (int i = 0; i < pieces; i++) {
            int piece = i;
            List<LogOutcome> outcomes =
                    backends.stream().map(each -> each.get(piece)).distinct().toList();
            if (outcomes.size() == 1) {
                agreed.add(outcomes.getFirst());
            } else if (outcomes.stream().allMatch(LogOutcome.Marks.class::isInstance)) {
                agreed.add(lowest(outcomes.stream().map(LogOutcome.Marks.class::cast).toList()));
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(agreed);
    }

    private static LogOutcome lowest(List<LogOutcome.Marks> marks) {
        return new LogOutcome.Marks(
                marks.getFirst().applied().stream()
                        .map(ClassPosition::conflictClass)
                        .map(each ->
                                new ClassPosition(
                                        each,
                                        marks.stream()
                                                .mapToLong(mark -> applied(mark, each))
                                                .min()
                                                .orElse(0)))
                        .toList());
    }

    private static long applied(LogOutcome.Marks marks, ConflictClass conflictClass) {
        return marks.applied().stream()
                .filter(position -> position.conflictClass().equals(conflictClass))
                .mapToLong(ClassPosition::commitNumber)
                .findFirst()
                .orElse(0);
    }
}
