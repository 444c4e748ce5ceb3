package org.quiredb.scheduler.session;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.classify.LogDatabase;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.cluster.Cluster;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.Backend;
import org.quiredb.scheduler.fallback.BackendSession;
import org.quiredb.scheduler.fallback.Freshness;
import org.quiredb.scheduler.fallback.Snapshot;
import org.quiredb.scheduler.route.Tags;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Runs a session's statements on the backend, after it has caught up and with what the session has
/// set.
///
/// Threads: owned by the session's thread.
final class Fallback {
    private static final Set<String> SYSTEM =
            Set.of("information_schema", "mysql", "performance_schema", "sys");

    private final Services services;
    private final SessionState state;
    private final int connectionId;
    private long life;

    /// @param connectionId what CONNECTION_ID() is to be
    Fallback(Services services, SessionState state, int connectionId) {
        this.connectionId = connectionId;
        this.services = services;
        this.state = state;
    }

    static boolean isSystem(String database) {
        return SYSTEM.contains(database.toLowerCase(Locale.ROOT));
    }

    private BackendSession session() {
        return new BackendSession(state.login(), state.database(), state.settings());
    }

    /// @param afterEverything the answer may depend on rows: every class must have been applied up
    ///   to the current vector, and what the backend showed beyond it joins the vector
    void run(ClientStatement statement, boolean afterEverything, Output output) {
        Freshness freshness = afterEverything ? awaitApplied() : Freshness.ANY;
        boolean ask = afterEverything && !services.backend().several();
        run(
                (session, text, names, binaryRows, flags, sink) ->
                        services.backend()
                                .run(session, freshness, text, names, binaryRows, flags, sink),
                statement,
                // before the client has it and can tell another what it saw
                new Relay(output, ask ? this::learnApplied : () -> {}),
                output);
    }

    /// A statement at the state of a snapshot.
    void run(Snapshot snapshot, ClientStatement statement, Output output) {
        run(snapshot::run, statement, new Relay(output, () -> {}), output);
    }

