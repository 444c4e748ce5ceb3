package org.quiredb.common.group;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FailureDetection;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.liveness.SilenceLimit;

/// Suspects members that have sent nothing for longer than the delays seen lately allow.
///
/// As JGroups' FD_ALL3, but for the limit. One limit for all members: what makes one slow makes the
/// others slow, and a member that was missed by mistake need not be missed again to be known as
/// slow. Time in which this process itself was kept from running is nobody's silence.
///
/// Threads: messages by any; the checks one at a time, by the group's timer.
public final class SilenceDetection extends FailureDetection {
    static final short PROTOCOL_ID = 0x5153;
    private static final long CHECK_MILLIS = 100;
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(CHECK_MILLIS);

    private static final long LEAST_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /// Who stood still for longer was stopped, which says nothing about others.
    private static final long LONGEST_DELAY_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final long STILL_ARRIVING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    static {
        ClassConfigurator.addProtocol(PROTOCOL_ID, SilenceDetection.class);
    }

    private final Map<Address, AtomicLong> heardNanos = new ConcurrentHashMap<>();
    private final Map<Address, Long> closedNanos = new ConcurrentHashMap<>();
    private final SilenceLimit limit;
    private final LongSupplier clock;
    private final long heartbeatNanos;
    private volatile long checkedNanos;
    private volatile @Nullable Predicate<Address> reaches;

    /// @param silenceMillis the limit while nothing is slow
    /// @param heartbeatMillis how often who has nothing to say says so
    /// @param clock in nanoseconds, one that never jumps
    SilenceDetection(long silenceMillis, long heartbeatMillis, LongSupplier clock) {
        this.clock = clock;
        limit = new SilenceLimit(silenceMillis);
        heartbeatNanos = TimeUnit.MILLISECONDS.toNanos(heartbeatMillis);
        timeout = silenceMillis;
        interval = heartbeatMillis;
    }

    @Override
    protected Map<Address, AtomicLong> getTimestamps() {
        return heardNanos;
    }

    @Override
    protected long getTimeoutCheckInterval() {
        return CHECK_MILLIS;
    }

    @Override
    protected String getTimeoutCheckerInfo() {
        return "checks every %d ms for silence of %d ms"
                .formatted(CHECK_MILLIS, limit.millis(clock.getAsLong()));
    }

    /// @param skipIfExists the member is in the view, and not heard of at this moment
    @Override
    protected void update(Address sender, boolean logMessage, boolean skipIfExists) {
        if (sender == null || sender.equals(local_addr)) {
            return;
        }
        long now = clock.getAsLong();
        AtomicLong heard = heardNanos.get(sender);
        if (heard == null) {
            heardNanos.putIfAbsent(sender, new AtomicLong(now));
        } else if (!skipIfExists) {
            late(now - heard.getAndSet(now) - heartbeatNanos, now);
        }
    }

    /// The transport is to tell of connections that close: whose does is missed at once, until it
    /// is heard again.
    ///
    /// @param reaches whether a member takes another connection, and so is there; may take long
    SilenceDetection missingWhoCloses(Predicate<Address> reaches) {
        this.reaches = reaches;
        return this;
    }

    @Override
    public @Nullable Object up(Event event) {
        @Nullable Predicate<Address> there = reaches;
        if (event.getType() == Event.SUSPECT && there != null) {
            Collection<Address> told = event.getArg();
            List<Address> gone = told.stream().filter(there.negate()).toList();
            if (!gone.isEmpty()) {
                missed(gone);
            }
            return null;
        }
        return up_prot.up(event);
    }

    private void missed(List<Address> gone) {
        long now = clock.getAsLong();
        gone.forEach(member -> closedNanos.put(member, now));
        suspect(withSuspected(gone));
    }

    /// Whoever is to lead when all of these are gone acts on all of them.
    private synchronized List<Address> withSuspected(Collection<Address> closed) {
        Set<Address> all = new LinkedHashSet<>(suspected_mbrs);
        all.addAll(closed);
        return List.copyOf(all);
    }

    /// What arrives just now was sent before the connection closed.
    @Override
    protected boolean unsuspect(Address member) {
        Long closed = member == null ? null : closedNanos.get(member);
        boolean old = closed != null && clock.getAsLong() - closed < STILL_ARRIVING_NANOS;
        return !old && super.unsuspect(member);
    }

    @Override
    protected void retainKeys(List<Address> members) {
        super.retainKeys(members);
        closedNanos.keySet().retainAll(members);
    }

    private void late(long nanos, long now) {
        if (nanos > LEAST_DELAY_NANOS) {
            limit.observed(Math.min(nanos, LONGEST_DELAY_NANOS), now);
        }
    }

    @Override
    protected Runnable createTimeoutChecker() {
        Runnable check = super.createTimeoutChecker();
        begin();
        return () -> {
            excuseOwnDelay();
            check.run();
        };
    }

    void begin() {
        checkedNanos = clock.getAsLong();
    }

    void excuseOwnDelay() {
        long now = clock.getAsLong();
        long lateNanos = now - checkedNanos - CHECK_NANOS;
        checkedNanos = now;
        if (lateNanos > LEAST_DELAY_NANOS) {
            late(lateNanos, now);
            heardNanos
                    .values()
                    .forEach(heard ->
                            heard.accumulateAndGet(
                                    lateNanos, (at, late) -> Math.min(at + late, now)));
        }
    }

    @Override
    protected <T> boolean needsToBeSuspected(Address member, T heard) {
        long now = clock.getAsLong();
        return heard instanceof AtomicLong at && now - at.get() > limit.nanos(now);
    }
}
