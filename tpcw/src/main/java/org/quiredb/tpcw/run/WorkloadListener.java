package org.quiredb.tpcw.run;

import java.sql.SQLException;

/// Watches a run.
@FunctionalInterface
public interface WorkloadListener {

    WorkloadListener SILENT = progress -> {};

    /// Another second has passed. Called by the thread that runs the workload.
    void second(WorkloadProgress progress);

    /// An interaction has failed for good. Called by any browser's thread.
    default void failed(SQLException failure) {}
}
