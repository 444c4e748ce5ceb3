package org.quiredb.common.rpc;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.trust.Trust;

/// A server as the clients of its own process reach it: without a socket, by the same address.
///
/// Threads: any.
final class LocalServer {
    private static final Map<Integer, LocalServer> LISTENING = new ConcurrentHashMap<>();

    private final InetSocketAddress address;
    private final Trust trust;
    private final RpcHandler handler;
    private final AtomicLong peers;
    private final Set<LocalConnection> connections = ConcurrentHashMap.newKeySet();

    /// @param peers numbers those who connect, here or over a socket
    LocalServer(InetSocketAddress address, Trust trust, RpcHandler handler, AtomicLong peers) {
        this.address = address;
        this.trust = trust;
        this.handler = handler;
        this.peers = peers;
    }

    InetSocketAddress address() {
        return address;
    }

    RpcHandler handler() {
        return handler;
    }

    long nextPeer() {
        return peers.incrementAndGet();
    }

    void left(LocalConnection connection) {
        connections.remove(connection);
    }

    void open() {
        LISTENING.put(address.getPort(), this);
    }

    /// Nobody connects any more, and calls under way fail.
    void close() {
        LISTENING.remove(address.getPort(), this);
        connections.forEach(LocalConnection::close);
    }

    /// A connection to who listens there, null when that is no server of this process, or one that
    /// would not admit this client: a socket shows what is wrong then.
    static @Nullable LocalConnection connect(InetSocketAddress address, Trust trust) {
        LocalServer server = LISTENING.get(address.getPort());
        if (server == null || !server.trust.equals(trust) || !server.listensOn(address)) {
            return null;
        }
        LocalConnection connection = new LocalConnection(server);
        server.connections.add(connection);
        if (LISTENING.get(address.getPort()) != server) {
            connection.close(); // it may have closed those that it knew before
            return null;
        }
        return connection;
    }

    /// By name, too: callers keep names, since the address behind one may change.
    private boolean listensOn(InetSocketAddress wanted) {
        InetAddress host =
                new InetSocketAddress(wanted.getHostString(), wanted.getPort()).getAddress();
        return host != null
                && (host.equals(address.getAddress())
                        || (address.getAddress().isAnyLocalAddress() && isOfThisHost(host)));
    }

    private static boolean isOfThisHost(InetAddress host) {
        try {
            return host.isLoopbackAddress() || NetworkInterface.getByInetAddress(host) != null;
        } catch (SocketException e) {
            return false;
        }
    }
}
