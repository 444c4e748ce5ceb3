package org.quiredb.scheduler;

import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.NodeStatus.Figure;
import org.quiredb.common.rpc.RpcServer;
import org.quiredb.common.topology.Topology;
import org.quiredb.scheduler.account.ConfiguredAccounts;
import org.quiredb.scheduler.classify.Classifier;
import org.quiredb.scheduler.cluster.Cluster;
import org.quiredb.scheduler.cluster.LoggerLink;
import org.quiredb.scheduler.cluster.MendingWire;
import org.quiredb.scheduler.cluster.ReplicaLink;
import org.quiredb.scheduler.cluster.Wire;
import org.quiredb.scheduler.endpoint.MySqlServer;
import org.quiredb.scheduler.fallback.BackendAccounts;
import org.quiredb.scheduler.fallback.FallbackBackend;
import org.quiredb.scheduler.route.Tags;
import org.quiredb.scheduler.session.ClientSession;
import org.quiredb.scheduler.session.Clients;
import org.quiredb.scheduler.session.Doing;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SnapshotNeed;
import org.quiredb.scheduler.session.state.StatementTimes;
import org.quiredb.scheduler.session.state.TransactionIds;
import org.quiredb.scheduler.statement.StatementBook;

/// A running scheduler.
///
/// It answers other schedulers from its start, and listens for MySQL clients once it can serve
/// them: a driver that is refused goes on to another scheduler at once.
///
/// Threads: any.
public final class Scheduler implements AutoCloseable {
    private static final int CACHED_CLASSIFICATIONS = 10_000;

    private final SchedulerConfig config;
    private final Services services;
    private final Clients clients;
    private final RpcServer statusServer;
    private final ReentrantLock opening = new ReentrantLock();

    /// Threads: written under the lock opening.
    private volatile @Nullable MySqlServer endpoint;

    private volatile @Nullable Figure console;
    private boolean closed;

    private Scheduler(SchedulerConfig config) {
        this.config = config;
        List<Wire> replicas =
                config.replicas().stream()
                        .<Wire>map(address -> new MendingWire(address, config.trust()))
                        .toList();
        Cluster cluster =
                new Cluster(
                        config.name(),
                        replicas,
                        new LoggerLink(config.loggers(), config.trust()),
                        config.trust(),
                        config.maximumTag());
        FallbackBackend backend =
                new FallbackBackend(
                        config.backendUrls(),
                        config.backendUser(),
                        config.backendPassword(),
                        config.maximumBackendConnections(),
                        config.limits().longBackendConnections(),
                        config.limits().schemaWait());
        boolean mariaDb = config.serverVersion().contains("MariaDB");
        clients = new Clients(() -> cluster.companions().standing().life());
        services =
                new Services(
                        new Classifier(CACHED_CLASSIFICATIONS, mariaDb),
                        cluster,
                        backend,
                        new BackendAccounts(
                                backend, new ConfiguredAccounts(config.user(), config.password())),
                        new AtomicLong(),
                        new TransactionIds(() -> cluster.companions().life()),
                        new Services.Counters(),
                        new SnapshotNeed(),
                        new StatementTimes(config.name()),
                        new StatementBook(InstantSource.system()),
                        config.replay(),
                        clients.clock(),
                        config.limits(),
                        config.isolation(),
                        mariaDb,
                        user -> clients.everywhere(user, cluster.companions()));
        services.backend().warmUp();
        try {
            statusServer =
                    RpcServer.start(
                            new InetSocketAddress(config.host(), config.statusPort()),
                            config.trust(),
                            new StatusPort(
                                    this::nodes,
                                    this::status,
                                    this::pin,
                                    cluster.companions()::heard,
                                    clients,
                                    services.accounts()::readAnew));
            cluster.companions().enter(config.host(), statusServer.port());
        } catch (RuntimeException e) {
            services.cluster().close();
            throw e;
        }
    }

    /// Comes in among the schedulers; clients are not listened for yet.
    public static Scheduler start(SchedulerConfig config) {
        return new Scheduler(config);
    }

    /// Listens for clients if they can be served by now.
    ///
    /// @return whether they are listened for
    /// @throws org.quiredb.common.error.QuireException when the port is taken
    public boolean open() {
        if (endpoint != null) {
            return true;
        }
        if (!services.cluster().ready()) {
            return false;
        }
        opening.lock();
        try {
            if (endpoint == null && !closed) {
                endpoint = listen();
            }
            return !closed;
        } finally {
            opening.unlock();
        }
    }

    private MySqlServer listen() {
        return new MySqlServer(
                new MySqlServer.Options(
                        new InetSocketAddress(config.host(), config.port()),
                        config.tls(),
                        config.serverVersion(),
                        config.maximumConnections(),
                        config.limits()),
                services.accounts(),
                client -> new ClientSession(services, clients, client),
                clients::nextId,
                () -> services.counters().errors().increment());
    }

