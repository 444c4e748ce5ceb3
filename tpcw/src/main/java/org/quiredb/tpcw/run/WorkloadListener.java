package org.quiredb.tpcw.run;

/// Watches a run, on the thread that runs it.
@FunctionalInterface
public interface WorkloadListener {

    WorkloadListener SILENT = progress -> {};

    void second(WorkloadProgress progress);
}
