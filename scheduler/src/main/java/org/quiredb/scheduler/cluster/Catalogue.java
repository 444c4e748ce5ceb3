package org.quiredb.scheduler.cluster;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.ReplicaReply.CatalogueReply;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.sql.tree.TableName;

/// The tables of the tier: id and class of each. Immutable.
///
/// Names are looked up without case. Of several that differ in case only none is found, as if they
/// were views: the backend, which knows case, reads them, and nobody changes them.
///
/// Every master counts the versions for itself, so that two catalogues of one version may differ
/// until the masters have heard of each other's changes. What decides is whether a catalogue covers
/// a vector: a table that was made or changed has a new id there.
public final class Catalogue {
    static final Catalogue EMPTY =
            new Catalogue(new CatalogueReply(-1, List.of(), List.of()), VersionVector.EMPTY);

    private final long version;
    private final Set<String> schemas;
    private final List<CatalogueEntry> tables;
    private final Map<TableName, CatalogueEntry> byName = new HashMap<>();
    private final Set<Integer> ids;
    private final VersionVector atLeast;

    /// @param atLeast what the replica had received before it told its catalogue
    Catalogue(CatalogueReply reply, VersionVector atLeast) {
        version = reply.version();
        schemas = Set.copyOf(reply.schemas());
        tables = List.copyOf(reply.tables());
        Set<TableName> seen = new HashSet<>();
        for (CatalogueEntry table : tables) {
            TableName key = key(table.definition().schema(), table.definition().name());
            if (seen.add(key)) {
                byName.put(key, table);
            } else {
                byName.remove(key);
            }
        }
        ids = tables.stream().map(CatalogueEntry::tableId).collect(Collectors.toSet());
        this.atLeast = atLeast;
    }

    private static TableName key(String schema, String name) {
        return new TableName(schema.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
    }

    long version() {
        return version;
    }

    /// Whether each table of the vector is known, or known to be there no more.
    boolean covers(VersionVector vector) {
        return vector.allRuns((from, end, number) -> {
            for (int tableId = from; number != VersionVector.DROPPED && tableId < end; tableId++) {
                if (!ids.contains(tableId) && atLeast.get(tableId) == 0) {
                    return false;
                }
            }
            return true;
        })
                && ids.stream().noneMatch(vector::isDropped);
    }

    public boolean hasSchema(String name) {
        return schemas.contains(name);
    }

    /// Whether the tier has all of these.
    public boolean holds(Set<TableName> tables) {
        return tables.stream().allMatch(table -> table(table).isPresent());
    }

    public Optional<CatalogueEntry> table(TableName name) {
        return Optional.ofNullable(byName.get(key(name.database(), name.name())));
    }

    public Collection<CatalogueEntry> tables() {
        return tables;
    }

    /// All of a database.
    public List<CatalogueEntry> tables(String schema) {
        return tables.stream()
                .filter(table -> table.definition().schema().equalsIgnoreCase(schema))
                .toList();
    }

    /// Of what is not there yet in a database: that of some table beside it. The master, who knows
    /// what is configured, tells of another.
    public ConflictClass classOf(String schema) {
        return tables(schema).stream()
                .map(CatalogueEntry::conflictClass)
                .findFirst()
                .orElse(ConflictClass.DEFAULT);
    }

    /// Whether a foreign key leads to the table.
    public boolean isReferenced(TableName name) {
        TableName wanted = key(name.database(), name.name());
        return tables.stream()
                .flatMap(table -> table.definition().foreignKeys().stream())
                .anyMatch(f -> key(f.referencedSchema(), f.referencedTable()).equals(wanted));
    }

    /// Whether a change of some tables may have changed others: where those are among them, or
    /// their foreign keys lead to one of them, whose rules carry it on.
    public boolean reaches(Set<TableName> changed, Set<TableName> others) {
        Set<TableName> sources = new HashSet<>();
        others.forEach(name -> addReferenced(key(name.database(), name.name()), sources));
        return changed.stream().anyMatch(t -> sources.contains(key(t.database(), t.name())));
    }

    private void addReferenced(TableName key, Set<TableName> all) {
        CatalogueEntry table = byName.get(key);
        if (all.add(key) && table != null) {
            table.definition()
                    .foreignKeys()
                    .forEach(f ->
                            addReferenced(key(f.referencedSchema(), f.referencedTable()), all));
        }
    }

    public Set<ConflictClass> classes() {
        return tables.stream().map(CatalogueEntry::conflictClass).collect(Collectors.toSet());
    }

    /// The commit number up to which a class must have been applied for its tables to stand at the
    /// tag.
    public long position(ConflictClass conflictClass, VersionVector tag) {
        return tables.stream()
                .filter(t -> t.conflictClass().equals(conflictClass))
                .mapToLong(t -> tag.get(t.tableId()))
                .filter(number -> number != VersionVector.DROPPED)
                .max()
                .orElse(0);
    }

    /// The vector of a backend that has applied each class up to its commit number.
    public VersionVector applied(Map<ConflictClass, Long> positions) {
        SortedMap<Integer, Long> numbers = new TreeMap<>();
        for (CatalogueEntry table : tables) {
            Long position = positions.get(table.conflictClass());
            if (position != null) {
                numbers.put(table.tableId(), position);
            }
        }
        return VersionVector.of(numbers);
    }

    /// The vector of a backend that has applied a class up to the commit number.
    public VersionVector applied(ConflictClass conflictClass, long commitNumber) {
        return applied(Map.of(conflictClass, commitNumber));
    }
}
