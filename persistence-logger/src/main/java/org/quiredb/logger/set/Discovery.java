package org.quiredb.logger.set;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// What a logger that starts makes of the backends that it reaches.
///
/// @param configured names of all
/// @param seen those that answered
record Discovery(List<String> configured, Map<String, Sighting> seen) {
    sealed interface Verdict {
        /// No set exists; these, which are all, are to be found alike and become the first one.
        record Found(List<String> members) implements Verdict {}

        /// These are to be asked under a new generation.
        record Take(Membership next) implements Verdict {}

        /// Without these it cannot be told who went on.
        record Wait(List<String> missing) implements Verdict {}

        /// Every member of the set has been removed from the configuration.
        record Foreign(List<String> members) implements Verdict {}
    }

    Verdict verdict(long owner) {
        List<Membership> held = held();
        if (held.isEmpty()) {
            List<String> missing =
                    configured.stream().filter(name -> !seen.containsKey(name)).toList();
            return missing.isEmpty() ? new Verdict.Found(configured) : new Verdict.Wait(missing);
        }
        Set<String> demanded = new TreeSet<>();
        held.forEach(membership -> demanded.addAll(membership.members()));
        Set<String> named = new TreeSet<>(demanded);
        demanded.retainAll(configured);
        if (demanded.isEmpty()) {
            return new Verdict.Foreign(List.copyOf(named));
        }
        List<String> missing = demanded.stream().filter(name -> !seen.containsKey(name)).toList();
        return missing.isEmpty()
                ? new Verdict.Take(
                        new Membership(highestGeneration() + 1, owner, List.copyOf(demanded)))
                : new Verdict.Wait(missing);
    }

    /// The memberships that may be in force: no log has gone beyond them.
    private List<Membership> held() {
        Version newest =
                seen.values().stream()
                        .map(Sighting::version)
                        .max(Version::compareTo)
                        .orElse(Version.NONE);
        return seen.values().stream()
                .map(Sighting::membership)
                .filter(membership -> !membership.members().isEmpty())
                .filter(membership -> membership.generation() >= newest.generation())
                .toList();
    }

    private long highestGeneration() {
        return seen.values().stream()
                .mapToLong(sighting -> sighting.membership().generation())
                .max()
                .orElse(0);
    }
}
