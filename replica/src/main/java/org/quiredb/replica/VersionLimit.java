package org.quiredb.replica;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.quiredb.common.version.VersionVector;

/// Whose versions go when all of them need more memory than they may: those of the oldest tags.
///
/// A replica does not know which tags are in use, only the lowest. So it remembers what it had
/// received at moments of the past, and goes from one to the next, oldest first, until the rest
/// fits: a tag of before such a moment is then no longer readable here.
///
/// Threads: one, the sweep's.
final class VersionLimit {
    static final int MAXIMUM_MOMENTS = 64;

    private final List<VersionVector> moments = new ArrayList<>();

    /// The replica has received this much by now. Of too many moments every other one is forgotten.
    void remember(VersionVector received) {
        if (!moments.isEmpty() && moments.getLast().covers(received)) {
            return;
        }
        moments.add(received);
        if (moments.size() > MAXIMUM_MOMENTS) {
            for (int i = moments.size() - 2; i > 0; i -= 2) {
                moments.remove(i);
            }
        }
    }

    /// The oldest moment that the low watermark has not reached; empty when there is none.
    Optional<VersionVector> next(VersionVector watermark) {
        while (!moments.isEmpty()) {
            VersionVector oldest = moments.removeFirst();
            if (!watermark.covers(oldest)) {
                return Optional.of(oldest);
            }
        }
        return Optional.empty();
    }
}
