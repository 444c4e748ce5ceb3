package org.quiredb.logger.set;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// What the owner of a set makes of it after something failed, or when it has just taken it.
///
/// @param inForce the last membership that all its members are known to hold
/// @param attempted the newest one that may have reached some member
/// @param base those that the owner may go on with: none that it has tried to exclude
/// @param seen what the reached ones of the base hold, after every transaction there has ended
record MembershipDecision(
        Membership inForce, Membership attempted, List<String> base, Map<String, Sighting> seen) {
    sealed interface Verdict {
        /// Look again.
        record Wait() implements Verdict {}

        /// Another logger has taken the set.
        record Fenced(long owner) implements Verdict {}

        /// The next transaction runs under this membership, on all its members.
        record GoOn(Membership next) implements Verdict {}
    }

    /// Who holds a membership that lets it in is the last to: it is in force.
    MembershipDecision {
        for (Map.Entry<String, Sighting> entry : seen.entrySet()) {
            if (!inForce.members().contains(entry.getKey())
                    && entry.getValue().membership().is(attempted)) {
                inForce = attempted;
                break;
            }
        }
    }

    /// @param silenceOver whether who is away has been away for too long
    Verdict verdict(boolean silenceOver) {
        for (Sighting sighting : seen.values()) {
            Membership held = sighting.membership();
            if (held.owner() != inForce.owner() && held.generation() > inForce.generation()) {
                return new Verdict.Fenced(held.owner());
            }
        }
        if (members().isEmpty() || (seen.size() < base.size() && !silenceOver)) {
            return new Verdict.Wait();
        }
        return new Verdict.GoOn(next());
    }

    /// Without a backend that was to be let in and was not.
    private Map<String, Sighting> members() {
        return seen.entrySet().stream()
                .filter(entry -> inForce.members().contains(entry.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private Membership next() {
        TreeMap<Version, List<String>> byVersion =
                members().entrySet().stream()
                        .collect(
                                Collectors.groupingBy(
                                        entry -> entry.getValue().version(),
                                        TreeMap::new,
                                        Collectors.mapping(
                                                Map.Entry::getKey, Collectors.toList())));
        List<String> stay = byVersion.lastEntry().getValue();
        for (Membership known : List.of(inForce, attempted)) {
            if (known.members().equals(stay.stream().sorted().toList())
                    && stay.stream().allMatch(holds(known)::apply)) {
                return known;
            }
        }
        return new Membership(attempted.generation() + 1, inForce.owner(), stay);
    }

    private Function<String, Boolean> holds(Membership membership) {
        return name -> {
            Sighting sighting = seen.get(name);
            return sighting != null && sighting.membership().is(membership);
        };
    }
}
