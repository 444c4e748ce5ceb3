package org.quiredb.common.group;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.quiredb.common.lifecycle.Trouble;
import org.quiredb.common.trust.Anteroom;
import org.quiredb.common.trust.ClusterSecret;
import org.quiredb.common.trust.UntrustedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Accepts connections that have proved the cluster's secret: each does so on a thread of its own,
/// so that one that is slow keeps no other out.
///
/// Threads: any.
final class SealedServerSocket extends ServerSocket {
    private static final Logger LOG = LoggerFactory.getLogger(SealedServerSocket.class);
    private static final int MAXIMUM_ADMITTED = 64;
    private static final long CHECK_MILLIS = 100;
    private static final long PAUSE_MILLIS = 50;

    private final ClusterSecret secret;
    private final Anteroom unproved = new Anteroom();
    private final BlockingQueue<Socket> admitted = new ArrayBlockingQueue<>(MAXIMUM_ADMITTED);
    private final Trouble refusals = new Trouble();

    SealedServerSocket(ClusterSecret secret) throws IOException {
        this.secret = secret;
    }

    @Override
    public void bind(SocketAddress address, int backlog) throws IOException {
        super.bind(address, backlog);
        Thread.ofVirtual().name("group-door").start(this::listen);
    }

    /// Returns the next that has proved the secret.
    @Override
    public Socket accept() throws IOException {
        while (!isClosed()) {
            try {
                Socket next = admitted.poll(CHECK_MILLIS, TimeUnit.MILLISECONDS);
                if (next != null && !isClosed()) {
                    return next;
                }
                if (next != null) {
                    close(next);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SocketException("interrupted");
            }
        }
        throw new SocketException("the group's port is closed");
    }

    private void listen() {
        while (!isClosed()) {
            SealedSocket socket = new SealedSocket(secret);
            try {
                implAccept(socket);
            } catch (IOException e) {
                pause(e);
                continue;
            }
            unproved.enter(socket);
            Thread.ofVirtual().name("group-handshake").start(() -> admit(socket));
        }
    }

    /// Not once the port is closed: who is let in takes this member for alive, and the system may
    /// have taken the connection before it had closed the port.
    private void admit(SealedSocket socket) {
        try {
            if (isClosed()) {
                throw new SocketException("the group's port is closed");
            }
            socket.admit(System.nanoTime() + Anteroom.LIMIT.toNanos());
            if (!admitted.offer(socket)) {
                throw new UntrustedException("too many come in at once");
            }
        } catch (IOException | RuntimeException e) {
            refuse(socket, e);
        } finally {
            unproved.leave(socket);
        }
        if (isClosed()) {
            closeAdmitted();
        }
    }

    private void refuse(SealedSocket socket, Exception reason) {
        if (reason instanceof UntrustedException && refusals.met()) {
            LOG.warn(
                    "the group refused {}: {}",
                    socket.getRemoteSocketAddress(),
                    reason.getMessage());
        } else {
            LOG.debug("the group refused {}", socket.getRemoteSocketAddress(), reason);
        }
        close(socket);
    }

    /// Out of descriptors, say: they come back.
    private void pause(IOException reason) {
        if (!isClosed()) {
            LOG.debug("the group's port accepts nothing", reason);
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() throws IOException {
        super.close();
        unproved.closeAll();
        closeAdmitted();
    }

    private void closeAdmitted() {
        for (Socket left = admitted.poll(); left != null; left = admitted.poll()) {
            close(left);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("a connection does not close", e);
        }
    }
}
