package org.quiredb.master;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.quiredb.common.group.Group;
import org.quiredb.common.group.JGroupsGroup;
import org.quiredb.common.trust.Trust;

/// Real group members of one test, each on a free port.
///
/// Threads: any.
final class TestGroup {
    private static final int FAILURE_PORT_OFFSET = 100;

    private final List<InetSocketAddress> hosts = new CopyOnWriteArrayList<>();

    Group join(String name, Group.Listener listener) {
        InetSocketAddress own = new InetSocketAddress(InetAddress.getLoopbackAddress(), freePort());
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

    private static int freePort() {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        while (true) {
            try (ServerSocket socket = new ServerSocket(0, 1, loopback)) {
                int port = socket.getLocalPort();
                try (ServerSocket second = new ServerSocket()) {
                    second.bind(new InetSocketAddress(loopback, port + FAILURE_PORT_OFFSET));
                    return port;
                } catch (IOException | IllegalArgumentException e) {
                    // taken, or none: the next port
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
