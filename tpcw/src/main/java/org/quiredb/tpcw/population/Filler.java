package org.quiredb.tpcw.population;

import java.sql.Connection;
import java.sql.SQLException;
import org.quiredb.tpcw.random.TpcwRandom;

/// Writes the rows with consecutive ids into one table and those that belong to it.
interface Filler {

    /// Writes the rows first to last, both included, without a commit.
    void fill(Connection connection, int first, int last, TpcwRandom draw) throws SQLException;
}
