package org.quiredb.replica.h2.catalogue;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.engine.Engine;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.h2.session.PooledSession;
import org.quiredb.replica.layout.FoldedTableName;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.replica.page.PageStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The schemas and tables: our definitions, and H2's catalogue, which is derived from them.
///
/// Invariant: between two changes H2 has the tables, indexes and foreign keys that the definitions
/// say, but for what {@link H2Tables#limits} tells. Whatever H2 fails at, its catalogue is made
/// anew in a database beside the old one, on which the statements under way end.
///
/// Threads: changes are guarded by this; look-ups are for any.
public final class H2Catalogue {
    private static final Logger LOG = LoggerFactory.getLogger(H2Catalogue.class);

    private record Change(int tableId, long commitNumber) {}

    @FunctionalInterface
    private interface InH2 {
        void make(H2Tables now) throws SQLException;
    }

    private final PageStore store;
    private final Map<FoldedTableName, TableLayout> byName = new ConcurrentHashMap<>();
    private final Map<Integer, TableLayout> byId = new ConcurrentHashMap<>();
    private final Set<String> schemas = new TreeSet<>();
    private final Map<ConflictClass, Change> newest = new ConcurrentHashMap<>();

    /// By table id, of those that {@link #byName} cannot tell from each other.
    private volatile Map<Integer, H2Tables.Limit> namesakes = Map.of();

    private volatile long version;
    private volatile H2Tables h2;
    private volatile boolean closed;

    public H2Catalogue(PageStore store) {
        this.store = store;
        this.h2 = new H2Tables(store);
    }

    /// To be given back.
    public PooledSession session() {
        PooledSession session = h2.session();
        while (session == null) { // between the look and the call another took its place
            if (closed) {
                throw new IllegalStateException("the engine is closed");
            }
            Thread.onSpinWait();
            session = h2.session();
        }
        return session;
    }

    public long version() {
        return version;
    }

    public Map<FoldedTableName, TableLayout> byName() {
        return byName;
    }

    public @Nullable TableLayout table(int tableId) {
        return byId.get(tableId);
    }

    public List<TableLayout> tables() {
        return byId.values().stream()
                .sorted(java.util.Comparator.comparingInt(TableLayout::tableId))
                .toList();
    }

    public synchronized List<String> schemas() {
        return List.copyOf(schemas);
    }

    /// Whether a table was made or dropped here since the tag, or is just being. Where none was, a
    /// table that the tag's catalogue has is found. A class whose last table is gone is none: no
    /// tag names it any more.
    public boolean changedSince(VersionVector tag) {
        return newest.entrySet().stream().anyMatch(e -> !covers(tag, e.getKey(), e.getValue()));
    }

    /// Any commit of the class that is not older will do: a tag holds a prefix of each class.
    private boolean covers(VersionVector tag, ConflictClass conflictClass, Change change) {
        return tag.get(change.tableId()) >= change.commitNumber()
                || byId.values().stream()
                        .filter(table -> table.conflictClass().equals(conflictClass))
                        .anyMatch(table -> tag.get(table.tableId()) >= change.commitNumber());
    }

    public synchronized void apply(SchemaChange change, long commitNumber) {
        Map<Integer, ConflictClass> changed = tablesOf(change);
        changed.forEach((tableId, conflictClass) ->
                newest.merge(
                        conflictClass,
                        new Change(tableId, commitNumber),
                        (old, now) -> old.commitNumber > commitNumber ? old : now));
        try {
            switch (change) {
                case SchemaChange.CreateSchema(String schema) -> createSchema(schema);
                case SchemaChange.DropSchema(String schema) -> dropSchema(schema);
                case SchemaChange.CreateTable created -> create(created, commitNumber);
                case SchemaChange.DropTable(int tableId) -> drop(tableId);
            }
        } finally {
            Set<ConflictClass> left = new HashSet<>();
            byId.values().forEach(table -> left.add(table.conflictClass()));
            changed.values().stream().filter(c -> !left.contains(c)).forEach(newest::remove);
            version++;
        }
    }

    private Map<Integer, ConflictClass> tablesOf(SchemaChange change) {
        return switch (change) {
            case SchemaChange.CreateTable(int tableId, var conflictClass, var definition) ->
                    Map.of(tableId, conflictClass);
            case SchemaChange.DropTable(int tableId) -> {
                TableLayout layout = byId.get(tableId);
                yield layout == null ? Map.of() : Map.of(tableId, layout.conflictClass());
            }
            case SchemaChange.DropSchema(String schema) ->
                    tables().stream()
                            .filter(table -> table.definition().schema().equals(schema))
                            .collect(
                                    Collectors.toMap(
                                            TableLayout::tableId, TableLayout::conflictClass));
            case SchemaChange.CreateSchema _ -> Map.of();
        };
    }