    /// The backend as it is, which is not before the current vector.
    Snapshot snapshot() {
        Freshness freshness = awaitApplied();
        return services.backend().snapshot(session(), freshness);
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

    private void run(Runner runner, ClientStatement statement, Relay relay, Output output) {
        Tokens tokens = statement.tokens();
        requireNotOfLog(tokens);
        services.counters().fallback().increment();
        Edits edits = new Edits(tokens);
        ReplicaText.withLiterals(statement.bound(), tokens, edits);
        String told = edits.made();
        NamedLocks.apart(tokens, edits);
        ReplicaText.withValue(
                "CONNECTION_ID", "CAST(%d AS UNSIGNED)".formatted(connectionId), tokens, edits);
        String text = edits.made();
        Backend.Outcome outcome;
        try {
            outcome =
                    runner.run(
                            session(),
                            text,
                            // columns with parameters are named after the text with its `?`
                            ReplicaText.selectsParameter(tokens) ? statement.sql() : told,
                            statement.binaryRows(),
                            state.statusFlags(statement.moreResults()),
                            relay);
        } catch (StatementFailed e) {
            relay.begin(); // an error may tell something of the rows, too
            throw e;
        }
        relay.begin();
        switch (outcome) {
            case Backend.Outcome.Rows rows -> {}
            case Backend.Outcome.Changed(long affectedRows) ->
                    output.ok(affectedRows, 0, state.statusFlags(statement.moreResults()), 0, "");
        }
    }

    /// Quire's account sees the log, and so might an account that has a right on everything.
    void requireNotOfLog(Tokens tokens) {
        LogDatabase.namedBy(tokens)
                .ifPresent(table -> {
                    String user = state.login().name();
                    throw table.isEmpty()
                            ? new QuireException(
                                    ErrorCode.DATABASE_ACCESS_DENIED,
                                    "Access denied for user %s to database 'quire'".formatted(user))
                            : new QuireException(
                                    ErrorCode.TABLE_ACCESS_DENIED,
                                    "SELECT command denied to user %s for table `quire`.`%s`"
                                            .formatted(user, table));
                });
    }

    private Freshness awaitApplied() {
        try {
            return StopSignal.current().whileWaiting(this::applied);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("only what is unchecked is thrown", e);
        }
    }

    private Freshness applied() {
        Cluster cluster = services.cluster();
        cluster.awaitReady();
        Catalogue catalogue = cluster.catalogue();
        VersionVector tag;
        try (Tags.Use use = cluster.companions().tag()) {
            tag = use.tag();
            life = use.life();
        }
        Map<ConflictClass, Long> least = new HashMap<>();
        for (ConflictClass conflictClass : catalogue.classes()) {
            long position = catalogue.position(conflictClass, tag);
            cluster.logger().awaitApplied(conflictClass, position);
            least.put(conflictClass, position);
        }
        return new Freshness(least, this::learn);
    }

    /// Of several databases the logger tells what all have, and the one that was read may have
    /// more.
    private void learn(Map<ConflictClass, Long> positions) {
        Cluster cluster = services.cluster();
        cluster.learn(cluster.catalogue().applied(positions), 0);
        cluster.requireLife(life);
    }

    private void learnApplied() {
        Cluster cluster = services.cluster();
        cluster.learn(cluster.logger().applied(cluster.catalogue()), 0);
        cluster.requireLife(life);
    }

    /// Of the scheduler, when the backend was last waited for.
    long life() {
        return life;
    }

    private void requireHarmless(String partOfSet) {
        Tokens tokens = Tokens.of(partOfSet).plain();
        requireNotOfLog(tokens);
        NamedLocks.requireNone(tokens);
    }

    /// Has the backend check an assignment by making it.
    void check(String assignment) {
        requireHarmless(assignment);
        services.backend().check(session(), assignment);
    }

    /// The tier does not have the table.
    ///
    /// @throws QuireException when the backend does: a view, or a table of types that only it has
    void refuseIfThere(TableName table) {
        try {
            check(
                    "SELECT 1 FROM `"
                            + table.database().replace("`", "``")
                            + "`.`"
                            + table.name().replace("`", "``")
                            + "` LIMIT 0");
        } catch (QuireException | StatementFailed e) {
            return; // nor has the backend
        }
        throw new QuireException(
                ErrorCode.NOT_SUPPORTED_YET,
                "Quire does not support this in an update transaction: "
                        + table
                        + " is a view, or a table with a type that the tier does not hold, and is only read");
    }

    /// What an expression comes to.
    double number(String expression) {
        requireHarmless(expression);
        String value =
                services.backend()
                        .values(session(), "SELECT 0e0 + (" + expression + ")")
                        .getFirst();
        return value == null ? 0 : Double.parseDouble(value);
    }

    /// What the session's assignments and one more come to, whatever expressions they are.
    BackendModes modes(String assignment) {
        NamedLocks.requireNone(Tokens.of(assignment));
        List<String> assignments = state.settings();
        assignments.add(assignment);
        List<@Nullable String> values =
                services.backend()
                        .values(
                                new BackendSession(state.login(), state.database(), assignments),
                                "SELECT @@foreign_key_checks, @@sql_mode");
        String sqlMode = values.get(1);
        return new BackendModes("0".equals(values.get(0)), sqlMode == null ? "" : sqlMode);
    }

    /// @throws StatementFailed as the backend says it, which may also be that the client has no
    ///   rights there
    /// @throws QuireException when the backend does not tell
    void checkDatabase(String database) {
        services.backend()
                .run(
                        new BackendSession(state.login(), database, List.of()),
                        Freshness.ANY,
                        "DO 1",
                        "DO 1",
                        false,
                        0,
                        packets -> {});
    }

    /// A change of rows that only the backend understands, which is not run there: its error, if it
    /// has one for this client.
    void refuse(String sql) {
        List<byte[]> _ = describe(sql);
        throw new QuireException(
                ErrorCode.NOT_SUPPORTED_YET,
                "Quire does not support this in an update transaction: only the backend understands it");
    }

    List<byte[]> describe(String sql) {
        requireNotOfLog(Tokens.of(sql).plain());
        return services.backend().describe(session(), sql).stream()
                .map(ColumnMetadata::payload)
                .toList();
    }
}
