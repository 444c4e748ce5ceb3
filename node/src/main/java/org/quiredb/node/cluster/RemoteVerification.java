package org.quiredb.node.cluster;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.quiredb.common.lifecycle.Parts;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.version.VersionVector;
import org.quiredb.node.verify.Verification;
import org.quiredb.node.verify.Verifier;

/// Compares the parts of a tier that goes on working.
///
/// A replica keeps every version from the lowest watermark on that a connection has told it. So
/// each replica is told the current vector first; a vector asked for after that covers it, and its
/// versions are kept as long as the connections are open.
final class RemoteVerification {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private RemoteVerification() {}

    /// @param current the scheduler's version vector
    static Verification run(
            Map<String, InetSocketAddress> replicas,
            InetSocketAddress logger,
            Supplier<VersionVector> current) {
        try (Parts connections = new Parts()) {
            RpcClient log = connections.add(RpcClient.connect(logger, PATIENCE));
            Map<String, RpcClient> clients = new LinkedHashMap<>();
            byte[] watermark = new ReplicaRequest.Status(current.get()).encode();
            replicas.forEach((name, address) -> {
                RpcClient client = connections.add(RpcClient.connect(address, PATIENCE));
                client.callForEnd(watermark, PATIENCE);
                clients.put(name, client);
            });
            return new Verifier(clients, log).verify(current.get());
        }
    }
}
