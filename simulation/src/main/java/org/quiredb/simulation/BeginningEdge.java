package org.quiredb.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.master.load.ColdLoad;
import org.quiredb.master.role.Admission;
import org.quiredb.master.role.Revival;
import org.quiredb.master.role.Revival.Sight;
import org.quiredb.master.role.Role;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.transfer.JoinedInVainException;
import org.quiredb.replica.transfer.Joining;
import org.quiredb.replica.transfer.TransferSource;
import org.quiredb.replica.transfer.TransferTarget;

/// Carries out how a replica begins: the real `Revival`, `Joining` and `Admission` say what, a real
/// `ColdLoad` loads; questions and answers are modelled after `TierView`, `ReplicaLife` and
/// `Joiner`. The transfer is real, but taken at one moment.
///
/// Threads: one.
final class BeginningEdge {
    private static final long PAUSE_MICROS = 20_000;
    private static final long SILENCE_MILLIS = 10_000;
    private static final long HELD_MILLIS = 30_000;

    /// What a replica answers: parts, then the end.
    private record Answer(List<byte[]> parts, ReplicaReply end) {}

    private final ReplicaNode node;
    private final Tier tier;
    private final Revival revival;

    BeginningEdge(ReplicaNode node, long patienceMillis) {
        this.node = node;
        this.tier = node.tier();
        revival = new Revival(node.self(), node.progress(), patienceMillis, tier.aheadOfLog());
    }

    void run() {
        inForce(this::look);
    }

