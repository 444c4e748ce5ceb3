package org.quiredb.common.group;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jgroups.protocols.FRAG2;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.MFC;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.UFC;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.stack.Protocol;
import org.quiredb.common.trust.ClusterSecret;
import org.quiredb.common.trust.Trust;

/// The JGroups protocols of a member, from the sockets upwards.
///
/// Where the cluster has a secret, the transport's sockets are sealed, so that everything of
/// JGroups passes through connections between holders of it. (SYM_ENCRYPT would leave headers in
/// the clear, accept messages that are nothing but headers from anybody, as leaving and suspecting
/// are, and take recorded ones again; AUTH would show its token once for all.) FD_SOCK2 then has no
/// port: what connects to it is believed, and could have any member suspected. The transport's own
/// connections tell of a death instead.
final class ProtocolStack {
    private static final int CONNECT_TIMEOUT_MILLIS = 500;
    private static final int JOIN_TIMEOUT_MILLIS = 1000;
    private static final int SILENCE_MILLIS = 700;
    private static final int HEARTBEAT_MILLIS = 200;
    private static final int MERGE_MIN_MILLIS = 1000;
    private static final int MERGE_MAX_MILLIS = 2000;

    /// A commit waits for what is lost on a connection that breaks; each member looks so often.
    private static final int RETRANSMIT_MILLIS = 200;

    private static final int FRAGMENT_BYTES = 60 * 1024;
    private static final int CREDIT_BYTES = 8 * 1024 * 1024;
    private static final int STABLE_AFTER_BYTES = 4 * 1024 * 1024;

    private ProtocolStack() {}

    static List<Protocol> of(
            InetAddress bindAddress,
            int port,
            int failurePortOffset,
            List<InetSocketAddress> initialHosts,
            Trust trust) {
        MemberConnections transport = new MemberConnections();
        transport.setBindAddress(bindAddress).setBindPort(port).setPortRange(0);
        transport.setSockConnTimeout(CONNECT_TIMEOUT_MILLIS);
        // Small messages leave at once; else each waits for the acknowledgement of the one before.
        transport.tcpNodelay(true);
        // By their sender's own thread: what is sent here is gathered already, and a member that
        // does not read blocks who writes to it, not a thread that all messages go through.
        transport.setBundlerType("no-bundler");
        transport.disableDiagnostics();
        TCPPING discovery = new TCPPING();
        discovery.setInitialHosts(initialHosts).setPortRange(0);
        SilenceDetection heartbeats =
                new SilenceDetection(SILENCE_MILLIS, HEARTBEAT_MILLIS, System::nanoTime);
        List<Protocol> deaths =
                switch (trust) {
                    case Trust.Loopback() ->
                            List.of(
                                    new FailureSockets()
                                            .setBindAddress(bindAddress)
                                            .setOffset(failurePortOffset)
                                            .setPortRange(0));
                    case Trust.Holders(ClusterSecret secret) -> {
                        transport.setSocketFactory(new SealedSockets(secret));
                        transport.setBufferedOutputStreamSize(0); // records are gathered anyway
                        transport.enableSuspectEvents(true);
                        heartbeats.missingWhoCloses(transport::reaches);
                        yield List.of();
                    }
                };
        List<Protocol> stack = new ArrayList<>();
        stack.add(transport);
        stack.add(discovery);
        stack.add(new MERGE3().setMinInterval(MERGE_MIN_MILLIS).setMaxInterval(MERGE_MAX_MILLIS));
        stack.addAll(deaths);
        stack.addAll(above(heartbeats));
        return stack;
    }

    private static List<Protocol> above(SilenceDetection heartbeats) {
        return List.of(
                heartbeats,
                new NAKACK2().useMcastXmit(false).setXmitInterval(RETRANSMIT_MILLIS),
                new UNICAST3().setXmitInterval(RETRANSMIT_MILLIS),
                new STABLE().setMaxBytes(STABLE_AFTER_BYTES),
                new GMS().setJoinTimeout(JOIN_TIMEOUT_MILLIS).printLocalAddress(false),
                new MFC().setMaxCredits(CREDIT_BYTES),
                new UFC().setMaxCredits(CREDIT_BYTES),
                new FRAG2().setFragSize(FRAGMENT_BYTES));
    }
}
