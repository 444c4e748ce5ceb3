package org.quiredb.replica.transfer;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.quiredb.common.trust.Trust;

/// One caller per address.
///
/// Threads: one.
public final class Callers implements AutoCloseable {
    private final Trust trust;
    private final Duration timeout;
    private final Map<InetSocketAddress, Caller> callers = new HashMap<>();

    /// @param timeout as of each caller
    public Callers(Trust trust, Duration timeout) {
        this.trust = trust;
        this.timeout = timeout;
    }

    public Caller to(InetSocketAddress address) {
        return callers.computeIfAbsent(address, a -> new Caller(a, trust, timeout));
    }

    @Override
    public void close() {
        callers.values().forEach(Caller::close);
    }
}
