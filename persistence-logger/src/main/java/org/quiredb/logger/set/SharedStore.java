package org.quiredb.logger.set;

import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.quiredb.common.error.QuireException;
import org.quiredb.logger.active.StandbyException;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.BackendErrors;
import org.quiredb.logger.backend.Backends;
import org.quiredb.logger.log.LogOutcome;
import org.quiredb.logger.log.LogStore;
import org.quiredb.logger.log.LogWork;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The log on all current backends of several.
///
/// In one piece, for taking the set, writing to it, and letting a backend into it are steps of one
/// membership under one lock; what follows from what was seen is decided in {@link
/// MembershipDecision}.
///
/// Threads: the log writer's, and of those who admit; one at a time by lock, which is held while
/// the backends work: what is under it is their transactions.
public final class SharedStore implements LogStore {
    private static final Logger logger = LoggerFactory.getLogger(SharedStore.class);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long SAY_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(30);
    static final int SILENCES_PER_STATEMENT = 4;

    private final Backends backends;
    private final long silenceMillis;
    private final Map<String, SetMember> configured = new LinkedHashMap<>();
    private final Map<String, Long> refusals = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final long owner = new SecureRandom().nextLong(1, Long.MAX_VALUE);
    private Membership inForce = Membership.NONE;
    private Membership attempted = Membership.NONE;
    private Membership announced = Membership.NONE;
    private List<String> base = List.of();
    private boolean settled;
    private volatile boolean replaced;
    private long unsettledNanos;

    /// @param silenceMillis how long a current backend may be away before the log goes on without
    ///   it; one that refuses connections is away at once
    public SharedStore(Backends backends, long silenceMillis) {
        this.backends = backends;
        this.silenceMillis = silenceMillis;
        for (Backend backend : backends.all()) {
            configured.put(
                    backend.name(), new SetMember(backend, silenceMillis * SILENCES_PER_STATEMENT));
        }
    }

