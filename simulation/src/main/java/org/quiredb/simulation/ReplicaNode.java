package org.quiredb.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.topology.Decision;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.wire.MangledMessageException;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.master.role.Accession;
import org.quiredb.master.role.Remainder;
import org.quiredb.master.role.Role;
import org.quiredb.master.role.RoleEvents;
import org.quiredb.master.role.Wishes;
import org.quiredb.replica.Departures;
import org.quiredb.replica.NodeConfiguration;
import org.quiredb.replica.intake.Intake;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.SnapshotAccess;
import org.quiredb.replica.page.VersionReclaimedException;
import org.quiredb.replica.service.ReadFence;
import org.quiredb.replica.service.SchedulersFence;
import org.quiredb.replica.service.Watermarks;
import org.quiredb.simulation.Requests.Reply;

/// A replica: real intake, role, pages and commit paths; their threads, and the way in, are
/// modelled.
///
/// Threads: one.
final class ReplicaNode extends Machine implements Group.Member, Role.Replica {
    private static final int ACKNOWLEDGE_AFTER = 8;
    private static final long TICK_MICROS = 100_000;
    private static final long LAG_MILLIS = 2_000;

    /// Less than on a real machine, so that faults find classes with other masters.
    private static final long STEADY_MILLIS = 100;

    private static final long SILENCE_MILLIS = 10_000;
    private static final long RECEIVE_WAIT_MICROS = 1_000_000;

    private final Tier tier;
    private final NodeConfiguration.Role wish;
    private PageStore store = new PageStore();
    private TableEngine engine = new TableEngine(store);
    private Progress progress = newProgress();
    private SimulatedCommits commits = new SimulatedCommits(this);
    private Sessions sessions = new Sessions(this, commits);
    private Intake intake = newIntake();
    private Accession accession = newAccession();
    private Wishes wishes = newWishes();
    private SchedulersFence schedulers = new SchedulersFence();
    private Watermarks watermarks = new Watermarks(store, SILENCE_MILLIS);
    private Departures departures = new Departures();
    private final Set<RpcPeer> gone = new HashSet<>();
    private final Set<String> closed = new TreeSet<>();
    private final List<Runnable> awaitingTopology = new ArrayList<>();
    private final Deque<Intake.Arrival> arrivals = new ArrayDeque<>();
    private RoleEvents events = new RoleEvents();
    private @Nullable Role role;
    private boolean opened;
    private boolean taking;
    private int sinceAcknowledged;
    private boolean deciding;
    private boolean asking;

    ReplicaNode(World world, Tier tier, String name, NodeConfiguration.Role wish) {
        this.tier = tier; // before the parts below are made, which ask it
        super(world, name);
        this.wish = wish;
    }

    private Progress newProgress() {
        return new Progress(Content.patterns(tier.classes()));
    }

    private Intake newIntake() {
        return new Intake(
                name,
                store,
                engine,
                progress,
                (to, message) -> tier.group().send(this, to, message),
                standing -> multicast(new GroupMessage.Stands(standing).encode()),
                topology -> {
                    List<Runnable> waiting = List.copyOf(awaitingTopology);
                    awaitingTopology.clear();
                    waiting.forEach(read -> after(world.between(1, 50), read));
                    tell(new Role.Event.Changed(topology));
                });
    }

    private Accession newAccession() {
        return new Accession(
                name,
                store,
                engine,
                progress,
                intake.recent(),
                commits.mastery(),
                this::handOver,
                (classes, then) ->
                        commits.whenSettled(
                                classes, then, () -> end("it cannot become master of " + classes)),
                left -> {
                    throw new IllegalStateException(left + " is no schema change");
                });
    }

    private Wishes newWishes() {
        return new Wishes(
                name,
                progress,
                commits.mastery(),
                LAG_MILLIS,
                STEADY_MILLIS,
                c -> Optional.ofNullable(tier.wishes().get(c)));
    }

    Progress progress() {
        return progress;
    }

    PageStore store() {
        return store;
    }

    SimulatedCommits commits() {
        return commits;
    }

    Intake intake() {
        return intake;
    }

    TableEngine engine() {
        return engine;
    }

    Watch watch() {
        return tier.watch();
    }

    Tier tier() {
        return tier;
    }

    Member self() {
        return new Member(name, name, 1, wishesSpare());
    }

    private boolean wishesSpare() {
        return wish == NodeConfiguration.Role.SPARE;
    }

