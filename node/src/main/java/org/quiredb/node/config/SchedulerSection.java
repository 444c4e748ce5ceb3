package org.quiredb.node.config;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.quiredb.scheduler.endpoint.TlsSettings;
import org.quiredb.scheduler.replay.ReplayLimits;
import org.quiredb.scheduler.session.state.ClientLimits;
import org.quiredb.scheduler.session.state.Isolation;

/// The scheduler of this process, which sends what only a backend can run to the section `backend`.
///
/// @param port for MySQL clients
/// @param statusPort for `quire status` and `quire verify`
/// @param user an account of clients, beside those of the backend
/// @param tls of the clients, the defaults' when it is missing
/// @param replicas all of them, of every role
/// @param logger when it is not in this process; all of them when there are several
/// @param maximumTagSeconds how long replicas keep versions for one reader
/// @param replayStatements of a transaction whose master is lost; 0 for none
/// @param replayKilobytes of those statements' texts and values
/// @param replaySeconds that such a transaction may be old
/// @param isolation `asked`: of each transaction what its client asks for; `serializable`: of all
/// @param limits of each client, the defaults when it is missing
/// @param console null for none
public record SchedulerSection(
        @Default("scheduler") String name,
        @Default("3307") int port,
        @Default("3309") int statusPort,
        @Default("quire") String user,
        @Default("quire") String password,
        @Nullable TlsSection tls,
        List<HostPort> replicas,
        @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Default("[]")
                List<HostPort> logger,
        @Default("1000") int maximumConnections,
        @Default("16") int maximumBackendConnections,
        @Default("1800") long maximumTagSeconds,
        @Default("1000") int replayStatements,
        @Default("1024") long replayKilobytes,
        @Default("60") long replaySeconds,
        @Default("asked") String isolation,
        @Nullable LimitsSection limits,
        @Nullable ConsoleSection console) {
    public SchedulerSection {
        SectionChecks.present("scheduler.name", name);
        SectionChecks.port("scheduler.port", port);
        SectionChecks.port("scheduler.statusPort", statusPort);
        SectionChecks.between("scheduler.maximumConnections", maximumConnections, 1, 1_000_000);
        SectionChecks.between(
                "scheduler.maximumBackendConnections", maximumBackendConnections, 1, 100_000);
        SectionChecks.between("scheduler.maximumTagSeconds", maximumTagSeconds, 1, 86_400);
        SectionChecks.between("scheduler.replayStatements", replayStatements, 0, 1_000_000);
        SectionChecks.between("scheduler.replayKilobytes", replayKilobytes, 1, 1 << 20);
        SectionChecks.between("scheduler.replaySeconds", replaySeconds, 1, 86_400);
        if (!isolation.equals("asked") && !isolation.equals("serializable")) {
            throw new IllegalArgumentException(
                    "scheduler.isolation is asked or serializable, not " + isolation);
        }
        replicas = List.copyOf(replicas);
        logger = List.copyOf(logger);
        if (replicas.isEmpty()) {
            throw new IllegalArgumentException("scheduler.replicas needs at least one host:port");
        }
    }

    public TlsSettings tlsSettings() {
        return Optional.ofNullable(tls).orElse(TlsSection.DEFAULT).settings();
    }

    public ReplayLimits replay() {
        return new ReplayLimits(replayStatements, replayKilobytes << 10, replaySeconds * 1_000);
    }

    public ClientLimits clientLimits() {
        return (limits == null ? LimitsSection.DEFAULT : limits).limits();
    }

    /// What every update transaction has at least.
    public Isolation leastIsolation() {
        return isolation.equals("serializable") ? Isolation.SERIALIZABLE : Isolation.READ_COMMITTED;
    }

    /// Without the password, which must not reach a log.
    @Override
    public String toString() {
        return name + " at port " + port;
    }
}
