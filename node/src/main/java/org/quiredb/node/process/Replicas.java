package org.quiredb.node.process;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.trust.Trust;
import org.quiredb.common.trust.UntrustedException;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.master.MasterService;
import org.quiredb.master.TierNode;
import org.quiredb.node.config.ClassSection;
import org.quiredb.node.config.HostPort;
import org.quiredb.node.config.ProcessConfig;
import org.quiredb.node.config.ReplicaSection;
import org.quiredb.node.config.WarmupSection;
import org.quiredb.replica.GroupMembership;
import org.quiredb.replica.NodeConfiguration;
import org.quiredb.replica.VersionSettings;
import org.quiredb.replica.engine.StatementMemory;
import org.quiredb.replica.result.Keeping;
import org.quiredb.replica.sql.SqlEngine;

/// Turns the section `replica` into a configuration, once the parts that the replica needs are
/// there.
final class Replicas {
    private static final Duration ANSWER = Duration.ofSeconds(2);

    private Replicas() {}

    static TierNode start(ProcessConfig config, ReplicaSection section, Patience patience) {
        List<HostPort> loggers = config.loggersOf(section.logger());
        patience.await("an active logger, of " + loggers, () -> active(loggers, config.trust()));
        NodeConfiguration node = configuration(config, section, loggers);
        MasterService.Settings settings =
                new MasterService.Settings(
                        section.lockWaitMillis(),
                        MasterService.Settings.DEFAULT.maximumTransactions(),
                        section.lagMillis(),
                        section.commitMegabytes() << 20,
                        MasterService.Settings.DEFAULT.commits().with(section.durability()));
        StatementMemory.Limits memory =
                StatementMemory.Limits.of(section.statementMegabytes() << 20);
        Keeping keeping = Keeping.of(section.resultMegabytes() << 20);
        return TierNode.start(
                node,
                store -> new SqlEngine(store, memory, section.plans(), keeping),
                GroupMembership.configured(node),
                settings,
                patience.left());
    }

    private static NodeConfiguration configuration(
            ProcessConfig config, ReplicaSection section, List<HostPort> loggers) {
        return new NodeConfiguration(
                section.name(),
                section.role(),
                config.host(),
                config.trust(),
                section.port(),
                section.groupPort(),
                section.failurePortOffset(),
                group(section.group()),
                loggers.stream().map(HostPort::unresolved).toList(),
                Optional.ofNullable(section.support()).map(HostPort::unresolved),
                section.transferMegabytesPerSecond() << 20,
                Optional.ofNullable(section.warmup()).orElse(WarmupSection.DEFAULT).warmup(),
                new VersionSettings(
                        section.oldVersionBytes(Runtime.getRuntime().maxMemory()),
                        section.schedulerSilenceMillis()),
                section.storage(),
                section.patterns(),
                section.classes().stream()
                        .collect(
                                Collectors.toMap(
                                        c -> new ConflictClass(c.name()), ClassSection::master)));
    }

    /// The group looks names up once, here. Whoever has no address yet has not started, and will
    /// find this member when it does.
    private static List<InetSocketAddress> group(List<HostPort> members) {
        return members.stream()
                .map(member -> new InetSocketAddress(member.host(), member.port()))
                .filter(address -> !address.isUnresolved())
                .toList();
    }

    private static Optional<HostPort> active(List<HostPort> loggers, Trust trust) {
        return loggers.stream().filter(logger -> isActive(logger, trust)).findFirst();
    }

    private static boolean isActive(HostPort logger, Trust trust) {
        try (RpcClient client = RpcClient.connect(logger.unresolved(), trust, ANSWER)) {
            byte[] reply = client.callForEnd(new LoggerRequest.Status().encode(), ANSWER);
            return LoggerReply.decode(reply) instanceof LoggerReply.StatusReply(NodeStatus status)
                    && !status.standsBy();
        } catch (RpcException e) {
            if (e.getCause() instanceof UntrustedException) { // no waiting mends that
                throw new QuireException(
                        ErrorCode.TIER_UNAVAILABLE,
                        e.getMessage()
                                + "; give every process of the cluster the same cluster.secretFile",
                        e);
            }
            return false;
        }
    }
}