    /// Where MySQL clients connect, once they can.
    public int port() {
        MySqlServer open = endpoint;
        return open == null ? config.port() : open.port();
    }

    /// Where a {@link org.quiredb.common.message.SchedulerRequest} is answered.
    public int statusPort() {
        return statusServer.port();
    }

    public NodeStatus status() {
        Cluster cluster = services.cluster();
        List<Figure> figures = new ArrayList<>();
        for (ReplicaLink link : cluster.links()) {
            figures.add(new Figure("reads." + link.name(), link.reads()));
        }
        Services.Counters counters = services.counters();
        figures.add(new Figure("updates", counters.updates().sum()));
        figures.add(new Figure("commits", counters.commits().sum()));
        figures.add(new Figure("fallback.statements", counters.fallback().sum()));
        figures.add(new Figure("snapshots.missed", counters.snapshotsMissed().sum()));
        figures.add(new Figure("errors", counters.errors().sum()));
        figures.add(new Figure("version.retries", counters.versionRetries().sum()));
        figures.add(new Figure("version.conflicts", counters.versionConflicts().sum()));
        figures.add(new Figure("replays", counters.replays().sum()));
        figures.add(new Figure("replays.differed", counters.replaysDiffered().sum()));
        MySqlServer open = endpoint;
        figures.add(new Figure("connections", open == null ? 0 : open.connections()));
        figures.add(new Figure("connections.arriving", open == null ? 0 : open.arrivals()));
        figures.add(new Figure("logins.failed", open == null ? 0 : open.failedLogins()));
        figures.add(new Figure("tags.used", cluster.tags().inUse()));
        figures.add(new Figure("tags.oldest.seconds", cluster.tags().oldestSeconds()));
        figures.add(new Figure("tags.lapsed", cluster.tags().lapsed()));
        double unreached = cluster.unreachedSeconds();
        figures.add(new Figure(NodeStatus.TAG_UNREACHED, unreached));
        Figure browsers = console;
        if (browsers != null) {
            figures.add(browsers);
        }
        return new NodeStatus(
                config.name(),
                "scheduler",
                open == null || !cluster.complete() || !cluster.companions().in()
                        ? "loading"
                        : unreached > 0 ? "waiting" : "serving",
                ProcessHandle.current().pid(),
                port(),
                cluster.links().stream().mapToLong(ReplicaLink::epoch).max().orElse(0),
                List.of(),
                cluster.positions(),
                cluster.tags().current(),
                0,
                figures);
    }

    /// Every node that is known, this one first. Asks some of them: may take seconds.
    public List<ClusterNode> nodes() {
        List<ClusterNode> nodes = new ArrayList<>();
        nodes.add(new ClusterNode("", true, status()));
        Cluster cluster = services.cluster();
        nodes.addAll(cluster.otherSchedulers());
        nodes.addAll(replicas());
        nodes.addAll(cluster.logger().nodes());
        return nodes;
    }

    /// As their last heartbeats showed them: nobody is asked.
    public List<ClusterNode> replicas() {
        return services.cluster().links().stream().map(ReplicaLink::node).toList();
    }

    /// What the other schedulers and the loggers tell. Asks them: may take seconds.
    public List<ClusterNode> others() {
        List<ClusterNode> others = new ArrayList<>(services.cluster().otherSchedulers());
        others.addAll(services.cluster().logger().nodes());
        return others;
    }

    /// The replicas that every commit waits for. Asks the logger.
    ///
    /// @throws QuireException when it does not answer
    public Topology topology() {
        return services.cluster().logger().topology();
    }

    /// What its clients have run. What the client of this connection does, when it is one of this
    /// scheduler's.
    public Optional<Doing> doing(int id) {
        return clients.doing(id);
    }

    public StatementBook statements() {
        return services.book();
    }

    /// Has the status tell where this process answers browsers.
    ///
    /// @param loopback nobody but this machine reaches it
    public void consoleAt(int consolePort, boolean loopback) {
        console =
                new Figure(
                        loopback ? NodeStatus.CONSOLE_ON_LOOPBACK : NodeStatus.CONSOLE,
                        consolePort);
    }

    /// For who compares the tier's data.
    private Tags.Use pin() {
        services.cluster().awaitReady();
        return services.cluster().companions().tag();
    }

    @Override
    public void close() {
        opening.lock();
        try {
            closed = true;
        } finally {
            opening.unlock();
        }
        MySqlServer open = endpoint;
        if (open != null) {
            open.close();
        }
        statusServer.close();
        services.cluster().close();
        services.accounts().close();
        services.backend().close();
        clients.close();
    }
}
