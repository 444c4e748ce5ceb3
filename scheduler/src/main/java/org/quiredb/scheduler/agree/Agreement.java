package org.quiredb.scheduler.agree;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.liveness.SilenceLimit;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.common.message.SchedulerRequest.Announce;
import org.quiredb.common.message.TableLocks;
import org.quiredb.common.topology.SchedulerMember;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.version.VersionVector;

/// One scheduler's part in the agreement: messages and time in, actions out.
///
/// Invariant: `agreed` grows only by what every member of the record has noted, or by what another
/// member says that every one has.
///
/// One state machine in one piece: who is a member, what each has noted and what is agreed follow
/// from the same messages.
///
/// Threads: one at a time.
public final class Agreement {
    /// A peer that has not answered for so long is taken out; later where answers have lately been
    /// slow, which no proof minds: what is shown waits for it meanwhile.
    public static final long SILENCE_MILLIS = 700;

    /// However slow the answers: all that is shown waits.
    private static final long MOST_SILENCE_MILLIS = 3 * SILENCE_MILLIS;

    private static final long KEEP_ALIVE_MILLIS = 200;
    private static final long RETRY_MILLIS = 100;

    /// Who was taken out of the record waits before it enters again, longer each time.
    private static final long MAXIMUM_ABSENCE_MILLIS = 2_000;

    private static final long CALM_MILLIS = 10_000;

    public enum State {
        OUT,
        ENTERING,
        IN
    }

    private final String name;
    private final LongSupplier lives;
    private String host = "";
    private int port;
    private final Map<Long, Peer> peers = new HashMap<>();
    private List<Action> actions = new ArrayList<>();

    private State state = State.OUT;
    private long life;
    private long since;
    private Schedulers record = Schedulers.NOBODY;
    private boolean read;
    private long wantedEpoch;

    private VersionVector announced = VersionVector.EMPTY;
    private VersionVector noted = VersionVector.EMPTY;
    private VersionVector agreed = VersionVector.EMPTY;

    /// Of what is agreed, what this scheduler has found so itself.
    private VersionVector found = VersionVector.EMPTY;

    private long catalogueVersion;
    private TableLocks locks = TableLocks.NONE;

    /// By anybody's clients.
    private Set<Integer> locked = Set.of();

    private boolean fenced;
    private boolean mastersTold;

    private final SilenceLimit silence = new SilenceLimit(SILENCE_MILLIS, MOST_SILENCE_MILLIS);
    private boolean asking;
    private long nowMillis;
    private long askAtMillis;
    private long absenceMillis;
    private long calmAtMillis;

    /// @param lives a number that no other life of any scheduler has
    public Agreement(String name, LongSupplier lives) {
        this.name = name;
        this.lives = lives;
        this.life = lives.getAsLong();
    }

    /// Begins; the other schedulers reach this one there.
    public void enter(String ownHost, int ownPort) {
        host = ownHost;
        port = ownPort;
        settle();
    }

    public State state() {
        return state;
    }

    /// The record as known here; its epoch goes with every request to a replica.
    public Schedulers record() {
        return record;
    }

    /// The epoch that let the present life in, which names it; 0 while there is none. A tag of
    /// another life may miss what was shown since.
    public long since() {
        return since;
    }

    /// What may be shown.
    public VersionVector agreed() {
        return agreed;
    }

    /// The newest version of the catalogue that any scheduler has told.
    public long catalogueVersion() {
        return catalogueVersion;
    }

    /// Which tables clients of any scheduler have locked against readers.
    public Set<Integer> locked() {
        return locked;
    }

    /// This scheduler's clients have locked these tables against readers, and no others.
    ///
    /// @return the version of them that every scheduler is to note
    public long lock(Set<Integer> tables) {
        locks = locks.next(tables);
        gatherLocked();
        settle();
        return locks.version();
    }

    /// Whether nobody takes a tag without knowing of these locks of this scheduler's clients.
    public boolean locksNoted(long version) {
        return state == State.IN
                && fenced
                && peers.values().stream().allMatch(p -> p.locksNoted >= version);
    }

    private void gatherLocked() {
        Set<Integer> all = new HashSet<>(locks.tables());
        peers.values().forEach(p -> all.addAll(p.locks.tables()));
        locked = Set.copyOf(all);
    }