    /// Makes a change in H2's database. Where H2 fails, or has something else afterwards than the
    /// definitions say, a new one is made of all of them.
    private void inH2(InH2 change) {
        H2Tables now = h2;
        Collection<TableLayout> tables = tables();
        String failure;
        try {
            change.make(now);
            now.establishKeys(byName, namesakes.keySet());
            failure = now.difference(tables);
        } catch (SQLException | RuntimeException e) {
            failure = String.valueOf(e.getMessage());
        }
        if (failure != null) {
            LOG.warn("the SQL catalogue is made anew from the tables' definitions: {}", failure);
            h2 = anew(tables);
            now.retire();
        }
    }

    private H2Tables anew(Collection<TableLayout> tables) {
        H2Tables made = new H2Tables(store);
        for (String schema : schemas) {
            try {
                made.createSchema(schema);
            } catch (SQLException e) { // and so it refuses the schema's tables
                LOG.warn(
                        "the SQL catalogue does not take the schema {}, whose statements go to the backend: {}",
                        schema,
                        e.getMessage());
            }
        }
        tables.forEach(made::create);
        made.establishKeys(byName, namesakes.keySet());
        String difference = made.difference(tables);
        if (difference != null) {
            LOG.error(
                    "the SQL catalogue was made anew and still is not what the tables' definitions say: {}",
                    difference);
        }
        return made;
    }

    private void createSchema(String schema) {
        schemas.add(schema);
        inH2(now -> now.createSchema(schema));
    }

    private void dropSchema(String schema) {
        for (TableLayout table : tables()) {
            if (table.definition().schema().equals(schema)) {
                drop(table.tableId());
            }
        }
        schemas.remove(schema);
        inH2(now -> now.dropSchema(schema));
    }

    private void create(SchemaChange.CreateTable created, long since) {
        int tableId = created.tableId();
        TableDefinition definition = created.definition();
        if (byId.containsKey(tableId)) {
            return;
        }
        if (!schemas.contains(definition.schema())) {
            createSchema(definition.schema());
        }
        TableLayout layout =
                TableLayout.of(
                        tableId, created.conflictClass(), definition, store.counters(tableId));
        store.createTable(tableId, layout.rootPages(), since);
        layout.counters().raiseAutoIncrement(definition.nextAutoIncrement());
        byId.put(tableId, layout);
        byName.put(FoldedTableName.of(definition), layout);
        findNamesakes();
        inH2(now -> now.create(layout));
    }

    /// Databases and tables may have names that differ in case only, which are looked up without
    /// case.
    private void findNamesakes() {
        H2Tables.Limit limit =
                H2Tables.Limit.noReads("another table whose name differs in case only");
        Map<Integer, H2Tables.Limit> found = new HashMap<>();
        for (TableLayout table : byId.values()) {
            TableLayout named = byName.get(FoldedTableName.of(table.definition()));
            if (named != null && named.tableId() != table.tableId()) {
                found.put(table.tableId(), limit);
                found.put(named.tableId(), limit);
            }
        }
        found.keySet().stream()
                .filter(tableId -> !namesakes.containsKey(tableId))
                .map(byId::get)
                .filter(Objects::nonNull)
                .forEach(table -> H2Tables.tell(table.definition(), limit));
        namesakes = Map.copyOf(found);
    }

    private Map<Integer, H2Tables.Limit> limits() {
        Map<Integer, H2Tables.Limit> found = namesakes;
        if (found.isEmpty()) {
            return h2.limits();
        }
        Map<Integer, H2Tables.Limit> limits = new HashMap<>(h2.limits());
        limits.putAll(found);
        return limits;
    }

    /// @throws org.quiredb.common.error.QuireException where the backend alone serves one of them
    public void requireServed(List<TableLayout> tables) {
        Map<Integer, H2Tables.Limit> limits = limits();
        for (TableLayout table : limits.isEmpty() ? List.<TableLayout>of() : tables) {
            H2Tables.Limit limit = limits.get(table.tableId());
            if (limit != null && limit.reads()) {
                throw Errors.unsupported(limit.reason());
            }
        }
    }

    /// What the tier does not do with the table, null where it does all.
    public H2Tables.@Nullable Limit limit(int tableId) {
        return limits().get(tableId);
    }

    public List<Engine.Limited> limited() {
        List<Engine.Limited> limited = new ArrayList<>();
        limits().forEach((tableId, limit) -> {
            TableLayout table = byId.get(tableId);
            if (table != null && !limit.checks()) {
                TableDefinition definition = table.definition();
                limited.add(
                        new Engine.Limited(
                                definition.schema() + "." + definition.name(),
                                limit.reads(),
                                limit.reason()));
            }
        });
        return limited;
    }

    private void drop(int tableId) {
        TableLayout layout = byId.remove(tableId);
        if (layout != null) {
            FoldedTableName name = FoldedTableName.of(layout.definition());
            byName.remove(name, layout);
            tables().stream() // one whose name differs in case only
                    .filter(other -> FoldedTableName.of(other.definition()).equals(name))
                    .forEach(other -> byName.put(name, other));
            findNamesakes();
            inH2(now -> now.drop(layout, tables()));
            store.dropTable(tableId);
        }
    }

    public synchronized void close() {
        closed = true;
        h2.end();
    }
}
