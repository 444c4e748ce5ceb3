package org.quiredb.node.coldstart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.quiredb.common.lifecycle.Parts;
import org.quiredb.node.config.HostPort;

/// Addresses that answer nothing, as those of a host that is gone: whoever connects waits.
///
/// The queue of each port is full and nobody takes from it, so that the system drops what comes.
/// Threads: one.
final class SilentHost implements AutoCloseable {
    private static final int FILLING = 4;

    private final Parts parts = new Parts();

    SilentHost(List<HostPort> addresses) {
        try {
            for (HostPort address : addresses) {
                silence(new InetSocketAddress(address.host(), address.port()));
            }
        } catch (IOException e) {
            parts.closeAfter(e);
            throw new UncheckedIOException("cannot take the ports of a missing host", e);
        }
    }

    private void silence(InetSocketAddress address) throws IOException {
        ServerSocket full = parts.add(new ServerSocket());
        full.setReuseAddress(true);
        full.bind(address, 1);
        for (int i = 0; i < FILLING; i++) {
            SocketChannel waiting = parts.add(SocketChannel.open());
            waiting.configureBlocking(false);
            waiting.connect(address);
        }
    }

    @Override
    public void close() {
        parts.close();
    }
}
