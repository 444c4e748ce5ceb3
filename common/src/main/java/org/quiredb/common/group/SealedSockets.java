package org.quiredb.common.group;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jgroups.util.DefaultSocketFactory;
import org.jgroups.util.Util;
import org.quiredb.common.trust.ClusterSecret;

/// Where the group's transport gets its sockets: sealed ones, and no others.
final class SealedSockets extends DefaultSocketFactory {
    private final ClusterSecret secret;
    private final List<ServerSocket> ports = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    SealedSockets(ClusterSecret secret) {
        this.secret = secret;
    }

    @Override
    public Socket createSocket(String service) throws SocketException {
        if (closed) {
            throw new SocketException("this member has ended");
        }
        return new SealedSocket(secret);
    }

    @Override
    public ServerSocket createServerSocket(String service) throws IOException {
        SealedServerSocket port = new SealedServerSocket(secret);
        ports.add(port);
        return port;
    }

    /// Nobody reaches this member from now on, nor does it anybody, as when it is told of its own
    /// connections that they close; what is connected stays so.
    void closePorts() {
        closed = true;
        ports.forEach(Util::close);
    }

    @Override
    public SocketChannel createSocketChannel(String service) {
        throw unsealed(service);
    }

    @Override
    public ServerSocketChannel createServerSocketChannel(String service) {
        throw unsealed(service);
    }

    private static UnsupportedOperationException unsealed(String service) {
        return new UnsupportedOperationException(service + " would not be sealed");
    }
}
