package org.quiredb.master.role;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Standing;
import org.quiredb.master.role.Role.Event;

/// What a role is yet to hear of, in order: pure. It takes nothing while it asks the backend, for
/// as long as that is away; meanwhile the others tell their standings again and again, of which the
/// newest counts.
///
/// Invariant: it holds no more than {@link #MOST}. Threads: one at a time, its owner's.
public final class RoleEvents {
    static final int MOST = 4096;

    private final Deque<Event> events = new ArrayDeque<>();
    private boolean begun;

    /// From now on it decides, and each view of the group counts. Before that the newest does: who
    /// was missed and is back is not lost.
    public void begin() {
        begun = true;
    }

    /// @return false when more happens than it can follow
    public boolean add(Event event) {
        events.removeIf(earlier -> replaces(event, earlier));
        return events.size() < MOST && events.add(event);
    }

    private boolean replaces(Event event, Event earlier) {
        return switch (event) {
            case Event.Present _ -> !begun && earlier instanceof Event.Present;
            case Event.Stands(Standing now) ->
                    earlier instanceof Event.Stands(Standing before)
                            && before.replica().equals(now.replica())
                            && before.epoch() <= now.epoch();
            case Event.Enters(Member member, long epoch) ->
                    earlier instanceof Event.Enters(Member before, long ofEpoch)
                            && before.name().equals(member.name())
                            && ofEpoch <= epoch;
            case Event.Changed _, Event.HandsOn _, Event.Tick _ -> false;
        };
    }

    public boolean isEmpty() {
        return events.isEmpty();
    }

    /// Null when there is nothing.
    public @Nullable Event next() {
        return events.poll();
    }
}
