package org.quiredb.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Revival;
import org.quiredb.common.topology.Revival.Sight;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.replica.intake.Intake;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.transfer.TransferSource;
import org.quiredb.replica.transfer.TransferTarget;

/// How a replica begins: it loads what the backend has, or joins those that serve. The order of the
/// steps is modelled after `Beginning`, `Life` and `Joiner`; the transfer itself is real, but taken
/// at one moment.
///
/// Threads: one.
final class Beginning {
    private static final long PAUSE_MICROS = 20_000;
    private static final long JOIN_MILLIS = 60_000;
    private static final long PATIENCE_MILLIS = 15_000;

    private final ReplicaNode node;
    private final Tier tier;
    private final Revival revival;

    Beginning(ReplicaNode node, boolean wishesToLead) {
        this.node = node;
        this.tier = node.tier();
        revival = new Revival(node.name, wishesToLead ? 0 : PATIENCE_MILLIS, tier.aheadOfLog());
    }

    void run() {
        inForce(this::look);
    }

    private void topology(Consumer<Topology> then) {
        inForce(reply -> then.accept(reply.topology()));
    }

    private void inForce(Consumer<LoggerReply.TopologyReply> then) {
        node.askLogger(
                new LoggerRequest.ReadTopology(),
                5_000,
                answer -> {
                    if (answer.orElse(null) instanceof LoggerReply.TopologyReply reply) {
                        then.accept(reply);
                    } else {
                        node.after(PAUSE_MICROS, () -> inForce(then));
                    }
                });
    }

    private void look(LoggerReply.TopologyReply reply) {
        List<String> others = new ArrayList<>(reply.topology().names());
        others.remove(node.name);
        Map<String, Sight> sights = new TreeMap<>();
        if (others.isEmpty()) {
            decide(reply, sights);
        }
        for (String other : others) {
            sight(
                    other,
                    sight -> {
                        sights.put(other, sight);
                        if (sights.size() == others.size()) {
                            decide(reply, sights);
                        }
                    });
        }
    }

    /// The port of a process that is dead refuses, unless it is cut off.
    private void sight(String other, Consumer<Sight> then) {
        ReplicaNode to = tier.replica(other);
        Calls.<Boolean, Progress.State>call(
                node,
                to,
                true,
                500,
                (asked, reply) -> reply.accept(to.progress().state()),
                answer ->
                        then.accept(
                                answer.map(Beginning::sight)
                                        .orElse(
                                                node.reaches(to) && !to.up()
                                                        ? Sight.ENDED
                                                        : Sight.SILENT)));
    }

    private static Sight sight(Progress.State state) {
        return switch (state) {
            case WAITING -> Sight.ENDED;
            case SERVING -> Sight.SERVES;
            case LOADING, JOINING, STOPPED -> Sight.HOLDS;
        };
    }

    private void decide(LoggerReply.TopologyReply reply, Map<String, Sight> sights) {
        Topology now = reply.topology();
        switch (revival.step(now, sights, reply.quietMillis(), node.world.nowMillis())) {
            case Revival.Step.Load() -> claim(now);
            case Revival.Step.Join() -> join(now);
            case Revival.Step.Wait(String reason) -> node.after(PAUSE_MICROS, this::run);
        }
    }

    private void claim(Topology before) {
        Topology first = before.begunBy(node.self());
        node.note("claims epoch " + first.epoch());
        node.progress().enter(Progress.State.LOADING);
        node.askLogger(
                new LoggerRequest.ChangeTopology(first, List.of()),
                5_000,
                answer -> {
                    if (answer.orElse(null) instanceof LoggerReply.TopologyReply reply
                            && reply.topology().equals(first)) {
                        node.progress().enter(first);
                        node.mastery().inForce(first);
                        tier.begun(node.name);
                        load(first);
                    } else if (answer.isPresent()) {
                        node.progress().enter(Progress.State.WAITING);
                        run();
                    } else {
                        node.end("nobody knows whether the epoch is its own");
                    }
                });
    }

    private void load(Topology first) {
        Calls.<Boolean, LoggerNode.Snapshot>call(
                node,
                tier.logger(),
                true,
                300_000,
                (request, reply) -> tier.logger().snapshot(reply),
                answer -> {
                    if (answer.isEmpty()) {
                        node.end("no snapshot");
                        return;
                    }
                    Deque<ConflictClass> classes = new ArrayDeque<>();
                    for (int i = 0; i < tier.classes(); i++) {
                        classes.add(Content.conflictClass(i));
                    }
                    open(first, answer.get(), classes, new ArrayList<>());
                });
    }

    private void open(
            Topology first,
            LoggerNode.Snapshot snapshot,
            Deque<ConflictClass> classes,
            List<ClassPosition> opened) {
        if (classes.isEmpty()) {
            node.load(first, snapshot, opened);
            return;
        }
        ConflictClass next = classes.removeFirst();
        node.askLogger(
                new LoggerRequest.OpenClass(next, first.epoch()),
                300_000,
                answer -> {
                    if (answer.orElse(null) instanceof LoggerReply.Position(long last, int _)) {
                        opened.add(new ClassPosition(next, last));
                        open(first, snapshot, classes, opened);
                    } else {
                        node.end("cannot open " + next + ": " + answer);
                    }
                });
    }

    private void join(Topology began) {
        node.progress().enter(began);
        node.progress().enter(Progress.State.JOINING);
        tier.group().join(node);
        seen(began, new ArrayDeque<>(began.masters()), new ArrayList<>(), deadline());
    }

