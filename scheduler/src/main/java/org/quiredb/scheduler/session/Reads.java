package org.quiredb.scheduler.session;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.sql.NormalizedSql;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.classify.TableName;
import org.quiredb.scheduler.cluster.CallLost;
import org.quiredb.scheduler.cluster.Cluster;
import org.quiredb.scheduler.cluster.PartSink;
import org.quiredb.scheduler.cluster.ReplicaLink;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.route.ReplicaView;
import org.quiredb.scheduler.route.Retry;
import org.quiredb.scheduler.route.Router;
import org.quiredb.scheduler.route.Routing;
import org.quiredb.scheduler.route.Tags;
import org.quiredb.scheduler.session.Transaction.ReadOnly;

/// Tagged reads on replicas, and what follows when one does not answer.
///
/// Threads: owned by the session's thread.
final class Reads {
    private static final long STATEMENT_TIMEOUT_MILLIS = 300_000;
    private static final long DESCRIBE_TIMEOUT_MILLIS = 30_000;
    private static final long FIRST_PAUSE_MILLIS = 10;

    private final Cluster cluster;
    private final SessionState state;
    private final Fallback fallback;

    Reads(Services services, SessionState state, Fallback fallback) {
        this.cluster = services.cluster();
        this.state = state;
        this.fallback = fallback;
    }

    /// A read-only transaction of one statement.
    void standalone(
            Set<TableName> tables, String backendReason, ClientStatement statement, Output output) {
        cluster.awaitReady();
        Optional<Set<Integer>> ids = ids(tables);
        if (!backendReason.isEmpty() || ids.isEmpty()) {
            fallback.run(statement, true, output);
            return;
        }
        Next next = Next.FRESH_TAG;
        for (int attempt = 1; next == Next.FRESH_TAG; attempt++) {
            try (Tags.Use use = cluster.tags().use()) {
                next = run(use, "", ids.get(), statement, output, false, attempt);
            }
        }
        if (next == Next.BACKEND) {
            fallback.run(statement, true, output);
        }
    }

    /// A statement of the read-only transaction that the session is in.
    void inTransaction(
            Set<TableName> tables, String backendReason, ClientStatement statement, Output output) {
        Optional<Set<Integer>> ids = ids(tables);
        if (!(state.transaction() instanceof ReadOnly(Tags.Use use, String replica))) {
            throw new IllegalStateException("not in a read-only transaction");
        }
        if (!backendReason.isEmpty()
                || ids.isEmpty()
                || run(use, replica, ids.get(), statement, output, true, 1) == Next.BACKEND) {
            fallback.run(statement, true, output);
        }
    }

    private enum Next {
        DONE,
        FRESH_TAG,
        BACKEND
    }

    private Next run(
            Tags.Use use,
            String preferred,
            Set<Integer> tables,
            ClientStatement statement,
            Output output,
            boolean pinned,
            int firstAttempt) {
        Set<String> excluded = new HashSet<>();
        for (int attempt = firstAttempt; ; attempt++) {
            ReplicaLink link = choose(preferred, use, tables, excluded);
            Retry retry;
            String why;
            try {
                ReplicaReply reply = ask(link, use, statement, output);
                switch (reply) {
                    case ReplicaReply.Rows(long packets) -> {
                        if (pinned) {
                            state.transaction(new ReadOnly(use, link.name()));
                        }
                        output.rows(packets);
                        return Next.DONE;
                    }
                    case ReplicaReply.Failed f
                            when f.number() == ErrorCode.SYNTAX_ERROR.number()
                                    && f.packets() == 0 -> {
                        return Next.BACKEND;
                    }
                    case ReplicaReply.Failed f ->
                            throw new StatementFailed(
                                    f.number(), f.sqlState(), f.message(), f.packets());
                    case ReplicaReply.Refused(Reason reason, long epoch, String detail) -> {
                        retry = Retry.afterRefusal(reason, attempt, pinned);
                        why = link.name() + ": " + reason + " " + detail;
                        if (retry == Retry.GIVE_UP && reason == Reason.VERSION_RECLAIMED) {
                            cluster.versionConflicts.increment();
                        }
                    }
                    default -> throw new IllegalStateException("a read is answered by " + reply);
                }
            } catch (CallLost e) {
                retry = Retry.afterLoss(attempt, e.partsSeen());
                why = String.valueOf(e.getMessage());
            }
            switch (retry) {
                case BACKEND -> {
                    return Next.BACKEND;
                }
                case FRESH_TAG -> {
                    return Next.FRESH_TAG;
                }
                case GIVE_UP -> {
                    if (pinned && tables.stream().anyMatch(id -> use.tag().get(id) == 0)) {
                        throw new StatementFailed(
                                1412,
                                "HY000",
                                "Table definition has changed, please retry transaction");
                    }
                    throw new QuireException(
                                ErrorCode.TIER_UNAVAILABLE, "no replica answers: " + why);
                }
                case SAME_TAG_ELSEWHERE -> elsewhere(link.name(), excluded, attempt);
            }
        }
    }

