package org.quiredb.replica.sql;

import java.sql.SQLException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.SessionModes;
import org.quiredb.common.schema.ForeignKeyDefinition;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.sql.NormalizedSql;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.SnapshotAccess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The schemas and tables, in step with H2's own.
///
/// A foreign key begins to be checked once both of its tables are there, and is set up again when
/// the table it refers to is made anew.
///
/// Threads: changes are guarded by this; look-ups are for any.
final class Catalogue {
    private static final Logger LOG = LoggerFactory.getLogger(Catalogue.class);

    private record EstablishedKey(int tableId, String name) {}

    private record Change(int tableId, long commitNumber) {}

    private final PageStore store;
    private final Sessions sessions;
    private final Map<TableName, TableLayout> byName = new ConcurrentHashMap<>();
    private final Map<Integer, TableLayout> byId = new ConcurrentHashMap<>();
    private final Map<Integer, String> forReads = new ConcurrentHashMap<>();
    private final Set<String> schemas = new TreeSet<>();
    private final Set<EstablishedKey> keys = new HashSet<>();
    private final Map<ConflictClass, Change> newest = new ConcurrentHashMap<>();
    private volatile long version;

    Catalogue(PageStore store, Sessions sessions) {
        this.store = store;
        this.sessions = sessions;
    }

    long version() {
        return version;
    }

    Map<TableName, TableLayout> byName() {
        return byName;
    }

    @Nullable TableLayout table(int tableId) {
        return byId.get(tableId);
    }

    List<TableLayout> tables() {
        return byId.values().stream()
                .sorted(java.util.Comparator.comparingInt(TableLayout::tableId))
                .toList();
    }

    synchronized List<String> schemas() {
        return List.copyOf(schemas);
    }

    /// Whether a table was made or dropped here since the tag, or is just being. Where none was, a
    /// table that the tag's catalogue has is found.
    boolean changedSince(VersionVector tag) {
        return newest.entrySet().stream().anyMatch(e -> !covers(tag, e.getKey(), e.getValue()));
    }

    /// Any commit of the class that is not older will do: a tag holds a prefix of each class.
    private boolean covers(VersionVector tag, ConflictClass conflictClass, Change change) {
        return tag.get(change.tableId()) >= change.commitNumber()
                || byId.values().stream()
                        .filter(table -> table.conflictClass().equals(conflictClass))
                        .anyMatch(table -> tag.get(table.tableId()) >= change.commitNumber());
    }

