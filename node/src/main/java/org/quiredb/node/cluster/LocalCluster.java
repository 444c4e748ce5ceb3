package org.quiredb.node.cluster;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import org.quiredb.common.group.JGroupsGroup;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.rpc.RpcServer;
import org.quiredb.common.version.VersionVector;
import org.quiredb.logger.LoggerConfiguration;
import org.quiredb.logger.PersistenceLogger;
import org.quiredb.logger.backend.BackendAddress;
import org.quiredb.master.MasterService;
import org.quiredb.master.TierNode;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.verify.Verification;
import org.quiredb.node.verify.Verifier;
import org.quiredb.replica.GroupMembership;
import org.quiredb.replica.NodeConfiguration;
import org.quiredb.replica.NodeConfiguration.Role;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.service.Engine;
import org.quiredb.replica.sql.SqlEngine;
import org.quiredb.scheduler.Pin;
import org.quiredb.scheduler.Scheduler;
import org.quiredb.scheduler.SchedulerConfig;

/// A running tier over a backend that its caller owns.
///
/// Threads: started and closed by one, asked by any.
public final class LocalCluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String MASTER = "master";

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final Map<String, InetSocketAddress> replicas = new ConcurrentSkipListMap<>();
    private final Map<String, TierNode> nodes = new ConcurrentHashMap<>();
    private final List<InetSocketAddress> groupHosts = new ArrayList<>();
    private final InetSocketAddress logger;
    private final Scheduler scheduler;

    private LocalCluster(ClusterConfig config, EmbeddedBackend backend) {
        PersistenceLogger persistenceLogger =
                add(
                        PersistenceLogger.start(
                                LoggerConfiguration.of(
                                        "logger",
                                        List.of(
                                                new BackendAddress(
                                                        backend.jdbcUrl(),
                                                        config.user(),
                                                        config.password())))));
        logger = loopback(add(RpcServer.start(loopback(0), persistenceLogger)).port());
        startReplicas(config);
        scheduler =
                add(
                        Scheduler.start(
                                new SchedulerConfig(
                                        "scheduler",
                                        "127.0.0.1",
                                        config.port(),
                                        0,
                                        config.user(),
                                        config.password(),
                                        backend.serverVersion(),
                                        List.copyOf(replicas.values()),
                                        logger,
                                        backend.jdbcUrl(),
                                        config.user(),
                                        config.password(),
                                        SchedulerConfig.DEFAULT_MAXIMUM_CONNECTIONS,
                                        SchedulerConfig.DEFAULT_MAXIMUM_BACKEND_CONNECTIONS)));
        try (Pin ready = scheduler.pin()) {
            ready.tag();
        }
    }

    /// Returns when clients are served.
    ///
    /// @throws RuntimeException when a part does not start; the others are stopped then
    public static LocalCluster start(ClusterConfig config, EmbeddedBackend backend) {
        return new LocalCluster(config, backend);
    }

    /// Where MySQL clients connect.
    public int port() {
        return scheduler.port();
    }

    /// Statements of read-only transactions that each replica has answered.
    public Map<String, Long> readsByNode() {
        Map<String, Long> reads = new TreeMap<>();
        replicas.keySet().forEach(name -> reads.put(name, 0L));
        for (NodeStatus.Figure figure : scheduler.status().figures()) {
            if (figure.name().startsWith("reads.")) {
                reads.put(figure.name().substring("reads.".length()), (long) figure.value());
            }
        }
        return reads;
    }

    /// What the tier counted since its start, under the names of the demo's JSON.
    public Map<String, Object> figures() {
        NodeStatus schedulerStatus = scheduler.status();
        NodeStatus master = status(Objects.requireNonNull(replicas.get(leader())));
        double commits = schedulerStatus.figure("commits");
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("readsByNode", readsByNode());
        figures.put("tierCommits", (long) commits);
        figures.put("versionConflicts", (long) schedulerStatus.figure("version.conflicts"));
        figures.put("fallbackStatements", (long) schedulerStatus.figure("fallback.statements"));
        figures.put(
                "writeSetBytesPerCommit",
                commits == 0 ? 0 : Math.round(master.figure("writeset.bytes") / commits));
        figures.put("pageBytes", (long) master.figure("pages.bytes"));
        return figures;
    }

    /// Compares every replica with the backend at the current tag, while updates go on.
    public Verification verify() {
        Map<String, RpcClient> clients = new LinkedHashMap<>();
        try (Pin pin = scheduler.pin();
                RpcClient log = RpcClient.connect(logger, PATIENCE)) {
            replicas.forEach(
                    (name, address) -> clients.put(name, RpcClient.connect(address, PATIENCE)));
            return new Verifier(clients, log).verify(pin.tag());
        } finally {
            clients.values().forEach(RpcClient::close);
        }
    }

    /// The replica that is master now.
    public String leader() {
        return nodes.entrySet().stream()
                .filter(node -> node.getValue().leads())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no replica is master"));
    }

    /// Ends a replica as if its process were killed.
    public void kill(String replica) {
        TierNode node = Objects.requireNonNull(nodes.remove(replica), replica);
        parts.remove(node);
        replicas.remove(replica);
        node.kill();
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                throw new IllegalStateException("the tier did not stop cleanly", e);
            }
        }
    }

    private void startReplicas(ClusterConfig config) {
        List<Role> roles = new ArrayList<>(List.of(Role.MASTER));
        for (int i = 0; i < config.slaves(); i++) {
            roles.add(Role.SLAVE);
        }
        for (int i = 0; i < config.spares(); i++) {
            roles.add(Role.SPARE);
        }
        roles.forEach(role -> groupHosts.add(loopback(FreePorts.next())));
        for (int i = 0; i < roles.size(); i++) {
            startReplica(i, roles.get(i));
        }
    }

    private void startReplica(int number, Role role) {
        String name = role == Role.MASTER ? MASTER : role.text() + "-" + number;
        int groupPort = groupHosts.get(number).getPort();
        NodeConfiguration configuration =
                new NodeConfiguration(
                        name,
                        role,
                        "127.0.0.1",
                        0,
                        groupPort,
                        groupHosts,
                        logger,
                        Optional.empty());
        GroupMembership.Entrance entrance =
                (member, listener) ->
                        JGroupsGroup.join(
                                member,
                                InetAddress.getLoopbackAddress(),
                                groupPort,
                                groupHosts,
                                listener);
        Function<PageStore, Engine> engine = SqlEngine::new;
        TierNode node =
                add(
                        TierNode.start(
                                configuration, engine, entrance, MasterService.Settings.DEFAULT));
        nodes.put(name, node);
        replicas.put(name, loopback(node.rpcPort()));
    }

    private static NodeStatus status(InetSocketAddress replica) {
        try (RpcClient client = RpcClient.connect(replica, PATIENCE)) {
            byte[] reply =
                    client.callForEnd(
                            new ReplicaRequest.Status(VersionVector.EMPTY).encode(), PATIENCE);
            if (ReplicaReply.decode(reply) instanceof ReplicaReply.StatusReply(NodeStatus status)) {
                return status;
            }
            throw new IllegalStateException("a replica did not tell its status");
        }
    }

    private <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
