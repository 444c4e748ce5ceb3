package org.quiredb.master;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.quiredb.common.group.Group;
import org.quiredb.common.group.JGroupsGroup;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.common.trust.Trust;

/// Real group members of one test, each on a free port.
///
/// Threads: any.
final class TestGroup {
    private static final int FAILURE_PORT_OFFSET = 100;

    private final List<InetSocketAddress> hosts = new CopyOnWriteArrayList<>();

    Group join(String name, Group.Listener listener) {
        InetSocketAddress own =
                new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), FreePorts.two(FAILURE_PORT_OFFSET));
        hosts.add(own);
        return JGroupsGroup.join(
                name,
                own.getAddress(),
                own.getPort(),
                FAILURE_PORT_OFFSET,
                hosts,
                Trust.loopback(),
                listener);
    }
}
