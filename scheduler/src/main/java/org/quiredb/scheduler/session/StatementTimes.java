package org.quiredb.scheduler.session;

import org.quiredb.common.metrics.Latency;
import org.quiredb.scheduler.classify.Classification;

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

    Latency of(Classification statement) {
        return switch (statement) {
            case Classification.Read _ -> read;
            case Classification.Update _ -> update;
            case Classification.Commit _ -> commit;
            case Classification.SchemaChange _ -> schemaChange;
            case Classification.Information _,
                    Classification.Begin _,
                    Classification.Rollback _,
                    Classification.Savepoint _,
                    Classification.Killing _,
                    Classification.Assignment _,
                    Classification.Use _,
                    Classification.Empty _,
                    Classification.Mistake _,
                    Classification.TableLocks _,
                    Classification.Unsupported _ ->
                    other;
        };
    }
}
