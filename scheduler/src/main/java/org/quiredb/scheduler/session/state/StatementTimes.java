package org.quiredb.scheduler.session.state;

import org.quiredb.common.metrics.Latency;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.statement.StatementKind;

/// How long clients' statements take, by what they are.
///
/// Threads: any.
public final class StatementTimes {
    private final Latency read;
    private final Latency update;
    private final Latency commit;
    private final Latency schemaChange;
    private final Latency other;

    public StatementTimes(String node) {
        read = latency(node, "read");
        update = latency(node, "update");
        commit = latency(node, "commit");
        schemaChange = latency(node, "schema_change");
        other = latency(node, "other");
    }

    private static Latency latency(String node, String kind) {
        return Latency.of(
                "quire.statement",
                "From a client's statement until its answer is complete.",
                "node",
                node,
                "kind",
                kind);
    }

    public Latency of(Classification statement) {
        return switch (kind(statement)) {
            case READ -> read;
            case UPDATE -> update;
            case COMMIT -> commit;
            case SCHEMA_CHANGE -> schemaChange;
            case OTHER -> other;
        };
    }

    /// The end of a transaction that has written nothing is no commit that anybody waits for.
    public static StatementKind kind(Classification statement, Transaction within) {
        StatementKind kind = kind(statement);
        return kind == StatementKind.COMMIT && !(within instanceof Transaction.Update)
                ? StatementKind.OTHER
                : kind;
    }

    private static StatementKind kind(Classification statement) {
        return switch (statement) {
            case Classification.Read _, Classification.Call _ -> StatementKind.READ;
            case Classification.Update _, Classification.Load _ -> StatementKind.UPDATE;
            case Classification.Ending(boolean commits, _) ->
                    commits ? StatementKind.COMMIT : StatementKind.OTHER;
            case Classification.SchemaChange _ -> StatementKind.SCHEMA_CHANGE;
            case Classification.Information _,
                    Classification.Begin _,
                    Classification.Savepoint _,
                    Classification.Killing _,
                    Classification.Assignment _,
                    Classification.Conditions _,
                    Classification.ProcessList _,
                    Classification.Prepare _,
                    Classification.Execute _,
                    Classification.Deallocate _,
                    Classification.Use _,
                    Classification.Empty _,
                    Classification.Mistake _,
                    Classification.LockTables _,
                    Classification.UnlockTables _,
                    Classification.TableService _,
                    Classification.AccountChange _,
                    Classification.Temporary _,
                    Classification.Flush _,
                    Classification.Unsupported _ ->
                    StatementKind.OTHER;
        };
    }

    /// Of what is not, nobody knows what in its text is a value, or a password.
    public static boolean isUnderstood(Classification statement) {
        return !(statement instanceof Classification.Mistake
                || statement instanceof Classification.AccountChange
                || statement instanceof Classification.Unsupported);
    }
}