    private ReplicaReply ask(
            ReplicaLink link, Tags.Use use, ClientStatement statement, Output output)
            throws CallLost {
        StatementCall call = Calls.of(state, statement, false);
        ReplicaRequest.Read read =
                new ReplicaRequest.Read(
                        cluster.epoch(), use.tag(), cluster.tags().lowWatermark(), call);
        return link.read(read, output::relay, STATEMENT_TIMEOUT_MILLIS);
    }

    private void elsewhere(String failed, Set<String> excluded, int attempt) {
        boolean again = !excluded.add(failed);
        long others =
                cluster.views().stream()
                        .filter(v -> v.serving() && !excluded.contains(v.name()))
                        .count();
        if (again || others == 0) {
            Calls.pause(FIRST_PAUSE_MILLIS << attempt);
        }
    }

    private ReplicaLink choose(
            String preferred, Tags.Use use, Set<Integer> tables, Set<String> excluded) {
        List<ReplicaView> views = cluster.views();
        if (!preferred.isEmpty()
                && !excluded.contains(preferred)
                && views.stream().anyMatch(v -> v.serving() && v.name().equals(preferred))) {
            return cluster.link(preferred);
        }
        return switch (Router.read(views, use.tag(), tables, excluded, cluster.nextTurn())) {
            case Routing.ToReplica(String name) -> cluster.link(name);
            case Routing.ToMaster(String name) -> cluster.link(name);
            case Routing.Rejected(ErrorCode code, String message) ->
                    throw new QuireException(code, message);
        };
    }

    /// Empty when the tier does not know one of the tables: a view, or a mistake.
    private Optional<Set<Integer>> ids(Set<TableName> tables) {
        Set<Integer> ids = new HashSet<>();
        for (TableName table : tables) {
            Optional<CatalogueEntry> entry = cluster.catalogue().table(table);
            if (entry.isEmpty()) {
                return Optional.empty();
            }
            ids.add(entry.get().tableId());
        }
        return Optional.of(ids);
    }

    ClientSession.Description describe(String sql, Classification classification) {
        int parameters = NormalizedSql.of(sql).parameterCount();
        return switch (classification) {
            case Classification.Read read when read.backendReason().isEmpty() ->
                    new ClientSession.Description(parameters, columns(sql));
            case Classification.Read read ->
                    new ClientSession.Description(parameters, fallback.describe(sql));
            case Classification.Information i ->
                    new ClientSession.Description(parameters, fallback.describe(sql));
            default -> new ClientSession.Description(parameters, List.of());
        };
    }

    private List<byte[]> columns(String sql) {
        cluster.awaitReady();
        ReplicaRequest request =
                new ReplicaRequest.Describe(state.database(), NormalizedSql.of(sql).text());
        try (Tags.Use use = cluster.tags().use()) {
            ReplicaLink link = choose("", use, Set.of(), Set.of());
            return switch (link.call(request, PartSink.NONE, DESCRIBE_TIMEOUT_MILLIS)) {
                case ReplicaReply.Described(List<byte[]> parameters, List<byte[]> columns) ->
                        columns;
                default -> fallback.describe(sql);
            };
        } catch (CallLost e) {
            return fallback.describe(sql);
        }
    }
}
