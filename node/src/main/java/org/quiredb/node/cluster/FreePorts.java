package org.quiredb.node.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/// Ports on loopback that nothing listens on, for the group, whose members must know each other's
/// before they listen.
final class FreePorts {
    private FreePorts() {}

    static int next() {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
