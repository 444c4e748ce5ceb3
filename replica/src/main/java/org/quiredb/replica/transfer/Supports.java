package org.quiredb.replica.transfer;

import java.util.Comparator;
import java.util.List;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;

/// Whom a joiner asks for pages: pure.
final class Supports {
    private Supports() {}

    /// Every other member, those first that have least to do: who is master of nothing before
    /// masters, the leader last; spares before slaves; else by the topology.
    static List<Member> of(Topology topology, String joiner) {
        return topology.members().stream()
                .filter(m -> !m.name().equals(joiner))
                .sorted(
                        Comparator.<Member, Boolean>comparing(m -> topology.leads(m.name()))
                                .thenComparing(m -> topology.masters().contains(m.name()))
                                .thenComparing(m -> !m.spare()))
                .toList();
    }
}
