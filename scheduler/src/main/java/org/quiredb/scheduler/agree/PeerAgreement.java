package org.quiredb.scheduler.agree;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.common.message.SchedulerRequest.Announce;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.SchedulerMember;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.agree.Waiting.Goal;
import org.quiredb.scheduler.agree.Waiting.Verdict;
import org.quiredb.scheduler.route.Tags;

/// One scheduler among the others: events and the time in, effects out. It agrees with them, keeps
/// its lease, has the replicas told, and says who may be given a tag or shown something, and who is
/// to wait.
///
/// Who waits is looked at again whenever an event was taken, and tells when its time is up.
///
/// Invariant: a tag is taken by a member of the record, under a lease, and covers what was noted
/// when it was asked for.
///
/// Threads: one at a time.
public final class PeerAgreement {
    private static final long TELL_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final Verdict READY = new Verdict.Ready();

    private final String name;
    private final Tags tags;
    private final Agreement agreement;
    private final Lease lease;
    private List<Effect> effects = new ArrayList<>();
    private Telling telling = new Telling(0);
    private long recordAskedNanos;
    private boolean renewing;
    private long renewalAskedNanos;
    private @Nullable SchedulerMember namesake;
    private boolean ended;

    /// @param tags that show what is agreed
    /// @param lives a number that no other life of any scheduler has
    public PeerAgreement(String name, Tags tags, LongSupplier lives, long nowNanos) {
        this.name = name;
        this.tags = tags;
        agreement = new Agreement(name, lives);
        lease = new Lease(nowNanos);
    }

    /// The record as known here; its epoch goes with every request to a replica.
    public Schedulers record() {
        return agreement.record();
    }

    /// The epoch in which this scheduler came in, 0 while it is not.
    public long life() {
        return agreement.since();
    }

    /// Whether this scheduler may give tags, as far as the others are concerned.
    public boolean in() {
        return agreement.state() == Agreement.State.IN;
    }

    /// What anybody may have been shown, and a little more.
    public VersionVector noted() {
        return agreement.noted();
    }

    /// The newest version of the catalogue that any scheduler has told.
    public long catalogueVersion() {
        return agreement.catalogueVersion();
    }

    /// The epoch for which masters are to be asked what is stable, or 0.
    public long awaitsMasters() {
        return agreement.awaitsMasters() ? record().epoch() : 0;
    }

    /// Whether a tag could be given at once.
    public boolean mayTag(long nowNanos) {
        return agreement.tags(agreement.noted()) && lease.holds(nowNanos);
    }

    /// A tag, null where one has to be waited for.
    public Tags.@Nullable Use tagNow(long nowNanos) {
        return mayTag(nowNanos) ? tag() : null;
    }

    /// A tag, for whom {@link #untilTag} has come.
    public Tags.Use tag() {
        return tags.use(agreement.since());
    }

    /// Whether a client may be shown these commits: every scheduler knows of them. What was agreed
    /// in a life that is over does not count: others may have gone on without it.
    public boolean shows(VersionVector stable) {
        return agreement.tags(stable);
    }

    public Waiting untilEntered(long nowNanos) {
        return new Waiting(Goal.ENTERED, VersionVector.EMPTY, 0, nowNanos);
    }

    public Waiting untilIn(long nowNanos) {
        return new Waiting(Goal.IN, VersionVector.EMPTY, 0, nowNanos);
    }

    /// Until this scheduler goes by a record of the epoch or a newer one.
    public Waiting untilEpoch(long epoch, long nowNanos) {
        return new Waiting(Goal.EPOCH, VersionVector.EMPTY, epoch, nowNanos);
    }

    public Waiting untilShown(VersionVector stable, long nowNanos) {
        return new Waiting(Goal.SHOWN, stable, 0, nowNanos);
    }

    /// Until a tag may be taken that covers everything that anybody has been shown.
    public Waiting untilTag(long nowNanos) {
        return new Waiting(Goal.WORD, agreement.noted(), 0, nowNanos);
    }

