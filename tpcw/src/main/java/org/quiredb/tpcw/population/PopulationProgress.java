package org.quiredb.tpcw.population;

/// Is told how far the population is. Calls come from several threads, one at a time.
@FunctionalInterface
public interface PopulationProgress {

    PopulationProgress SILENT = (step, rows, totalRows) -> {};

    /// So many of all rows with ids of their own are in; a step is "rows" or "keys of item".
    void reached(String step, long rows, long totalRows);
}