    synchronized void apply(SchemaChange change, long commitNumber) {
        tablesOf(change)
                .forEach((tableId, conflictClass) ->
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
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "this change of the schema does not work: " + e.getMessage() + ": " + change,
                    e);
        } finally {
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

    private void createSchema(String schema) throws SQLException {
        sessions.execute("CREATE SCHEMA IF NOT EXISTS " + TableDdl.quote(schema));
        schemas.add(schema);
    }

    private void dropSchema(String schema) throws SQLException {
        for (TableLayout table : tables()) {
            if (table.definition().schema().equals(schema)) {
                drop(table.tableId());
            }
        }
        sessions.execute("DROP SCHEMA IF EXISTS " + TableDdl.quote(schema) + " CASCADE");
        schemas.remove(schema);
    }

    private void create(SchemaChange.CreateTable created, long since) throws SQLException {
        int tableId = created.tableId();
        TableDefinition definition = created.definition();
        if (byId.containsKey(tableId)) {
            return;
        }
        createSchema(definition.schema());
        TableLayout layout =
                TableLayout.of(
                        tableId, created.conflictClass(), definition, store.counters(tableId));
        Collation collation = layout.rows().collation();
        if (collation != null) {
            sessions.collation().exists(collation);
        }
        store.createTable(tableId, layout.rootPages(), since);
        layout.counters().raiseAutoIncrement(definition.nextAutoIncrement());
        TableDdl ddl = new TableDdl(tableId, definition);
        String reason = ddl.beyondH2();
        if (reason == null) {
            try {
                create(layout, ddl.create());
            } catch (SQLException e) {
                LOG.warn(
                        "{}.{} only takes reads, its definition is beyond H2: {}",
                        definition.schema(),
                        definition.name(),
                        e.getMessage());
                reason = "a table with such a definition";
                dropIfThere(definition); // H2 keeps a table whose constraints it refuses
                create(layout, ddl.createForReads());
            }
        } else {
            create(layout, ddl.createForReads());
        }
        if (reason != null) {
            forReads.put(tableId, reason);
        }
        byId.put(tableId, layout);
        byName.put(name(definition), layout);
        establishKeys();
    }

    private void create(TableLayout layout, List<String> statements) throws SQLException {
        for (String sql : statements) {
            ScopedValue.where(QuireTableEngine.CREATING, layout)
                    .where(
                            Statement.CURRENT,
                            beforeAnyRow(layout.tableId())) // H2 looks whether rows fail a CHECK
                    .call(() -> {
                        sessions.execute(sql);
                        return layout;
                    });
        }
    }

    private Statement beforeAnyRow(int tableId) {
        return new Statement(
                new SnapshotAccess(store, VersionVector.EMPTY.with(tableId, Long.MAX_VALUE - 1)),
                sessions.nextModificationId(),
                List.of(),
                SessionModes.USUAL,
                Instant.EPOCH);
    }

    /// That of the tables named in a text, OTHER for several, null for none.
    @Nullable Collation collationNamed(String sql, String database) {
        Collation found = null;
        for (TableLayout table : named(sql, database)) {
            Collation of = table.rows().collation();
            if (of != null) {
                found = found == null || found == of ? of : Collation.OTHER;
            }
        }
        return found;
    }

    /// Whether all text of the tables named in a text compares without case.
    boolean folds(String sql, String database) {
        boolean folded = false;
        for (TableLayout table : named(sql, database)) {
            if (table.rows().cased()) {
                return false;
            }
            folded |= table.rows().collation() != null;
        }
        return folded;
    }

    private List<TableLayout> named(String sql, String database) {
        Set<String> names = new HashSet<>();
        NormalizedSql.tokens(sql).forEach(token -> names.add(TokenText.name(token)));
        return byId.values().stream()
                .filter(table -> names.contains(table.definition().name().toLowerCase(Locale.ROOT)))
                .filter(table ->
                        table.definition().schema().equals(database)
                                || names.contains(
                                        table.definition().schema().toLowerCase(Locale.ROOT)))
                .toList();
    }

    /// Why the table's rows are not changed here, null where they are.
    @Nullable String unchangeable(int tableId) {
        return forReads.get(tableId);
    }

    private void establishKeys() throws SQLException {
        for (TableLayout table : tables()) {
            for (ForeignKeyDefinition key : table.definition().foreignKeys()) {
                EstablishedKey established = new EstablishedKey(table.tableId(), key.name());
                if (!keys.contains(established)
                        && byName.containsKey(
                                TableName.of(key.referencedSchema(), key.referencedTable()))) {
                    sessions.execute(
                            new TableDdl(table.tableId(), table.definition()).foreignKey(key));
                    keys.add(established);
                }
            }
        }
    }

    private void drop(int tableId) throws SQLException {
        TableLayout layout = byId.remove(tableId);
        forReads.remove(tableId);
        if (layout == null) {
            return;
        }
        TableDefinition definition = layout.definition();
        byName.remove(name(definition), layout);
        keys.removeIf(key -> key.tableId() == tableId);
        for (TableLayout other : tables()) {
            for (ForeignKeyDefinition key : other.definition().foreignKeys()) {
                if (TableName.of(key.referencedSchema(), key.referencedTable())
                        .equals(name(definition))) {
                    keys.remove(new EstablishedKey(other.tableId(), key.name()));
                }
            }
        }
        dropIfThere(definition);
        store.dropTable(tableId);
    }

    private void dropIfThere(TableDefinition definition) throws SQLException {
        sessions.execute(
                "DROP TABLE IF EXISTS "
                        + TableDdl.name(definition.schema(), definition.name())
                        + " CASCADE");
    }

    private static TableName name(TableDefinition definition) {
        return TableName.of(definition.schema(), definition.name());
    }
}
