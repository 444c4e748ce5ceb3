package org.quiredb.node.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// Tells early and in the user's words that a port is taken; what binds it later would tell in its
/// own.
public final class FreePort {
    private FreePort() {}

    /// @param option what to change, a key or an option
    /// @throws QuireException when something listens there, or the host is not this machine's
    public static void require(String option, String host, int port) {
        InetAddress address = address(host);
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(address, port));
        } catch (IOException e) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "cannot listen on port %d of %s (%s); stop what listens there or choose another with %s"
                            .formatted(port, host, e.getMessage(), option),
                    e);
        }
    }

    static InetAddress address(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "host %s is unknown here; name an address of this machine".formatted(host),
                    e);
        }
    }
}
