package org.quiredb.common.group;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FailureDetection;
import org.quiredb.common.liveness.SilenceLimit;

/// Suspects members that have sent nothing for longer than the delays seen lately allow.
///
/// As JGroups' FD_ALL3, but for the limit. One limit for all members: what makes one slow makes the
/// others slow, and a member that was missed by mistake need not be missed again to be known as
/// slow. Time in which this process itself was kept from running is nobody's silence.
///
/// Threads: messages by any; the checks one at a time, by the group's timer.
public final class SilenceDetection extends FailureDetection {
    private static final short PROTOCOL_ID = 0x5153;
    private static final long CHECK_MILLIS = 50;
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(CHECK_MILLIS);

    private static final long LEAST_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /// Who stood still for longer was stopped, which says nothing about others.
    private static final long LONGEST_DELAY_NANOS = TimeUnit.SECONDS.toNanos(3);

    static {
        ClassConfigurator.addProtocol(PROTOCOL_ID, SilenceDetection.class);
    }

    private final Map<Address, AtomicLong> heardNanos = new ConcurrentHashMap<>();
    private final SilenceLimit limit;
    private final LongSupplier clock;
    private final long heartbeatNanos;
    private volatile long checkedNanos;

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