    private long deadline() {
        return node.world.nowMillis() + JOIN_MILLIS;
    }

    /// How far each master is at a moment at which its view of the group contains this replica.
    private void seen(
            Topology began, Deque<String> masters, List<ClassPosition> from, long deadline) {
        if (masters.isEmpty()) {
            transfer(began, from, deadline);
            return;
        }
        if (node.world.nowMillis() > deadline) {
            node.end("a master does not see it");
            return;
        }
        ReplicaNode master = tier.replica(masters.getFirst());
        Calls.<Boolean, List<ClassPosition>>call(
                node,
                master,
                true,
                5_000,
                (request, reply) -> {
                    boolean seen =
                            master.serves() && tier.group().view(master.name).contains(node.name);
                    reply.accept(seen ? master.progress().positions() : List.of());
                },
                answer -> {
                    if (answer.isEmpty()) {
                        node.end("a master is lost while it joins");
                    } else if (answer.get().isEmpty()) {
                        node.after(PAUSE_MICROS, () -> seen(began, masters, from, deadline));
                    } else {
                        masters.removeFirst();
                        answer.get().stream()
                                .filter(p ->
                                        began.mastership(p.conflictClass())
                                                .master()
                                                .equals(master.name))
                                .forEach(from::add);
                        seen(began, masters, from, deadline);
                    }
                });
    }

    private void transfer(Topology began, List<ClassPosition> from, long deadline) {
        ReplicaNode support = tier.replica(began.leader().master());
        TransferTarget target =
                new TransferTarget(
                        node.store(),
                        node.engine(),
                        node.progress(),
                        from,
                        node.store().checkpoints().restore(),
                        Long.MAX_VALUE,
                        node::open);
        node.note("is to have all from " + from);
        Calls.<ReplicaRequest.Transfer, List<byte[]>>call(
                node,
                support,
                target.request(),
                60_000,
                (asked, reply) -> send(support, asked, node.world.nowMillis() + 1_000, reply),
                answer -> {
                    if (answer.isEmpty() || answer.get().isEmpty()) {
                        node.end("its support is lost, or lacks something");
                    } else {
                        install(target, new ArrayDeque<>(answer.get()), began, deadline);
                    }
                });
    }

    /// Page by page, while the stream goes on.
    private void install(
            TransferTarget target, Deque<byte[]> parts, Topology began, long deadline) {
        if (parts.isEmpty()) {
            target.finish();
            enter(began, deadline);
            return;
        }
        target.part(parts.removeFirst());
        node.after(node.world.between(10, 2_000), () -> install(target, parts, began, deadline));
    }

    private static void send(
            ReplicaNode support,
            ReplicaRequest.Transfer asked,
            long deadline,
            Consumer<List<byte[]>> reply) {
        boolean received =
                asked.positions().stream()
                        .allMatch(p ->
                                support.progress().received(p.conflictClass()) >= p.commitNumber());
        if (support.serves() && received) {
            List<byte[]> parts = new ArrayList<>();
            new TransferSource(support.store(), support.engine(), support.progress(), 0)
                    .send(asked, System.nanoTime(), parts::add);
            reply.accept(parts);
        } else if (support.world.nowMillis() > deadline) {
            reply.accept(List.of());
        } else {
            support.after(2_000, () -> send(support, asked, deadline, reply));
        }
    }

    private void enter(Topology began, long deadline) {
        topology(now -> {
            if (now.contains(node.name)) {
                node.progress().enter(now);
                node.keep(node.progress().topology());
                node.learnSchedulers(() -> {
                    node.progress().enter(Progress.State.SERVING);
                    node.note("serves");
                    tier.met("join");
                });
            } else if (now.lastLoss() > began.epoch() || node.world.nowMillis() > deadline) {
                node.end("a master was lost while it joined");
            } else {
                node.arrive(new Intake.Arrival.Changed(now));
                Set<String> others = new TreeSet<>(now.masters());
                others.remove(now.leader().master());
                Deque<String> leaderLast = new ArrayDeque<>(others);
                leaderLast.add(now.leader().master());
                ask(began, now, leaderLast, deadline);
            }
        });
    }

    private void ask(Topology began, Topology now, Deque<String> masters, long deadline) {
        if (masters.isEmpty()) {
            enter(began, deadline);
            return;
        }
        ReplicaNode master = tier.replica(masters.removeFirst());
        Member self = node.self();
        Calls.<Long, Boolean>call(
                node,
                master,
                now.epoch(),
                60_000,
                (epoch, reply) -> enterInSync(master, self, epoch, reply),
                answer -> {
                    if (answer.orElse(false)) {
                        ask(began, now, masters, deadline);
                    } else {
                        node.after(PAUSE_MICROS, () -> enter(began, deadline));
                    }
                });
    }

    private static void enterInSync(
            ReplicaNode master, Member member, long epoch, Consumer<Boolean> reply) {
        if (!master.serves()) {
            reply.accept(false);
            return;
        }
        master.mastery()
                .enterInSync(
                        member.name(),
                        epoch,
                        holds -> {
                            if (!holds
                                    || !master.progress()
                                            .topology()
                                            .masters()
                                            .contains(master.name)) {
                                reply.accept(false);
                            } else if (master.progress().topology().leads(master.name)) {
                                master.admit(member, epoch, reply);
                            } else {
                                reply.accept(true);
                            }
                        });
    }
}
