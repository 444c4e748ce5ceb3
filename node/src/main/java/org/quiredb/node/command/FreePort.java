package org.quiredb.node.command;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// A port that must be free before minutes of work begin.
final class FreePort {
    private FreePort() {}

    /// @param option what chooses another
    static void require(int port, String option) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "Port %d on 127.0.0.1 is in use; stop what listens there or choose another with %s."
                            .formatted(port, option),
                    e);
        }
    }
}
