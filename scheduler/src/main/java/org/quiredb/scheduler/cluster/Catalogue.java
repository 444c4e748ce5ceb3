package org.quiredb.scheduler.cluster;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.ReplicaReply.CatalogueReply;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.classify.TableName;

/// The tables of the tier: id and class of each. Immutable.
public final class Catalogue {
    static final Catalogue EMPTY = new Catalogue(new CatalogueReply(-1, List.of(), List.of()));

    private final long version;
    private final Set<String> schemas;
    private final Map<TableName, CatalogueEntry> tables = new HashMap<>();

    Catalogue(CatalogueReply reply) {
        version = reply.version();
        schemas = Set.copyOf(reply.schemas());
        reply.tables()
                .forEach(t -> tables.put(key(t.definition().schema(), t.definition().name()), t));
    }

    private static TableName key(String schema, String name) {
        return new TableName(schema.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
    }

    long version() {
        return version;
    }

    public boolean hasSchema(String name) {
        return schemas.contains(name);
    }

    public Optional<CatalogueEntry> table(TableName name) {
        return Optional.ofNullable(tables.get(key(name.database(), name.name())));
    }

    public Set<ConflictClass> classes() {
        return tables.values().stream()
                .map(CatalogueEntry::conflictClass)
                .collect(Collectors.toSet());
    }

    /// The commit number up to which a class must have been applied for its tables to stand at the
    /// tag.
    public long position(ConflictClass conflictClass, VersionVector tag) {
        return tables.values().stream()
                .filter(t -> t.conflictClass().equals(conflictClass))
                .mapToLong(t -> tag.get(t.tableId()))
                .max()
                .orElse(0);
    }

    /// The vector of a backend that has applied each class up to its commit number.
    public VersionVector applied(Map<ConflictClass, Long> positions) {
        VersionVector vector = VersionVector.EMPTY;
        for (Map.Entry<ConflictClass, Long> position : positions.entrySet()) {
            vector = vector.merge(applied(position.getKey(), position.getValue()));
        }
        return vector;
    }

    /// The vector of a backend that has applied a class up to the commit number.
    public VersionVector applied(ConflictClass conflictClass, long commitNumber) {
        VersionVector vector = VersionVector.EMPTY;
        for (CatalogueEntry table : tables.values()) {
            if (table.conflictClass().equals(conflictClass)) {
                vector = vector.with(table.tableId(), commitNumber);
            }
        }
        return vector;
    }
}
