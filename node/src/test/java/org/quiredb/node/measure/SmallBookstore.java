package org.quiredb.node.measure;

import java.sql.SQLException;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.tpcw.population.Population;

/// What the experiments' tests measure with.
final class SmallBookstore {
    static final int ITEMS = 100;
    static final int CUSTOMERS = 288;

    private SmallBookstore() {}

    static void fill(EmbeddedBackend backend) throws SQLException {
        Population.populate(
                backend.jdbcUrl() + "tpcw?createDatabaseIfNotExist=true",
                "quire",
                "quire",
                ITEMS,
                CUSTOMERS,
                1,
                (step, rows, total) -> {});
    }
}
