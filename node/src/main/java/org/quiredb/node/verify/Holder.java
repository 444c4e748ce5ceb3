package org.quiredb.node.verify;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.quiredb.common.message.CatalogueEntry;

/// Who holds the tables that are compared: a replica at the tag, or a backend's snapshot.
interface Holder {
    String name();

    /// Empty where its definition was changed meanwhile, so that it cannot be compared.
    Optional<Digest> digest(CatalogueEntry table);

    /// Parts are lists of {@link org.quiredb.common.message.RowDigest}.
    void rows(CatalogueEntry table, Consumer<byte[]> parts);

    /// Puts rows right, if that is possible here.
    ///
    /// @return how many were asked for
    default long repair(CatalogueEntry table, List<String> keys) {
        return 0;
    }

    /// A table's number of rows and the sum of their digests.
    record Digest(long rows, long sum) {
        /// Of a table that is not there; the sum of one without rows is 0.
        static final Digest MISSING = new Digest(0, 1);
    }
}