    /// Becomes the owner of the set, so that nobody else writes the log.
    ///
    /// @throws QuireException when it cannot be told in time which backend has gone on, or the
    ///   backends that begin together do not hold the same
    public void take(long waitMillis) {
        lock.lock();
        try {
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
            long sayAt = System.nanoTime();
            while (true) {
                FanOut<Sighting> looked =
                        FanOut.ask(List.copyOf(configured.values()), SetMember::look);
                refuseHopeless(looked);
                Discovery.Verdict verdict =
                        new Discovery(List.copyOf(configured.keySet()), names(looked.answers()))
                                .verdict(owner);
                List<String> away = List.of();
                boolean done =
                        switch (verdict) {
                            case Discovery.Verdict.Found(List<String> members) -> {
                                Founding.requireAlike(backends.all());
                                yield taken(new Membership(1, owner, members));
                            }
                            case Discovery.Verdict.Take(Membership next) -> taken(next);
                            case Discovery.Verdict.Wait(List<String> missing) -> {
                                away = missing;
                                long now = System.nanoTime();
                                if (now - sayAt >= 0) {
                                    logger.info("waiting for the backends {}", missing);
                                    sayAt = now + SAY_AGAIN_NANOS;
                                }
                                yield false;
                            }
                            case Discovery.Verdict.Foreign(List<String> members) ->
                                    throw StartErrors.foreign(members);
                        };
                if (done) {
                    return;
                }
                disconnect();
                if (System.nanoTime() - deadline > 0) {
                    throw away.isEmpty() ? StartErrors.contended() : StartErrors.missing(away);
                }
                LockSupport.parkNanos(5 * LOOK_NANOS);
                if (Thread.currentThread().isInterrupted()) {
                    throw StartErrors.stopped();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private static void refuseHopeless(FanOut<Sighting> looked) {
        looked.failures()
                .forEach((member, reason) -> {
                    if (!BackendErrors.isTransient(reason)) {
                        throw StartErrors.refused(member, reason);
                    }
                });
    }

    /// Only who has the newest version may be gone on with: the former owner wrote until now.
    private boolean taken(Membership next) {
        List<SetMember> members = membersOf(next.members());
        FanOut<Version> versions = FanOut.ask(members, member -> member.take(next));
        if (!versions.failures().isEmpty()
                || !FanOut.ask(members, member -> member.commit(next)).failures().isEmpty()) {
            return false;
        }
        Version newest = Collections.max(versions.answers().values());
        inForce = next;
        attempted = next;
        base =
                members.stream()
                        .filter(member -> newest.equals(versions.answers().get(member)))
                        .map(SetMember::name)
                        .toList();
        unsettle();
        try {
            run(List.of()); // those that lack the last transaction are excluded at once
            return true;
        } catch (SQLException e) {
            logger.info("taking the backends again: {}", BackendErrors.describe(e));
            return false;
        }
    }

    @Override
    public List<LogOutcome> run(List<LogWork> work) throws SQLException {
        lock.lock();
        try {
            return transact(settled ? inForce : settle(), work);
        } catch (SQLException e) {
            unsettle();
            throw e;
        } finally {
            lock.unlock();
        }
    }

    private void unsettle() {
        if (settled || unsettledNanos == 0) {
            unsettledNanos = System.nanoTime();
        }
        settled = false;
    }

    /// Finds out how the last transaction ended, and under which membership the next one runs.
    private Membership settle() throws SQLException {
        while (true) {
            FanOut<Sighting> looked = FanOut.ask(membersOf(base), SetMember::look);
            boolean silenceOver =
                    System.nanoTime() - unsettledNanos
                            > TimeUnit.MILLISECONDS.toNanos(silenceMillis);
            MembershipDecision reckoning =
                    new MembershipDecision(inForce, attempted, base, names(looked.answers()));
            inForce = reckoning.inForce();
            switch (reckoning.verdict(silenceOver || isRefusedByTheRest(looked))) {
                case MembershipDecision.Verdict.GoOn(Membership next) -> {
                    attempted = next.generation() > attempted.generation() ? next : attempted;
                    base = next.members();
                    return next;
                }
                case MembershipDecision.Verdict.Fenced(long other) -> {
                    replaced = true;
                    throw new StandbyException();
                }
                case MembershipDecision.Verdict.Wait() -> {
                    looked.failures().keySet().forEach(SetMember::close);
                    if (silenceOver) {
                        throw new SQLException("no current backend answers", "08S01");
                    }
                    LockSupport.parkNanos(LOOK_NANOS);
                }
            }
        }
    }

    /// Nobody listens there any more: no reason to wait whether it still answers.
    private static boolean isRefusedByTheRest(FanOut<Sighting> looked) {
        return !looked.answers().isEmpty()
                && looked.failures().values().stream().allMatch(BackendErrors::isRefused);
    }

    private List<LogOutcome> transact(Membership next, List<LogWork> work) throws SQLException {
        List<SetMember> members = membersOf(next.members());
        FanOut<List<LogOutcome>> begun = FanOut.ask(members, member -> member.begin(next, work));
        requireAll(begun.failures());
        Optional<List<LogOutcome>> agreed = SetOutcome.of(begun.answers().values());
        if (agreed.isEmpty()) {
            return disagreed(members, work, List.copyOf(begun.answers().values()));
        }
        commit(members, next);
        return agreed.get();
    }

    /// What one backend refuses none does, as a new master that is behind what one has applied.
    /// That they store different things cannot be.
    private static List<LogOutcome> disagreed(
            List<SetMember> members, List<LogWork> work, List<List<LogOutcome>> different)
            throws SQLException {
        if (work.size() > 1) {
            throw new SQLException("the backends decide differently; one by one", "HY000", 1105);
        }
        members.forEach(SetMember::close);
        return different.stream()
                .filter(outcome -> outcome.getFirst() instanceof LogOutcome.Refused)
                .findFirst()
                .orElseThrow(() ->
                        new IllegalStateException(
                                "the backends " + members + " have different logs: " + different));
    }

    private void commit(List<SetMember> members, Membership next) throws SQLException {
        FanOut<Membership> committed = FanOut.ask(members, member -> member.commit(next));
        for (SQLException reason : committed.failures().values()) {
            throw uncertain(reason);
        }
        settled = true;
        unsettledNanos = 0;
        if (!next.is(announced)) {
            announced = next;
            inForce = next;
            attempted = next;
            base = next.members();
            backends.setCurrent(base);
            logger.info("the current backends are {} (generation {})", base, next.generation());
        }
    }

    /// A backend that alone refuses what the others do is excluded; what all refuse is refused.
    private void requireAll(Map<SetMember, SQLException> failures) throws SQLException {
        for (SQLException reason : failures.values()) {
            if (BackendErrors.isTransient(reason)) {
                throw reason;
            }
        }
        if (failures.isEmpty()) {
            return;
        }
        SQLException reason = failures.values().iterator().next();
        if (failures.size() == base.size()) {
            throw reason;
        }
        List<String> refusing = failures.keySet().stream().map(SetMember::name).toList();
        logger.error(
                "{} refuse the log and are excluded: {}; see to them",
                refusing,
                BackendErrors.describe(reason));
        refusing.forEach(name -> refusals.put(name, System.nanoTime()));
        base = base.stream().filter(name -> !refusing.contains(name)).toList();
        throw uncertain(reason);
    }

    private static SQLException uncertain(SQLException reason) {
        return new SQLException(reason.getMessage(), "08S01", reason);
    }

    /// Lets a backend in that {@link CatchUp} has prepared, with all that it lacks by now.
    void admit(String name) throws SQLException, LogCopy.StaleException {
        lock.lock();
        SetMember joiner = membersOf(List.of(name)).getFirst();
        try {
            if (!settled) {
                throw new SQLException("the current backends are not settled", "08S01");
            }
            admit(joiner);
        } finally {
            joiner.close();
            lock.unlock();
        }
    }

    private void admit(SetMember joiner) throws SQLException, LogCopy.StaleException {
        List<SetMember> old = membersOf(base);
        Membership next =
                new Membership(
                        attempted.generation() + 1,
                        owner,
                        Stream.concat(base.stream(), Stream.of(joiner.name())).toList());
        try {
            joiner.lock(attempted.generation());
            requireAll(FanOut.ask(old, member -> member.begin(next, List.of())).failures());
            SetMember source = old.getFirst();
            LogCopy copy = new LogCopy(source.connected(), joiner.connected());
            copy.records(() -> {});
            copy.epochs();
            joiner.put(next, new SetTable(source.connected()).look().version());
        } catch (SQLException | LogCopy.StaleException e) {
            old.forEach(SetMember::close);
            unsettle();
            throw e;
        }
        attempted = next;
        base = next.members();
        unsettle();
        FanOut<Membership> first = FanOut.ask(old, member -> member.commit(next));
        for (SQLException reason : first.failures().values()) {
            throw uncertain(reason);
        }
        joiner.commit(next);
        run(List.of());
    }

    /// Whether another logger was found to be the owner.
    public boolean replaced() {
        return replaced;
    }

    /// The membership in force, made anew where its generation is not above the given one, which is
    /// one that never was in force, or of a logger that has replaced this one: then that shows.
    Membership atLeast(long generation) throws SQLException {
        lock.lock();
        try {
            if (!settled || (attempted.generation() <= generation && !raised(generation))) {
                throw new SQLException("the current backends are not settled", "08S01");
            }
            return inForce;
        } finally {
            lock.unlock();
        }
    }

    private boolean raised(long generation) throws SQLException {
        if (attempted.generation() == generation && attempted.owner() == owner) {
            return true;
        }
        attempted = new Membership(generation + 1, owner, base);
        try {
            transact(attempted, List.of());
            return true;
        } catch (SQLException e) {
            disconnect();
            unsettle();
            throw e;
        }
    }

    boolean refusedLately(String name) {
        Long since = refusals.get(name);
        return since != null && System.nanoTime() - since < TimeUnit.SECONDS.toNanos(30);
    }

    private List<SetMember> membersOf(List<String> names) {
        return configured.values().stream()
                .filter(member -> names.contains(member.name()))
                .sorted(Comparator.comparing(SetMember::name))
                .toList();
    }

    private static Map<String, Sighting> names(Map<SetMember, Sighting> looked) {
        Map<String, Sighting> seen = new LinkedHashMap<>();
        looked.forEach((member, sighting) -> seen.put(member.name(), sighting));
        return seen;
    }

    @Override
    public void disconnect() {
        lock.lock();
        try {
            configured.values().forEach(SetMember::close);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "the set of backends " + backends.current();
    }
}