    boolean serves() {
        return up() && progress.state() == Progress.State.SERVING;
    }

    @Override
    void begin() {
        new BeginningEdge(this, wish.patienceMillis()).run();
    }

    @Override
    void forget() {
        store = new PageStore();
        engine = new TableEngine(store);
        progress = newProgress();
        commits = new SimulatedCommits(this);
        sessions = new Sessions(this, commits);
        intake = newIntake();
        accession = newAccession();
        wishes = newWishes();
        schedulers = new SchedulersFence();
        watermarks = new Watermarks(store, SILENCE_MILLIS);
        departures = new Departures();
        gone.clear();
        closed.clear();
        awaitingTopology.clear();
        arrivals.clear();
        events = new RoleEvents();
        role = null;
        opened = false;
        taking = false;
        deciding = false;
        asking = false;
        tier.group().left(name);
    }

    /// Whoever goes on without another scheduler tells the members that it finds after its change.
    void learnSchedulers(Runnable then) {
        askUntilAnswered(
                new LoggerRequest.ReadSchedulers(),
                LoggerReply.SchedulersReply.class,
                reply -> {
                    schedulers.heard(reply.record().epoch());
                    then.run();
                });
    }

    <T> void askUntilAnswered(LoggerRequest request, Class<T> type, Consumer<T> then) {
        askLogger(
                request,
                5_000,
                answer ->
                        answer.filter(type::isInstance)
                                .map(type::cast)
                                .ifPresentOrElse(
                                        then,
                                        () ->
                                                after(
                                                        20_000,
                                                        () ->
                                                                askUntilAnswered(
                                                                        request, type, then))));
    }

    /// Begins to decide, as a member.
    void keep(Topology topology) {
        role = new Role(name, topology, progress, this, LAG_MILLIS, world::nowMillis);
        events.begin();
        tell(new Role.Event.Present(tier.group().view(name)));
        after(world.between(0, TICK_MICROS), this::tick);
    }

    private void tick() {
        watermarks.expire(nowNanos());
        if (role != null && events.isEmpty()) {
            tell(new Role.Event.Tick());
        }
        after(TICK_MICROS, this::tick);
    }

    void tell(Role.Event event) {
        if (progress.state() == Progress.State.STOPPED) {
            return;
        }
        if (event instanceof Role.Event.Present(Set<String> members)) {
            note("sees " + new TreeSet<>(members));
        }
        if (events.add(event)) {
            decide();
        } else {
            end("more happens in the group than it can follow");
        }
    }

    private void decide() {
        if (deciding || asking || role == null || events.isEmpty()) {
            return;
        }
        deciding = true;
        after(
                delay(),
                () -> {
                    deciding = false;
                    Role.Event event = events.next();
                    Role decider = role;
                    if (event != null && decider != null) {
                        int of = life();
                        goOn(of, decider.take(event));
                    }
                });
    }

    private long delay() {
        return world.chance(2) ? world.between(1_000, 30_000) : world.between(5, 200);
    }

    /// Unless it has ended its life meanwhile.
    private void goOn(int ofLife, Optional<Role.Question> question) {
        if (ofLife == life() && role != null) {
            asked(question);
        }
    }

    private void asked(Optional<Role.Question> question) {
        asking = question.isPresent();
        if (question.isEmpty()) {
            decide();
            return;
        }
        switch (question.get()) {
            case Role.Question.InForce() ->
                    askLogger(
                            new LoggerRequest.ReadTopology(true),
                            5_000,
                            answer ->
                                    answered(
                                            answer.filter(
                                                    LoggerReply.TopologyReply.class::isInstance)));
            case Role.Question.Change(Topology next, List<ClassPosition> ends) -> {
                note("asks for epoch " + next.epoch() + " " + next.leader() + " " + next.names());
                change(new LoggerRequest.ChangeTopology(next, ends));
            }
        }
    }

    private void change(LoggerRequest request) {
        askLogger(
                request,
                5_000,
                answer -> {
                    if (answer.isEmpty() || answer.get() instanceof LoggerReply.Away) {
                        after(50_000, () -> change(request));
                    } else {
                        answered(answer);
                    }
                });
    }

    private void answered(Optional<LoggerReply> answer) {
        if (answer.isPresent()
                && answer.get() instanceof LoggerReply.Failed(int n, String s, String why)) {
            end("it cannot keep its role: " + why);
            return;
        }
        Role deciding = role;
        if (deciding == null) {
            return;
        }
        try {
            int of = life();
            goOn(of, deciding.answered(answer.map(a -> (LoggerReply.TopologyReply) a)));
        } catch (IllegalStateException e) {
            end("it cannot keep its role: " + e.getMessage());
        }
    }

