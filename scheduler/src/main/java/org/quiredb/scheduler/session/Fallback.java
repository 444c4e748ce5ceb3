package org.quiredb.scheduler.session;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.cluster.Cluster;
import org.quiredb.scheduler.fallback.Backend;
import org.quiredb.scheduler.fallback.BackendSession;
import org.quiredb.scheduler.fallback.Snapshot;

/// Runs a session's statements on the backend, after it has caught up and with what the session has
/// set.
///
/// Threads: owned by the session's thread.
final class Fallback {
    private static final Set<String> SYSTEM =
            Set.of("information_schema", "mysql", "performance_schema", "sys");

    private final Services services;
    private final SessionState state;

    Fallback(Services services, SessionState state) {
        this.services = services;
        this.state = state;
    }

    static boolean isSystem(String database) {
        return SYSTEM.contains(database.toLowerCase(Locale.ROOT));
    }

    private BackendSession session() {
        return new BackendSession(state.database(), state.settings());
    }

    /// @param afterEverything the answer may depend on rows: every class must have been applied up
    ///   to the current vector, and what the backend showed beyond it joins the vector
    void run(ClientStatement statement, boolean afterEverything, Output output) {
        if (afterEverything) {
            awaitApplied();
        }
        run(services.backend()::run, statement, output);
        if (afterEverything) {
            learnApplied();
        }
    }

    /// A statement at the state of a snapshot.
    void run(Snapshot snapshot, ClientStatement statement, Output output) {
        run(snapshot::run, statement, output);
    }

    /// The backend as it is, which is not before the current vector.
    Snapshot snapshot() {
        awaitApplied();
        return services.backend().snapshot(session());
    }

    private interface Runner {
        Backend.Outcome run(
                BackendSession session,
                String sql,
                String namesOf,
                boolean binaryRows,
                int statusFlags,
                Consumer<byte[]> sink);
    }

    private void run(Runner runner, ClientStatement statement, Output output) {
        services.counters().fallback().increment();
        String text = ReplicaText.withLiterals(statement.sql(), statement.bound());
        Backend.Outcome outcome =
                runner.run(
                        session(),
                        text,
                        namesOf(statement, text),
                        statement.binaryRows(),
                        state.statusFlags(statement.moreResults()),
                        new Relay(output));
        switch (outcome) {
            case Backend.Outcome.Rows(long packets) -> output.rows(packets);
            case Backend.Outcome.Changed(long affectedRows) ->
                    output.ok(affectedRows, 0, state.statusFlags(statement.moreResults()), 0, "");
        }
    }

    /// Columns that are expressions with parameters are named after the text with its `?`.
    private static String namesOf(ClientStatement statement, String text) {
        return !statement.bound().isEmpty() && ReplicaText.selectsParameter(statement.sql())
                ? statement.sql()
                : text;
    }

    private void awaitApplied() {
        Cluster cluster = services.cluster();
        cluster.awaitReady();
        Catalogue catalogue = cluster.catalogue();
        VersionVector tag = cluster.tags().current();
        for (ConflictClass conflictClass : catalogue.classes()) {
            cluster.logger().awaitApplied(conflictClass, catalogue.position(conflictClass, tag));
        }
    }

    private void learnApplied() {
        Cluster cluster = services.cluster();
        cluster.tags().merge(cluster.logger().applied(cluster.catalogue()));
    }

    /// Has the backend check an assignment by making it.
    void check(String assignment) {
        services.backend().run(session(), assignment, assignment, false, 0, packets -> {});
    }

    void checkDatabase(String database) {
        try {
            services.backend()
                    .run(
                            new BackendSession(database, List.of()),
                            "DO 1",
                            "DO 1",
                            false,
                            0,
                            packets -> {});
        } catch (QuireException e) {
            throw new QuireException(
                    ErrorCode.UNKNOWN_DATABASE, "Unknown database '" + database + "'", e);
        }
    }

    List<byte[]> describe(String sql) {
        return services.backend().describe(session(), sql).stream()
                .map(ColumnMetadata::payload)
                .toList();
    }
}
