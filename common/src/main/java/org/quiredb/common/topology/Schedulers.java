package org.quiredb.common.topology;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// The schedulers that work side by side. Immutable; every change is the next epoch. The record
/// lives in the backend beside the topology and changes there only, by compare-and-set; the two
/// count their epochs apart.
///
/// Invariant: one member of a name.
public record Schedulers(long epoch, List<SchedulerMember> members) {
    public static final Schedulers NOBODY = new Schedulers(0, List.of());

    public Schedulers {
        members = List.copyOf(members);
    }

    public Optional<SchedulerMember> member(String name) {
        return members.stream().filter(m -> m.name().equals(name)).findFirst();
    }

    /// Whether this life of a scheduler counts.
    public boolean has(String name, long life) {
        return members.stream().anyMatch(m -> m.name().equals(name) && m.life() == life);
    }

    /// With a new life, instead of an older one of its name.
    public Schedulers entered(String name, long life, String host, int port) {
        List<SchedulerMember> next = new ArrayList<>(members);
        next.removeIf(m -> m.name().equals(name));
        next.add(new SchedulerMember(name, life, epoch + 1, host, port));
        return new Schedulers(epoch + 1, next);
    }

    public Schedulers without(Collection<SchedulerMember> lost) {
        List<SchedulerMember> next = new ArrayList<>(members);
        next.removeAll(new HashSet<>(lost));
        return new Schedulers(epoch + 1, next);
    }

    public void encode(ByteWriter writer) {
        writer.varint(epoch).list(members, (w, m) -> m.encode(w));
    }

    public static Schedulers decode(ByteReader reader) {
        return new Schedulers(reader.varint(), reader.list(SchedulerMember::decode));
    }
}