    private void told(Peer peer, TableLocks theirs) {
        if (theirs.version() > peer.locks.version()) {
            peer.locks = theirs;
            gatherLocked();
        }
    }

    /// What a tag that is asked for now must cover.
    public VersionVector noted() {
        return noted;
    }

    /// Whether what is agreed may be taken as a tag by one who asked when this was noted.
    public boolean tags(VersionVector notedThen) {
        return state == State.IN && agreed.covers(notedThen);
    }

    /// Whether every replica has been told, and the masters are to be asked what is stable.
    public boolean awaitsMasters() {
        return state == State.ENTERING && fenced && !mastersTold;
    }

    /// What is to be done, each once.
    public List<Action> actions() {
        if (actions.isEmpty()) {
            return List.of();
        }
        List<Action> taken = actions;
        actions = new ArrayList<>();
        return taken;
    }

    /// These commits are stable, and somebody is to be shown them.
    public void learn(VersionVector stable, long catalogue) {
        announced = announced.merge(stable);
        catalogueVersion = Math.max(catalogueVersion, catalogue);
        settle();
    }

    /// What a tag waits for does not come.
    public void hasten() {
        learn(noted, 0);
    }

    /// Every master has told what is stable, asked after the replicas were told the epoch.
    public void mastersTold(long epoch) {
        if (awaitsMasters() && epoch == record.epoch()) {
            mastersTold = true;
            settle();
        }
    }

    public void fenced(long epoch) {
        fenced |= epoch == record.epoch();
        settle();
    }

    /// A replica knows of a newer record.
    public void outdated(long epoch) {
        wantedEpoch = Math.max(wantedEpoch, epoch);
        settle();
    }

    /// The record that is in force in the backend.
    public void inForce(Schedulers now) {
        asking = false;
        read = true;
        adopt(now);
        if (now.epoch() < wantedEpoch) {
            askAtMillis = nowMillis + RETRY_MILLIS;
        }
        settle();
    }

    /// Whether the record was changed is not known.
    public void recordNotReached() {
        asking = false;
        read = false;
        askAtMillis = nowMillis + RETRY_MILLIS;
    }

    /// Answers another scheduler.
    public SchedulerReply heard(Announce message) {
        adopt(message.record());
        settle();
        Peer sender = peer(message.sender());
        if (message.record().epoch() != record.epoch() || sender == null || state == State.OUT) {
            return new SchedulerReply.OtherSchedulers(record);
        }
        sender.heardMillis = nowMillis;
        noted = noted.merge(message.announced());
        agreed = agreed.merge(message.shown());
        catalogueVersion = Math.max(catalogueVersion, message.catalogueVersion());
        told(sender, message.locks());
        return new SchedulerReply.Noted(
                message.entering() ? agreed.merge(noted) : VersionVector.EMPTY, locks);
    }

    public void answered(Action.Send send, SchedulerReply reply) {
        Peer peer = whoseIs(send);
        if (peer == null) {
            return;
        }
        switch (reply) {
            case SchedulerReply.Noted(VersionVector known, TableLocks theirs) -> {
                announced = announced.merge(known);
                told(peer, theirs);
                silence.observed(nanos(nowMillis - peer.sentMillis), nanos(nowMillis));
                peer.took(send.message(), nowMillis);
            }
            case SchedulerReply.OtherSchedulers(Schedulers other)
                    when other.epoch() > record.epoch() -> {
                peer.underWay = null;
                peer.heardMillis = nowMillis;
                adopt(other);
            }
            default -> peer.lost = true; // another process has its address by now
        }
        settle();
    }

    /// The connection was closed, or nobody answered in time.
    public void failed(Action.Send send) {
        Peer peer = whoseIs(send);
        if (peer != null) {
            peer.lost = true;
            settle();
        }
    }

    /// Nobody's, when this scheduler or the peer has left the record since.
    private @Nullable Peer whoseIs(Action.Send send) {
        Peer peer = peers.get(send.to().life());
        return peer != null && send.message().equals(peer.underWay) ? peer : null;
    }