    void askLogger(
            LoggerRequest request, long timeoutMillis, Consumer<Optional<LoggerReply>> answered) {
        Calls.<byte[], byte[]>call(
                this,
                tier.logger(),
                request.encode(),
                timeoutMillis,
                (message, reply) -> tier.logger().handle(message, reply),
                answer -> answered.accept(answer.map(LoggerReply::decode)));
    }

    @Override
    public Machine process() {
        return this;
    }

    @Override
    public void received(String from, byte[] message) {
        switch (GroupMessage.decode(message)) {
            case GroupMessage.WriteSets(long settled, List<byte[]> writeSets) -> {
                if (!from.equals(name)) {
                    arrive(new Intake.Arrival.Stream(from, settled, writeSets));
                }
            }
            case GroupMessage.Part(byte[] part) -> {
                if (!from.equals(name)) {
                    arrive(new Intake.Arrival.Part(from, part));
                }
            }
            case GroupMessage.HandedOver(List<byte[]> writeSets) ->
                    arrive(new Intake.Arrival.HandedOver(writeSets));
            case GroupMessage.Changed(Topology topology) ->
                    arrive(new Intake.Arrival.Changed(topology));
            case GroupMessage.Stands(var standing) -> {
                note(
                        "hears "
                                + standing.replica()
                                + " stand at epoch "
                                + standing.epoch()
                                + " without "
                                + new TreeSet<>(standing.closed())
                                + " at "
                                + standing.holdings());
                tell(new Role.Event.Stands(standing));
            }
            case GroupMessage.Received(var c, long term, long number, int _) ->
                    commits.received(from, c, term, number);
        }
    }

    @Override
    public void membersChanged(Set<String> members) {
        departures.view(members);
        tell(new Role.Event.Present(members));
    }

    void arrive(Intake.Arrival arrival) {
        arrivals.add(arrival);
        takeIn();
    }

    boolean hasMissed(String member) {
        return departures.hasMissed(member);
    }

    void open(Map<Integer, Long> counters) {
        intake.open(counters);
        opened = true;
        takeIn();
        intake.acknowledge();
    }

    private void takeIn() {
        if (progress.state() == Progress.State.STOPPED) {
            arrivals.clear();
        }
        if (taking || !opened || arrivals.isEmpty()) {
            return;
        }
        taking = true;
        after(
                delay(),
                () -> {
                    taking = false;
                    Intake.Arrival next = arrivals.pollFirst();
                    if (next == null) {
                        return;
                    }
                    try {
                        note("takes " + brief(next));
                        intake.take(next);
                        sinceAcknowledged++;
                        if (arrivals.isEmpty() || sinceAcknowledged >= ACKNOWLEDGE_AFTER) {
                            sinceAcknowledged = 0;
                            intake.acknowledge();
                        }
                        watch().pages(this);
                    } catch (MangledMessageException | IllegalStateException e) {
                        watch().broken(this, next);
                        end("its stream is broken: " + e.getMessage());
                        return;
                    }
                    takeIn();
                });
    }

    private static String brief(Intake.Arrival arrival) {
        return switch (arrival) {
            case Intake.Arrival.Stream(String from, long _, var writeSets) ->
                    "from " + from + " " + brief(writeSets);
            case Intake.Arrival.Part(String from, byte[] _) -> "a part from " + from;
            case Intake.Arrival.HandedOver(var writeSets) -> "handed over " + brief(writeSets);
            case Intake.Arrival.Changed(Topology t) -> "epoch " + t.epoch();
            case Intake.Arrival.Close(long epoch, var masters) ->
                    "the close of " + new TreeSet<>(masters) + " of epoch " + epoch;
        };
    }

    private static List<String> brief(List<byte[]> writeSets) {
        return writeSets.stream()
                .map(WriteSet::decode)
                .map(w ->
                        w.conflictClass()
                                + " "
                                + w.commitNumber()
                                + "=t"
                                + w.transactionId()
                                + " of "
                                + w.epoch())
                .toList();
    }

    @Override
    public void multicast(byte[] message) {
        tier.group().multicast(this, message);
    }

    @Override
    public void send(String member, byte[] message) {
        tier.group().send(this, member, message);
    }

