package org.quiredb.scheduler;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// The way to a server, which can be cut.
///
/// Threads: any.
final class Relay implements AutoCloseable {
    private final ServerSocket listening;
    private final int port;
    private final Queue<Socket> open = new ConcurrentLinkedQueue<>();

    /// @param url of the server
    Relay(String url) throws IOException {
        port = URI.create(url.substring("jdbc:".length())).getPort();
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return "jdbc:mysql://127.0.0.1:" + listening.getLocalPort() + "/";
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                open.add(client);
                open.add(server);
                Thread.ofVirtual().start(() -> copy(client, server));
                Thread.ofVirtual().start(() -> copy(server, client));
            }
        } catch (IOException e) {
            return; // it is cut
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            return; // one of both has ended
        }
    }

    @Override
    public void close() {
        cut();
    }

    /// From now on nobody is there.
    void cut() {
        try {
            listening.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
