package org.quiredb.node.coldstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.node.config.HostPort;

class SilentHostTest {
    @Test
    void whoConnectsWaitsInVainAndAfterwardsThePortIsFree() throws Exception {
        HostPort address = new HostPort("127.0.0.1", FreePorts.next());
        InetSocketAddress there = new InetSocketAddress(address.host(), address.port());
        try (SilentHost silent = new SilentHost(List.of(address));
                Socket socket = new Socket()) {
            assertThat(silent).isNotNull();
            assertThatThrownBy(() -> socket.connect(there, 300))
                    .isInstanceOf(SocketTimeoutException.class);
        }
        new SilentHost(List.of(address)).close();
    }
}