    /// Time passes. To be called several times in {@link #SILENCE_MILLIS}.
    public void tick(long millis) {
        long elapsed = millis - nowMillis;
        if (elapsed > KEEP_ALIVE_MILLIS) { // it was this scheduler that stood still
            peers.values().forEach(p -> p.stoodStill(elapsed));
        }
        nowMillis = millis;
        if (state == State.IN && millis >= calmAtMillis) {
            absenceMillis = 0;
        }
        for (Peer peer : peers.values()) {
            peer.lost |=
                    millis - peer.heardMillis > silence.millis(nanos(millis))
                            && peer.underWay != null;
            if (millis - peer.heardMillis > KEEP_ALIVE_MILLIS) {
                send(peer, message());
            }
        }
        settle();
    }

    private @Nullable Peer peer(String sender) {
        return record.member(sender).map(m -> peers.get(m.life())).orElse(null);
    }

    private void adopt(Schedulers next) {
        if (next.epoch() <= record.epoch()) {
            return;
        }
        record = next;
        Optional<SchedulerMember> self = next.member(name).filter(m -> m.life() == life);
        boolean left = peers.values().removeIf(p -> !next.has(p.member.name(), p.member.life()));
        if (self.isEmpty()) {
            leave();
            return;
        }
        gatherLocked();
        for (SchedulerMember member : next.members()) {
            if (member.life() != life) {
                peers.computeIfAbsent(member.life(), _ -> new Peer(member, nowMillis));
            }
        }
        if (state == State.OUT) {
            state = State.ENTERING;
            since = self.get().since();
            left = true;
        }
        if (left) {
            // Nobody else may be left to say what the lost ones have shown of this.
            announced = announced.merge(noted).merge(agreed);
            fenced = false;
            mastersTold = false;
            actions.add(new Action.Fence(next.epoch()));
        } else if (!fenced) {
            actions.add(new Action.Fence(next.epoch()));
        }
    }

    private void leave() {
        peers.clear();
        gatherLocked();
        if (state != State.OUT) {
            state = State.OUT;
            since = 0;
            life = lives.getAsLong();
            askAtMillis = nowMillis + absenceMillis;
            absenceMillis = Math.clamp(absenceMillis * 2, RETRY_MILLIS, MAXIMUM_ABSENCE_MILLIS);
        }
    }

    private void settle() {
        agree();
        if (state != State.OUT && !peers.isEmpty()) {
            Announce next = message();
            for (Peer peer : peers.values()) {
                if (peer.lacks(next)) {
                    send(peer, next);
                }
            }
        }
        if (!asking && port != 0 && nowMillis >= askAtMillis) {
            ask();
        }
    }

    /// What all have noted; nothing before every replica knows who all are.
    private void agree() {
        if (state == State.OUT || !fenced) {
            return;
        }
        VersionVector everywhere = announced;
        for (Peer peer : peers.values()) {
            everywhere = everywhere.floor(peer.noted);
        }
        if (state == State.ENTERING) {
            if (!mastersTold
                    || !peers.values().stream().allMatch(p -> p.told)
                    || !everywhere.covers(announced)) {
                return;
            }
            state = State.IN;
            calmAtMillis = nowMillis + CALM_MILLIS;
        }
        found = found.merge(everywhere);
        agreed = agreed.merge(everywhere);
    }

    private Announce message() {
        boolean entering = state == State.ENTERING;
        VersionVector shown = entering ? VersionVector.EMPTY : found;
        return new Announce(record, name, entering, announced, shown, catalogueVersion, locks);
    }

    private void send(Peer peer, Announce message) {
        if (peer.underWay == null && !peer.lost) {
            peer.underWay = message;
            peer.sentMillis = nowMillis;
            actions.add(new Action.Send(peer.member, message));
        }
    }

    /// Reads or changes the record, if that is needed.
    private void ask() {
        if (!read || wantedEpoch > record.epoch()) {
            act(new Action.Read());
        } else if (state == State.OUT) {
            act(new Action.Change(record.entered(name, life, host, port), namesake()));
        } else if (!peers.isEmpty()) {
            List<SchedulerMember> lost =
                    peers.values().stream().filter(p -> p.lost).map(p -> p.member).toList();
            if (!lost.isEmpty()) {
                act(new Action.Change(record.without(lost), null));
            }
        }
    }

    /// Who comes in takes the place of an older life of its name, but not of another process that
    /// lives.
    private @Nullable SchedulerMember namesake() {
        return record.member(name)
                .filter(m -> !m.host().equals(host) || m.port() != port)
                .orElse(null);
    }

    private static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private void act(Action action) {
        asking = true;
        actions.add(action);
    }
}
