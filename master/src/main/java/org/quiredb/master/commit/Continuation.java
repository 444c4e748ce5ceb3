package org.quiredb.master.commit;

import java.util.List;
import java.util.Optional;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.replica.intake.RecentWriteSets;

/// How a class that is taken over goes on here.
///
/// @param end the last commit that is held here
/// @param logEnd the last commit in the log, of those
/// @param unlogged what is to be logged again
/// @param left a schema change that the log has beyond the end
public record Continuation(
        ClassPosition end, long logEnd, List<WriteSet> unlogged, Optional<ClassPosition> left) {
    /// @param logEnds where the log of each class ends
    /// @throws IllegalStateException when what is kept does not reach from the log to the end
    public static Continuation of(
            ClassPosition end, List<ClassPosition> logEnds, RecentWriteSets recent) {
        long logged =
                logEnds.stream()
                        .filter(p -> p.conflictClass().equals(end.conflictClass()))
                        .mapToLong(ClassPosition::commitNumber)
                        .sum();
        long logEnd = Math.min(logged, end.commitNumber());
        List<WriteSet> unlogged =
                recent.after(List.of(new ClassPosition(end.conflictClass(), logEnd))).stream()
                        .map(WriteSet::decode)
                        .toList();
        if (logged > end.commitNumber() + 1 || logEnd + unlogged.size() != end.commitNumber()) {
            throw new IllegalStateException(
                    "%s ends at %d in the log and at %d here, of which %d are kept"
                            .formatted(
                                    end.conflictClass(),
                                    logged,
                                    end.commitNumber(),
                                    unlogged.size()));
        }
        return new Continuation(
                end,
                logEnd,
                unlogged,
                logged > logEnd
                        ? Optional.of(new ClassPosition(end.conflictClass(), logged))
                        : Optional.empty());
    }
}
