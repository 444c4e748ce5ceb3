package org.quiredb.replica.transfer;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.quiredb.common.trust.Trust;

/// One caller per address.
///
/// Threads: one.
public final class PeerConnections implements AutoCloseable {
    private final Trust trust;
    private final Duration timeout;
    private final Map<InetSocketAddress, PeerConnection> callers = new HashMap<>();

    /// @param timeout as of each caller
    public PeerConnections(Trust trust, Duration timeout) {
        this.trust = trust;
        this.timeout = timeout;
    }

    public PeerConnection to(InetSocketAddress address) {
        return callers.computeIfAbsent(address, a -> new PeerConnection(a, trust, timeout));
    }

    @Override
    public void close() {
        callers.values().forEach(PeerConnection::close);
    }
}