    @Override
    public void close(long epoch, Set<String> masters) {
        closed.addAll(masters);
        arrive(new Intake.Arrival.Close(epoch, masters));
    }

    @Override
    public List<byte[]> keptAfter(List<ClassPosition> positions) {
        tier.met("handed to the heir");
        return intake.recent().after(positions);
    }

    @Override
    public void forgetKept(ConflictClass c) {
        intake.recent().forget(c);
    }

    @Override
    public Set<ConflictClass> inForce(Topology topology) {
        note("is at epoch " + topology.epoch());
        Set<ConflictClass> gone = commits.inForce(topology);
        gone.forEach(sessions::letGo);
        return gone;
    }

    @Override
    public Set<String> waitedFor() {
        return commits.mastery().inSync();
    }

    @Override
    public boolean commits(ConflictClass c) {
        return commits.mastery().holds(c);
    }

    @Override
    public Optional<String> broken() {
        return commits.mastery().broken();
    }

    @Override
    public Map<ConflictClass, Long> multicast() {
        return commits.mastery().multicast();
    }

    @Override
    public Set<String> behind(Map<ConflictClass, Long> positions) {
        return commits.mastery().behind(positions);
    }

    @Override
    public void lead(Decision.TakeOver takeOver, List<ClassPosition> logEnds) {
        note("takes over " + takeOver.ends() + " least " + takeOver.least());
        tier.met("takeover");
        if (2 * takeOver.next().members().size() < tier.replicas().size()) {
            tier.met("takeover by few");
        }
        accession.takeOver(takeOver, logEnds);
    }

    @Override
    public void receive(Set<ConflictClass> classes) {
        note("receives " + classes);
        tier.met("class handed on");
        accession.receive(classes);
    }

    private void handOver(byte[] missed) {
        tier.met("survivors levelled");
        multicast(missed);
    }

    @Override
    public void settled(Topology topology) {
        wishes.due(topology, world.nowMillis()).ifPresent(this::handOn);
    }

    private void handOn(Wishes.Due due) {
        note("would hand " + due.classes() + " on to " + due.to());
        due.classes().forEach(sessions::close);
        drain(due.classes(), due.to(), world.nowMillis() + 1_000);
    }

    private void drain(Set<ConflictClass> classes, String to, long deadline) {
        if (!classes.stream().allMatch(sessions::drained)) {
            if (world.nowMillis() > deadline) {
                goOn(classes, false);
            } else {
                after(2_000, () -> drain(classes, to, deadline));
            }
            return;
        }
        commits.whenSettled(
                List.copyOf(classes),
                () -> tell(new Role.Event.HandsOn(classes, to, done -> goOn(classes, true))),
                () -> goOn(classes, false));
    }

    private void goOn(Set<ConflictClass> classes, boolean drained) {
        classes.forEach(sessions::reopen);
        wishes.ended(drained, world.nowMillis());
    }

    /// Whether it has, in this life, refused to take in more from a master that it missed.
    boolean hasClosed(String master) {
        return closed.contains(master);
    }

    @Override
    public void end(String reason) {
        if (!up() || progress.state() == Progress.State.STOPPED) {
            return;
        }
        note("ends: " + reason);
        tier.ended(reason);
        boolean member = role != null;
        progress.stop(reason);
        role = null;
        events = new RoleEvents();
        commits.refuse();
        tier.group().left(name);
        if (member) {
            handIn();
        } else {
            beginAnew();
        }
    }

    /// As `Bequest`: lets go of what it holds when that is in the log, or with the others.
    private void handIn() {
        askLogger(
                new LoggerRequest.ReadTopology(true),
                5_000,
                answer -> {
                    if (answer.orElse(null) instanceof LoggerReply.TopologyReply reply
                            && isElsewhere(reply)) {
                        beginAnew();
                    } else {
                        after(200_000, this::handIn);
                    }
                });
    }

    private boolean isElsewhere(LoggerReply.TopologyReply reply) {
        List<Remainder.Part> parts =
                new Remainder(name, progress, intake.recent(), commits.mastery()).of(reply);
        for (Remainder.Part part : parts) {
            if (part instanceof Remainder.Part.Missing(var held, long term, var records)) {
                tier.met("handed in");
                askLogger(
                        new LoggerRequest.Append(held.conflictClass(), term, 0, records),
                        5_000,
                        answer -> note("hands in " + held + ": " + answer));
            }
        }
        return parts.isEmpty();
    }