    private void inForce(Consumer<LoggerReply.TopologyReply> then) {
        node.askUntilAnswered(
                new LoggerRequest.ReadTopology(), LoggerReply.TopologyReply.class, then);
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
                    tier.replica(other),
                    sight -> {
                        sights.put(other, sight);
                        if (sights.size() == others.size()) {
                            decide(reply, sights);
                        }
                    });
        }
    }

    /// The port of a process that is dead refuses, unless it is cut off.
    private void sight(ReplicaNode other, Consumer<Sight> then) {
        ask(
                other,
                new ReplicaRequest.Status(VersionVector.EMPTY),
                500,
                answer ->
                        then.accept(
                                answer.map(a -> Sight.of(state(a)))
                                        .orElse(
                                                node.reaches(other) && !other.up()
                                                        ? Sight.ENDED
                                                        : Sight.SILENT)));
    }

    private static String state(Answer answer) {
        return ((ReplicaReply.StatusReply) answer.end).status().state();
    }

    private void decide(LoggerReply.TopologyReply reply, Map<String, Sight> sights) {
        switch (revival.step(reply, sights, node.world.nowMillis())) {
            case Revival.Step.Wait(String _) -> node.after(PAUSE_MICROS, this::run);
            case Revival.Step.Claim(Topology first) -> claim(first);
            case Revival.Step.Join(Topology began) -> join(began);
        }
    }

    private void claim(Topology first) {
        node.note("claims epoch " + first.epoch());
        node.askLogger(
                new LoggerRequest.ChangeTopology(first, List.of()),
                5_000,
                answer -> {
                    if (!(answer.orElse(null) instanceof LoggerReply.TopologyReply reply)) {
                        node.end("nobody knows whether the epoch is its own");
                    } else if (revival.claimed(first, reply.topology())) {
                        tier.begun(node.name);
                        load(first);
                    } else {
                        run();
                    }
                });
    }

    private void load(Topology first) {
        node.commits().inForce(first);
        Calls.<Integer, List<byte[]>>call(
                node,
                tier.logger(),
                tier.classes(),
                300_000,
                (classes, reply) -> tier.logger().snapshot(classes, reply),
                answer ->
                        answer.ifPresentOrElse(
                                snapshot -> open(first, snapshot, new HashMap<>()),
                                () -> node.end("no snapshot")));
    }

    /// All of them first; `ColdLoad` asks for each when it meets it.
    private void open(Topology first, List<byte[]> snapshot, Map<ConflictClass, Long> opened) {
        if (opened.size() == tier.classes()) {
            load(first, snapshot, opened);
            return;
        }
        ConflictClass next = Content.conflictClass(opened.size());
        node.askLogger(
                new LoggerRequest.OpenClass(next, first.epoch()),
                300_000,
                answer -> {
                    if (answer.orElse(null) instanceof LoggerReply.Position(long last, int _)) {
                        opened.put(next, last);
                        open(first, snapshot, opened);
                    } else {
                        node.end("cannot open " + next + ": " + answer);
                    }
                });
    }

    private void load(Topology first, List<byte[]> snapshot, Map<ConflictClass, Long> opened) {
        try {
            new ColdLoad(
                            node.store(),
                            node.engine(),
                            node.progress(),
                            node.commits().mastery(),
                            c -> Objects.requireNonNull(opened.get(c)))
                    .run(snapshot::forEach);
        } catch (IllegalStateException e) {
            node.end(String.valueOf(e.getMessage()));
            return;
        }
        node.note("loaded " + opened);
        tier.group().join(node);
        node.open(Map.of());
        serve(first, () -> node.commits().mastery().serve(ConflictClass.NONE));
    }

    private void join(Topology began) {
        tier.group().join(node);
        node.progress().enter(Progress.State.JOINING);
        Joining joining =
                new Joining(
                        node.self(),
                        began,
                        List.of(),
                        node.progress(),
                        new TransferTarget(
                                node.store(),
                                node.engine(),
                                node.progress(),
                                node.store().checkpoints().restore(),
                                Long.MAX_VALUE,
                                node::open),
                        node::hasMissed,
                        node::arrive,
                        master -> {});
        carryOut(joining, joining.begin(node.world.nowMillis()));
    }

    private void carryOut(Joining joining, Joining.Step step) {
        switch (step) {
            case Joining.Step.Ask(Member replica, ReplicaRequest request) ->
                    ask(joining, tier.replica(replica.name()), request);
            case Joining.Step.LookUp() ->
                    inForce(reply ->
                            carryOut(
                                    joining,
                                    joining.inForce(reply.topology(), node.world.nowMillis())));
            case Joining.Step.Pause(Joining.Step then) ->
                    node.after(PAUSE_MICROS, () -> carryOut(joining, then));
            case Joining.Step.Joined() ->
                    inForce(reply -> serve(reply.topology(), () -> tier.met("join")));
            case Joining.Step.GiveUp(String reason) -> node.end(reason);
        }
    }

    private void serve(Topology topology, Runnable first) {
        node.progress().enter(topology);
        node.keep(node.progress().topology());
        node.learnSchedulers(() -> {
            first.run();
            node.progress().enter(Progress.State.SERVING);
            node.note("serves");
        });
    }

    private void ask(Joining joining, ReplicaNode replica, ReplicaRequest request) {
        int life = replica.life();
        ask(
                replica,
                request,
                SILENCE_MILLIS,
                answer ->
                        answer.ifPresentOrElse(
                                a -> take(joining, replica, life, new ArrayDeque<>(a.parts), a.end),
                                () -> lost(joining)));
    }

    private void lost(Joining joining) {
        carryOut(joining, joining.lost("no answer", node.world.nowMillis()));
    }

    /// Page by page, while the stream goes on, and the sender lives.
    private void take(
            Joining joining, ReplicaNode from, int life, Deque<byte[]> parts, ReplicaReply end) {
        if (parts.isEmpty()) {
            carryOut(joining, joining.answered(end, node.world.nowMillis()));
            return;
        }
        if (from.life() != life) {
            tier.met("support lost while it sends");
            lost(joining);
            return;
        }
        try {
            joining.part(parts.removeFirst());
        } catch (JoinedInVainException e) {
            node.end(String.valueOf(e.getMessage()));
            return;
        }
        node.after(node.world.between(10, 2_000), () -> take(joining, from, life, parts, end));
    }

    private void ask(
            ReplicaNode replica,
            ReplicaRequest request,
            long timeoutMillis,
            Consumer<Optional<Answer>> then) {
        Calls.<byte[], Answer>call(
                node,
                replica,
                request.encode(),
                timeoutMillis,
                (message, reply) -> answer(replica, ReplicaRequest.decode(message), reply),
                then);
    }

    /// As `ReplicaService`.
    private static void answer(ReplicaNode at, ReplicaRequest request, Consumer<Answer> reply) {
        if (request instanceof ReplicaRequest.Status) {
            end(reply, new ReplicaReply.StatusReply(status(at)));
        } else if (!at.serves()) {
            refuse(reply, at, Reason.NOT_SERVING);
        } else if (request instanceof ReplicaRequest.Transfer transfer) {
            send(at, transfer, at.world.nowMillis() + 1_000, reply);
        } else if (request instanceof ReplicaRequest.EnterInSync(Member member, long epoch)) {
            enterInSync(at, member, epoch, reply);
        } else {
            throw new IllegalStateException("not asked here: " + request);
        }
    }

    private static void end(Consumer<Answer> reply, ReplicaReply end) {
        reply.accept(new Answer(List.of(), end));
    }

    private static void refuse(Consumer<Answer> reply, ReplicaNode at, Reason reason) {
        end(reply, new ReplicaReply.Refused(reason, at.progress().epoch(), reason.toString()));
    }

    private static NodeStatus status(ReplicaNode at) {
        List<NodeStatus.Figure> figures = new ArrayList<>();
        at.tier()
                .group()
                .view(at.name)
                .forEach(member -> figures.add(new NodeStatus.Figure("member." + member, 1)));
        at.progress()
                .positions()
                .forEach(p ->
                        figures.add(
                                new NodeStatus.Figure(
                                        "received." + p.conflictClass(), p.commitNumber())));
        return new NodeStatus(
                at.name,
                "",
                at.progress().state().name().toLowerCase(Locale.ROOT),
                1,
                1,
                at.progress().epoch(),
                List.of(),
                List.of(),
                VersionVector.EMPTY,
                0,
                figures);
    }

    private static void send(
            ReplicaNode support,
            ReplicaRequest.Transfer asked,
            long deadline,
            Consumer<Answer> reply) {
        if (support.progress().awaitReceived(asked.positions(), System.nanoTime() - 1)) {
            List<byte[]> parts = new ArrayList<>();
            new TransferSource(support.store(), support.engine(), support.progress(), 0)
                    .send(asked, System.nanoTime(), parts::add);
            reply.accept(new Answer(parts, new ReplicaReply.Done()));
        } else if (support.world.nowMillis() > deadline) {
            refuse(reply, support, Reason.NOT_RECEIVED);
        } else {
            support.after(2_000, () -> send(support, asked, deadline, reply));
        }
    }

    private static void enterInSync(
            ReplicaNode master, Member member, long epoch, Consumer<Answer> reply) {
        Admission admission =
                new Admission(
                        master.name, master.progress(), master.commits().mastery(), member, epoch);
        boolean sees = master.tier().group().view(master.name).contains(member.name());
        Admission.Step first = admission.begin(sees, HELD_MILLIS, master.world.nowMillis());
        carryOut(master, admission, new Role.Event.Enters(member, epoch), first, reply);
    }

    private static void carryOut(
            ReplicaNode master,
            Admission admission,
            Role.Event.Enters enters,
            Admission.Step step,
            Consumer<Answer> reply) {
        switch (step) {
            case Admission.Step.Answer(ReplicaReply answer) -> end(reply, answer);
            case Admission.Step.Propose() -> {
                master.tell(enters);
                look(master, admission, enters, reply);
            }
            case Admission.Step.AwaitHeld _, Admission.Step.AwaitTopology _ ->
                    master.after(1_000, () -> look(master, admission, enters, reply));
        }
    }

    private static void look(
            ReplicaNode master,
            Admission admission,
            Role.Event.Enters enters,
            Consumer<Answer> reply) {
        carryOut(master, admission, enters, admission.look(master.world.nowMillis()), reply);
    }
}