    public Verdict look(Waiting waiting, long nowNanos) {
        boolean word = waiting.goal() == Goal.WORD || waiting.goal() == Goal.AGREEMENT;
        if (word && agreement.tags(waiting.vector)) {
            waiting.goOnTo(Goal.LEASE, nowNanos);
        }
        SchedulerMember other = namesake;
        if (has(waiting, nowNanos)) {
            return READY;
        } else if (waiting.goal() == Goal.ENTERED && other != null) {
            return new Verdict.Failed(
                    "a scheduler named %s is alive at %s:%d: give this one a scheduler.name of its own, or end the other one first"
                            .formatted(name, other.host(), other.port()));
        } else if (waiting.over || ended) {
            return waiting.goal() == Goal.ENTERED
                    ? READY
                    : new Verdict.Failed(waiting.goal().otherwise);
        }
        return new Verdict.Wait(waiting.leftNanos(nowNanos));
    }

    private boolean has(Waiting waiting, long nowNanos) {
        return switch (waiting.goal()) {
            case ENTERED -> life() != 0;
            case IN -> in();
            case EPOCH -> record().epoch() >= waiting.number;
            case SHOWN -> shows(waiting.vector);
            case LOCKED -> agreement.locksNoted(waiting.number);
            case WORD, AGREEMENT -> false; // the lease is still to be looked at
            case LEASE -> agreement.tags(waiting.vector) && lease.holds(nowNanos);
        };
    }

    /// Which tables clients of any scheduler have locked against readers.
    public Set<Integer> locked() {
        return agreement.locked();
    }

    /// Until every scheduler knows of these tables, the only ones that this scheduler's clients
    /// have locked against readers from now on.
    public Waiting untilLocked(Set<Integer> tables, long nowNanos) {
        long version = agreement.lock(tables);
        follow(nowNanos);
        return new Waiting(Goal.LOCKED, VersionVector.EMPTY, version, nowNanos);
    }

    /// What is to be done, each once.
    public List<Effect> effects() {
        if (effects.isEmpty() || ended) {
            return List.of();
        }
        List<Effect> taken = effects;
        effects = new ArrayList<>();
        return taken;
    }

    /// Answers another scheduler.
    public SchedulerReply heard(Announce message, long nowNanos) {
        SchedulerReply reply = agreement.heard(message);
        follow(nowNanos);
        return reply;
    }

    public void take(Event event, long nowNanos) {
        switch (event) {
            case Event.Enter(String host, int port) -> agreement.enter(host, port);
            case Event.Tick() -> tick(nowNanos);
            case Event.Learn(VersionVector stable, long catalogueVersion) ->
                    agreement.learn(stable, catalogueVersion);
            case Event.Outdated(long epoch) -> agreement.outdated(epoch);
            case Event.MastersTold(long epoch) -> agreement.mastersTold(epoch);
            case Event.ReplicaAnswered answer -> answered(answer, nowNanos);
            case Event.Answered(Action.Send send, SchedulerReply reply) ->
                    agreement.answered(send, reply);
            case Event.NotAnswered(Action.Send send) -> agreement.failed(send);
            case Event.InForce(Schedulers now) -> {
                agreement.inForce(now);
                confirm(now, recordAskedNanos);
            }
            case Event.RecordNotReached() -> agreement.recordNotReached();
            case Event.NamesakeLives(SchedulerMember other) -> {
                namesake = other;
                agreement.recordNotReached();
            }
            case Event.Renewed renewal -> renewed(renewal);
            case Event.NotRenewed() -> renewing = false;
            case Event.TopologyRead(long epoch, Topology now) -> tell(epoch, now, nowNanos);
            case Event.TopologyNotRead(long epoch) -> tellLater(epoch);
            case Event.Told(long epoch, Member replica, boolean heard) ->
                    told(epoch, replica, heard, nowNanos);
            case Event.TellAgain(long epoch) -> readTopology(epoch);
            case Event.Outlasted(long epoch) -> agreement.fenced(epoch);
            case Event.Due(Waiting waiting) -> due(waiting, nowNanos);
            case Event.End() -> ended = true;
        }
        follow(nowNanos);
    }