    private void beginAnew() {
        stop();
        world.after(world.between(50_000, 300_000), this::start);
    }

    void disconnected(RpcPeer peer) {
        gone.add(peer);
        sessions.disconnected(peer);
    }

    private void fromScheduler(
            RpcPeer peer, long epoch, Requests.Request request, Consumer<Reply> reply) {
        schedulers.heard(epoch);
        boolean read = request instanceof Requests.Read;
        if (schedulers.refuses(epoch, read)) {
            tier.met("read refused for its schedulers");
            reply.accept(Requests.refused(Reason.OTHER_SCHEDULERS, schedulers.epoch()));
            return;
        }
        handle(
                peer,
                request,
                answer ->
                        reply.accept(
                                schedulers.outdates(epoch, read)
                                        ? new Requests.Outdated(schedulers.epoch(), answer)
                                        : answer));
    }

    /// While pages are yet to come operations must not be applied to what is here instead of them.
    private void told(RpcPeer peer, VersionVector lowWatermark) {
        if (progress.state() == Progress.State.SERVING) {
            watermarks.tell(peer, lowWatermark, nowNanos());
        }
    }

    private long nowNanos() {
        return world.nowMicros() * 1_000;
    }

    void handle(RpcPeer peer, Requests.Request request, Consumer<Reply> reply) {
        if (gone.contains(peer)) {
            return;
        }
        if (request instanceof Requests.FromScheduler(long epoch, Requests.Request inner)) {
            fromScheduler(peer, epoch, inner, reply);
            return;
        }
        if (request instanceof Requests.Status(VersionVector lowWatermark)) {
            told(peer, lowWatermark);
            reply.accept(status());
            return;
        }
        if (progress.state() != Progress.State.SERVING) {
            reply.accept(Requests.refused(Reason.NOT_SERVING));
            return;
        }
        switch (request) {
            case Requests.Read read -> {
                told(peer, read.lowWatermark());
                read(read, world.nowMicros() + RECEIVE_WAIT_MICROS, reply);
            }
            case Requests.Update update -> sessions.update(peer, update, reply);
            case Requests.Commit commit -> sessions.commit(commit, reply);
            case Requests.Rollback rollback -> sessions.rollBack(rollback, reply);
            case Requests.Outcome outcome -> sessions.outcome(outcome, reply);
            case Requests.Status status -> throw new IllegalStateException();
            case Requests.FromScheduler from -> throw new IllegalStateException();
        }
    }

    private Requests.StatusReply status() {
        boolean isSpare = progress.topology().member(name).map(Member::spare).orElse(wishesSpare());
        watch().told(this, commits.mastery().stableVector());
        String is = !commits.mastery().serving().isEmpty() ? "master" : isSpare ? "spare" : "slave";
        return new Requests.StatusReply(
                progress.state() == Progress.State.SERVING,
                is,
                Map.copyOf(commits.mastery().serving()),
                progress.topology(),
                commits.mastery().stableVector());
    }

    private void read(Requests.Read read, long deadline, Consumer<Reply> reply) {
        ReadFence fence = ReadFence.of(read.epoch(), read.tag(), progress, name);
        if (fence.waits() && world.nowMicros() < deadline) {
            awaitFence(fence, () -> read(read, deadline, reply));
            return;
        }
        if (fence != ReadFence.ANSWER) {
            if (fence.reason() == Reason.OTHER_EPOCH) {
                tier.met("read refused for its epoch");
            }
            reply.accept(Requests.refused(fence.reason()));
            return;
        }
        try {
            byte[] page = new SnapshotAccess(store, read.tag()).read(Content.pageId(read.key()));
            note("reads key " + read.key() + " at " + read.tag() + " of epoch " + read.epoch());
            reply.accept(new Requests.Values(Content.values(page)));
        } catch (VersionReclaimedException e) {
            reply.accept(Requests.refused(Reason.VERSION_RECLAIMED));
        }
    }

    /// Once, however both ways of waiting end.
    private void awaitFence(ReadFence fence, Runnable look) {
        if (fence == ReadFence.AWAITS_WRITE_SETS) {
            after(2_000, look);
            return;
        }
        tier.met("read waits for its epoch");
        boolean[] over = new boolean[1];
        Runnable again =
                () -> {
                    if (!over[0]) {
                        over[0] = true;
                        look.run();
                    }
                };
        awaitingTopology.add(again);
        after(20_000, again);
    }
}
