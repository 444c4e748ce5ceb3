package org.quiredb.scheduler;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.quiredb.common.trust.Trust;
import org.quiredb.scheduler.endpoint.TlsSettings;
import org.quiredb.scheduler.replay.ReplayLimits;
import org.quiredb.scheduler.session.state.ClientLimits;
import org.quiredb.scheduler.session.state.Isolation;

/// What a scheduler needs to begin.
///
/// @param host where clients and `quire status` connect to
/// @param trust whom it believes beside those who only look
/// @param port for MySQL clients; 0 takes a free one
/// @param statusPort for `quire status`; 0 takes a free one
/// @param user the account of the configuration; those of the backend are let in, too
/// @param serverVersion the backend's, as it reports it
/// @param backendUrls JDBC, without a database; of several those that are behind are not read
/// @param maximumConnections of clients
/// @param maximumBackendConnections for statements that only the backend can run
/// @param maximumTag how long versions are kept for one read-only transaction or pin
/// @param replay of transactions whose master is lost
/// @param limits of each client
/// @param isolation that every update transaction has at least, whatever its client asks for
/// @param tls of clients
public record SchedulerConfig(
        String name,
        String host,
        Trust trust,
        int port,
        int statusPort,
        String user,
        String password,
        String serverVersion,
        List<InetSocketAddress> replicas,
        List<InetSocketAddress> loggers,
        List<String> backendUrls,
        String backendUser,
        String backendPassword,
        int maximumConnections,
        int maximumBackendConnections,
        Duration maximumTag,
        ReplayLimits replay,
        ClientLimits limits,
        Isolation isolation,
        TlsSettings tls) {
    public static final int DEFAULT_MAXIMUM_CONNECTIONS = 1_000;
    public static final int DEFAULT_MAXIMUM_BACKEND_CONNECTIONS = 16;
    public static final Duration DEFAULT_MAXIMUM_TAG = Duration.ofMinutes(30);

    public SchedulerConfig {
        replicas = List.copyOf(replicas);
        loggers = List.copyOf(loggers);
        backendUrls = List.copyOf(backendUrls);
        if (replicas.isEmpty()) {
            throw new IllegalArgumentException("a scheduler needs at least one replica");
        }
    }

    /// On loopback, without a secret and without TLS, with the usual limits of clients.
    public SchedulerConfig(
            String name,
            String host,
            int port,
            int statusPort,
            String user,
            String password,
            String serverVersion,
            List<InetSocketAddress> replicas,
            List<InetSocketAddress> loggers,
            List<String> backendUrls,
            String backendUser,
            String backendPassword,
            int maximumConnections,
            int maximumBackendConnections,
            Duration maximumTag,
            ReplayLimits replay) {
        this(
                name,
                host,
                Trust.loopback(),
                port,
                statusPort,
                user,
                password,
                serverVersion,
                replicas,
                loggers,
                backendUrls,
                backendUser,
                backendPassword,
                maximumConnections,
                maximumBackendConnections,
                maximumTag,
                replay,
                ClientLimits.DEFAULT,
                Isolation.READ_COMMITTED,
                TlsSettings.OFF);
    }

    /// As this one, with TLS.
    public SchedulerConfig with(TlsSettings settings) {
        return new SchedulerConfig(
                name,
                host,
                trust,
                port,
                statusPort,
                user,
                password,
                serverVersion,
                replicas,
                loggers,
                backendUrls,
                backendUser,
                backendPassword,
                maximumConnections,
                maximumBackendConnections,
                maximumTag,
                replay,
                limits,
                isolation,
                settings);
    }
}
