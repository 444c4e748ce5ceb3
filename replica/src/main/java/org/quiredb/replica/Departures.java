package org.quiredb.replica;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Who has left a replica's view of the group since it joined, be it back or not: what was sent in
/// between, either way, did not arrive.
///
/// Threads: any; views come one after the other.
public final class Departures {
    private final Set<String> missed = ConcurrentHashMap.newKeySet();
    private Collection<String> before = List.of();

    public void view(Collection<String> members) {
        before.stream().filter(name -> !members.contains(name)).forEach(missed::add);
        before = List.copyOf(members);
    }

    public boolean hasMissed(String member) {
        return missed.contains(member);
    }
}