    private void follow(long nowNanos) {
        tags.merge(agreement.agreed());
        for (Action action : agreement.actions()) {
            switch (action) {
                case Action.Send send -> effects.add(send);
                case Action.Read read -> {
                    recordAskedNanos = nowNanos;
                    effects.add(read);
                }
                case Action.Change change -> {
                    recordAskedNanos = nowNanos;
                    effects.add(change);
                }
                case Action.Fence(long epoch) -> {
                    telling = new Telling(epoch);
                    readTopology(epoch);
                }
            }
        }
    }

    private void tick(long nowNanos) {
        agreement.tick(TimeUnit.NANOSECONDS.toMillis(nowNanos));
        boolean topology = lease.outdated();
        if (!renewing && record().epoch() != 0 && (topology || lease.doubts(nowNanos))) {
            renewing = true;
            renewalAskedNanos = nowNanos;
            effects.add(new Effect.Renew(topology));
        }
    }

    private void answered(Event.ReplicaAnswered answer, long nowNanos) {
        if (answer.serves() && answer.recordEpoch() != 0) {
            lease.answered(answer.replica(), answer.topologyEpoch(), answer.askedNanos(), nowNanos);
        }
    }

    /// With a topology the record is asked for too: a member that has just come in was not asked
    /// yet, and statements need not wait for that.
    private void renewed(Event.Renewed renewal) {
        renewing = false;
        confirm(renewal.record(), renewalAskedNanos);
        Topology topology = renewal.topology();
        if (topology != null) {
            lease.learned(topology);
        }
    }

    private void confirm(Schedulers now, long askedNanos) {
        if (now.epoch() > record().epoch()) {
            agreement.outdated(now.epoch());
        } else if (now.epoch() == record().epoch() && agreement.state() != Agreement.State.OUT) {
            lease.recorded(askedNanos);
        }
    }

    /// Given up when the record is another one.
    private boolean tells(long epoch) {
        return epoch == telling.epoch && epoch == record().epoch();
    }

    private void readTopology(long epoch) {
        if (tells(epoch)) {
            effects.add(new Effect.ReadTopology(epoch));
        }
    }

    private void tell(long epoch, Topology now, long nowNanos) {
        if (tells(epoch)) {
            Set<Member> missing = telling.begin(now);
            missing.forEach(member -> effects.add(new Effect.Tell(member, epoch)));
            if (missing.isEmpty()) {
                outlast(nowNanos);
            }
        }
    }

    private void told(long epoch, Member replica, boolean heard, long nowNanos) {
        if (tells(epoch) && telling.answered(replica, heard)) {
            if (telling.complete()) {
                outlast(nowNanos);
            } else {
                tellLater(epoch);
            }
        }
    }

    private void tellLater(long epoch) {
        effects.add(new Effect.Later(TELL_AGAIN_NANOS, new Event.TellAgain(epoch)));
    }

    /// Goes on when no scheduler that is not in the record has a lease. Nobody was in one before
    /// the first.
    private void outlast(long nowNanos) {
        if (telling.epoch > 1) {
            lease.learned(telling.topology());
            long graceNanos = lease.graceNanos(nowNanos);
            effects.add(new Effect.Later(graceNanos, new Event.Outlasted(telling.epoch)));
        } else {
            agreement.fenced(telling.epoch);
        }
    }

    private void due(Waiting waiting, long nowNanos) {
        if (waiting.leftNanos(nowNanos) > 0) {
            return;
        }
        if (waiting.goal() == Goal.WORD) {
            waiting.goOnTo(Goal.AGREEMENT, nowNanos);
            agreement.hasten();
        } else {
            waiting.over = true;
        }
    }

    @Override
    public String toString() {
        return "%s of schedulers %d %s, noted %s, agreed %s"
                .formatted(
                        agreement.state(),
                        record().epoch(),
                        record().members().stream().map(SchedulerMember::name).toList(),
                        agreement.noted(),
                        agreement.agreed());
    }
}
