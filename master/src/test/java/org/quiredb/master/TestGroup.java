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

/// Real group members of one test, each on a free port.
///
/// Threads: any.
final class TestGroup {
    private final List<InetSocketAddress> hosts = new CopyOnWriteArrayList<>();

    Group join(String name, Group.Listener listener) {
        InetSocketAddress own = new InetSocketAddress(InetAddress.getLoopbackAddress(), freePort());
        hosts.add(own);
        return JGroupsGroup.join(name, own.getAddress(), own.getPort(), hosts, listener);
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
