package org.quiredb.node.config;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.net.InetSocketAddress;

/// Where a part listens, as `host:port`. The name is looked up when it is connected to: a process
/// may start before the others have addresses.
public record HostPort(String host, int port) {
    public HostPort {
        if (host.isBlank() || port < 0 || port > 0xFFFF) {
            throw new IllegalArgumentException("not a host and a port: " + host + ":" + port);
        }
    }

    @JsonCreator
    static HostPort parse(String text) {
        int colon = text.lastIndexOf(':');
        try {
            return new HostPort(
                    text.substring(0, Math.max(colon, 0)),
                    Integer.parseInt(text.substring(colon + 1)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("expected host:port, not '" + text + "'", e);
        }
    }

    public InetSocketAddress unresolved() {
        return InetSocketAddress.createUnresolved(host, port);
    }

    @JsonValue
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
