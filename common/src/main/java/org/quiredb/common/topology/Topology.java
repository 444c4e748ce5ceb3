package org.quiredb.common.topology;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// Who is what. Immutable; every change is the next epoch.
///
/// @param term the epoch in which the present master took over
/// @param master of every class; empty before the first one
/// @param members the in-sync replicas, the master among them
public record Topology(long epoch, long term, String master, List<Member> members) {
    public Topology {
        members = List.copyOf(members);
        String leader = master;
        boolean vacant = leader.isEmpty() && members.isEmpty();
        boolean led = members.stream().anyMatch(m -> m.name().equals(leader));
        if (term > epoch || !(vacant || led)) {
            throw new IllegalArgumentException(
                    "no topology: epoch %d, term %d, master %s of %s"
                            .formatted(epoch, term, master, members));
        }
    }

    /// Nobody, at an epoch that has been used.
    public static Topology vacant(long epoch) {
        return new Topology(epoch, epoch, "", List.of());
    }

    public Optional<Member> member(String name) {
        return members.stream().filter(m -> m.name().equals(name)).findFirst();
    }

    public boolean contains(String name) {
        return member(name).isPresent();
    }

    public List<String> names() {
        return members.stream().map(Member::name).toList();
    }

    /// A master that found nobody else.
    public Topology begunBy(Member first) {
        return new Topology(epoch + 1, epoch + 1, first.name(), List.of(first.asSpare(false)));
    }

    /// Members lost and added under the same master. A spare takes a lost slave's place.
    public Topology changed(Set<String> lost, Collection<Member> added) {
        List<Member> rest = new ArrayList<>(members);
        rest.removeIf(m ->
                lost.contains(m.name()) || added.stream().anyMatch(a -> a.name().equals(m.name())));
        rest.addAll(added);
        return new Topology(epoch + 1, term, master, filled(rest, master));
    }

    /// Another master, with these members. A spare takes the place of the slave that it was.
    public Topology ledBy(String heir, Set<String> survivors) {
        List<Member> rest =
                members.stream()
                        .filter(m -> survivors.contains(m.name()) || m.name().equals(heir))
                        .map(m -> m.name().equals(heir) ? m.asSpare(false) : m)
                        .toList();
        return new Topology(epoch + 1, epoch + 1, heir, filled(rest, heir));
    }

    private List<Member> filled(List<Member> next, String nextMaster) {
        long missing = slaves(members, master) - slaves(next, nextMaster);
        List<Member> filled = new ArrayList<>();
        for (Member member : next) {
            boolean promoted = missing > 0 && member.spare();
            filled.add(promoted ? member.asSpare(false) : member);
            missing -= promoted ? 1 : 0;
        }
        return filled;
    }

    private static long slaves(List<Member> of, String underMaster) {
        return of.stream().filter(m -> !m.spare() && !m.name().equals(underMaster)).count();
    }

    public void encode(ByteWriter writer) {
        writer.varint(epoch).varint(term).string(master).list(members, (w, m) -> m.encode(w));
    }

    public static Topology decode(ByteReader reader) {
        try {
            return new Topology(
                    reader.varint(), reader.varint(), reader.string(), reader.list(Member::decode));
        } catch (IllegalArgumentException e) {
            throw new MangledMessageException(String.valueOf(e.getMessage()));
        }
    }
}
