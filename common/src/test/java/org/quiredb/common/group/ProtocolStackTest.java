package org.quiredb.common.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import org.jgroups.protocols.TCP;
import org.jgroups.stack.Protocol;
import org.junit.jupiter.api.Test;
import org.quiredb.common.trust.Trust;

class ProtocolStackTest {
    /// Else a write set waits until the one before is acknowledged, which may take 40 ms.
    @Test
    void smallMessagesLeaveAtOnce() {
        List<Protocol> stack =
                ProtocolStack.of(
                        InetAddress.getLoopbackAddress(), 1, 100, List.of(), Trust.loopback());
        assertThat(stack.getFirst())
                .isInstanceOfSatisfying(TCP.class, tcp -> assertThat(tcp.tcpNodelay()).isTrue());
    }
}
