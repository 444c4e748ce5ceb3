package org.quiredb.common.group;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.stack.IpAddress;

/// JGroups' connections that tell of a death when they close, but for members that have just come:
/// a view may be here before anything that says where its newest member listens, and one that
/// cannot be connected to is suspected at once. So that is waited for.
///
/// Threads: as FD_SOCK2, which may wait for a connection for as long.
public final class FailureSockets extends FD_SOCK2 {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    FailureSockets() {
        setId(
                ClassConfigurator.getProtocolId(
                        FD_SOCK2.class)); // under which others know its headers
    }

    @Override
    protected List<IpAddress> getPhysicalAddresses(Address member) {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(connect_timeout);
        List<IpAddress> known = super.getPhysicalAddresses(member);
        while (known.isEmpty()
                && members.contains(member)
                && System.nanoTime() - deadlineNanos < 0
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(PAUSE_NANOS);
            known = super.getPhysicalAddresses(member);
        }
        return known;
    }
}
