package org.quiredb.common.rpc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/// A cable between clients and a server that somebody has got at: it records what clients send, and
/// may alter it.
///
/// Threads: any.
public final class Tap implements AutoCloseable {
    private final ServerSocket listening =
            new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final InetSocketAddress server;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream recorded = new ByteArrayOutputStream();

    private volatile UnaryOperator<byte[]> alteration = UnaryOperator.identity();

    public Tap(InetSocketAddress server) throws IOException {
        this.server = server;
        Thread.ofVirtual().start(this::listen);
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    /// What clients send from now on arrives like this.
    public void alter(UnaryOperator<byte[]> altered) {
        alteration = altered;
    }

    /// What all clients have sent.
    public synchronized byte[] recorded() {
        return recorded.toByteArray();
    }

    private void listen() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket onwards = new Socket(server.getAddress(), server.getPort());
                sockets.add(client);
                sockets.add(onwards);
                Thread.ofVirtual().start(() -> pass(client, onwards, true));
                Thread.ofVirtual().start(() -> pass(onwards, client, false));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void pass(Socket from, Socket to, boolean fromClient) {
        byte[] buffer = new byte[64 * 1024];
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                byte[] bytes = Arrays.copyOf(buffer, read);
                out.write(fromClient ? taken(bytes) : bytes);
            }
        } catch (IOException e) {
            // one side is gone
        }
    }

    private byte[] taken(byte[] bytes) {
        synchronized (this) {
            recorded.writeBytes(bytes);
        }
        return alteration.apply(bytes);
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
