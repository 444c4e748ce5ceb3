package org.quiredb.replica.h2.catalogue;

import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.h2.constraint.Constraint;
import org.h2.schema.Schema;
import org.h2.table.Table;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.SessionModes;
import org.quiredb.common.schema.ForeignKeyDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.h2.session.H2Sessions;
import org.quiredb.replica.h2.session.PooledSession;
import org.quiredb.replica.h2.statement.Statement;
import org.quiredb.replica.h2.table.QuireTable;
import org.quiredb.replica.h2.table.QuireTableEngine;
import org.quiredb.replica.layout.Collation;
import org.quiredb.replica.layout.FoldedTableName;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.SnapshotAccess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One database of H2 and what it has of our definitions, which are all that it is made of.
///
/// What H2 refuses of a definition is kept from it, table by table: a foreign key that it cannot
/// check, and then the tables of both its ends only take reads; what matters to changes only, with
/// the same effect; in the end the whole table, which the backend alone serves then.
///
/// Threads: changes one at a time, the catalogue's; sessions and limits are for any.
public final class H2Tables {
    private static final Logger LOG = LoggerFactory.getLogger(H2Tables.class);

    /// What memory does not do with a table.
    ///
    /// @param reads whether not even reads
    /// @param checks whether it is nothing but to make new rows' values by default, and to check
    ///   them
    public record Limit(boolean reads, boolean checks, String reason) {
        static Limit noReads(String reason) {
            return new Limit(true, false, reason);
        }

        static Limit noChanges(String reason) {
            return new Limit(false, false, reason);
        }
    }

    private record KeyId(int tableId, String name) {}

    private final PageStore store;

    /// A foreign key that H2 does not check.
    private record RefusedKey(int parentId, String reason) {}

    /// By table id, of the tables themselves.
    private final Map<Integer, Limit> refused = new ConcurrentHashMap<>();

    private final Set<KeyId> keys = new HashSet<>();
    private final Map<KeyId, RefusedKey> refusedKeys = new ConcurrentHashMap<>();

    private final H2Sessions sessions = new H2Sessions();

    H2Tables(PageStore store) {
        this.store = store;
    }

    /// To be given back; null when the database is retired.
    @Nullable PooledSession session() {
        return sessions.take();
    }

    /// Ends the database when the last statement on it has ended.
    void retire() {
        sessions.retire();
    }

    /// Ends it at once.
    void end() {
        sessions.end();
    }

    /// By table id, what memory does not do with some tables: of a foreign key that H2 refuses both
    /// ends are only read.
    Map<Integer, Limit> limits() {
        if (refused.isEmpty() && refusedKeys.isEmpty()) {
            return Map.of();
        }
        Map<Integer, Limit> limits = new HashMap<>(refused);
        refusedKeys.forEach((key, by) -> {
            Limit limit =
                    Limit.noChanges("a table with the foreign key " + key.name + ": " + by.reason);
            for (int tableId : new int[] {key.tableId, by.parentId}) {
                limits.merge(tableId, limit, (own, more) -> own.checks() ? more : own);
            }
        });
        return limits;
    }

    void createSchema(String schema) throws SQLException {
        sessions.createSchema(TableDdl.quote(schema));
    }

    void dropSchema(String schema) throws SQLException {
        sessions.execute("DROP SCHEMA IF EXISTS " + TableDdl.quote(schema) + " RESTRICT");
    }

    /// As much of it as H2 takes.
    void create(TableLayout table) {
        Collation collation = table.rows().collation();
        if (collation != null) {
            sessions.collation().exists(collation);
        }
        if (find(table.definition()) != null) { // the catalogue tells why
            refused.put(table.tableId(), Limit.noReads("a table whose name H2 has already"));
            return;
        }
        TableDdl ddl = new TableDdl(table.tableId(), table.definition());
        String beyond = ddl.generatedBeyondH2();
        if (beyond == null) {
            beyond = ddl.defaultBeyondH2();
            beyond = beyond == null ? ddl.checksBeyondH2() : beyond;
            beyond = beyond == null ? ddl.keyBeyondH2() : beyond;
            if (beyond == null) {
                beyond = refusal(table, ddl::create);
                if (beyond == null) {
                    return;
                }
                beyond = "a table with such a definition: " + beyond;
            }
            if (refusal(table, ddl::createUnchecked) == null) {
                limit(table, new Limit(false, true, beyond));
                return;
            }
        }
        String refusal = refusal(table, ddl::createForReads);
        limit(table, refusal == null ? Limit.noChanges(beyond) : Limit.noReads(refusal));
    }

    /// Why H2 does not take it, and then nothing stays; null when it does.
    private @Nullable String refusal(TableLayout table, Supplier<List<String>> statements) {
        try {
            for (String sql : statements.get()) {
                ScopedValue.where(QuireTableEngine.CREATING, table)
                        .where(
                                Statement.CURRENT,
                                beforeAnyRow(table.tableId())) // H2 looks whether rows fail a CHECK
                        .call(() -> {
                            sessions.execute(sql);
                            return table;
                        });
            }
            return null;
        } catch (SQLException | RuntimeException e) {
            try {
                drop(table.definition());
            } catch (SQLException left) {
                LOG.info("H2 keeps what it refused: {}", left.getMessage());
            }
            return reason(e);
        }
    }

    /// Without the statement, which H2 repeats.
    private static String reason(Exception e) {
        return String.valueOf(e.getMessage()).split("; SQL statement:", 2)[0];
    }

    private void limit(TableLayout table, Limit limit) {
        refused.put(table.tableId(), limit);
        tell(table.definition(), limit);
    }

    static void tell(TableDefinition definition, Limit limit) {
        if (limit.checks()) {
            LOG.info(
                    "{}.{} has its changes evaluated by the backend: {}",
                    definition.schema(),
                    definition.name(),
                    limit.reason());
            return;
        }
        LOG.warn(
                "{}.{} is {}: {}",
                definition.schema(),
                definition.name(),
                limit.reads() ? "served by the backend alone" : "not changed by the tier",
                limit.reason());
    }

    private Statement beforeAnyRow(int tableId) {
        return new Statement(
                new SnapshotAccess(store, VersionVector.EMPTY.with(tableId, Long.MAX_VALUE - 1)),
                1,
                List.of(),
                SessionModes.USUAL,
                Instant.EPOCH);
    }

    /// A foreign key begins to be checked once both of its tables are there.
    ///
    /// @param namesakes the tables that cannot be told from others by their names
    void establishKeys(Map<FoldedTableName, TableLayout> byName, Set<Integer> namesakes) {
        for (TableLayout table : byName.values()) {
            for (ForeignKeyDefinition key : table.definition().foreignKeys()) {
                TableLayout parent =
                        byName.get(
                                FoldedTableName.of(key.referencedSchema(), key.referencedTable()));
                KeyId id = new KeyId(table.tableId(), key.name());
                boolean known = keys.contains(id) || refusedKeys.containsKey(id);
                if (parent != null && !known && !unserved(table)) {
                    establish(id, table, key, parent, namesakes.contains(parent.tableId()));
                }
            }
        }
    }

    private void establish(
            KeyId id,
            TableLayout table,
            ForeignKeyDefinition key,
            TableLayout parent,
            boolean namesake) {
        try {
            if (namesake || unserved(parent)) {
                throw Errors.unsupported("a foreign key to a table that the backend alone serves");
            }
            if (parent.tableId() == table.tableId()
                    && key.columns().equals(key.referencedColumns())) {
                // InnoDB takes no row then, unless another one has its value already.
                throw Errors.unsupported("a foreign key that refers to itself");
            }
            String sql = new TableDdl(table.tableId(), table.definition()).foreignKey(key);
            ScopedValue.where(QuireTableEngine.CREATING, table)
                    .call(() -> {
                        sessions.execute(sql);
                        return keys.add(id);
                    });
        } catch (SQLException | RuntimeException e) {
            LOG.warn(
                    "{}.{} and {} are not changed by the tier, H2 refuses the foreign key {}: {}",
                    table.definition().schema(),
                    table.definition().name(),
                    parent.definition().name(),
                    key.name(),
                    reason(e));
            refusedKeys.put(id, new RefusedKey(parent.tableId(), reason(e)));
        }
    }

    private boolean unserved(TableLayout table) {
        Limit limit = refused.get(table.tableId());
        return limit != null && limit.reads();
    }

    /// @param others the tables that stay: their keys that refer to it wait for another one
    void drop(TableLayout table, Collection<TableLayout> others) throws SQLException {
        refused.remove(table.tableId());
        keys.removeIf(key -> key.tableId() == table.tableId());
        refusedKeys.keySet().removeIf(key -> key.tableId() == table.tableId());
        FoldedTableName name = FoldedTableName.of(table.definition());
        for (TableLayout other : others) {
            for (ForeignKeyDefinition key : other.definition().foreignKeys()) {
                if (FoldedTableName.of(key.referencedSchema(), key.referencedTable())
                        .equals(name)) {
                    keys.remove(new KeyId(other.tableId(), key.name()));
                    refusedKeys.remove(new KeyId(other.tableId(), key.name()));
                }
            }
        }
        if (find(table.definition()) instanceof QuireTable there
                && there.layout().tableId() == table.tableId()) {
            drop(table.definition());
        }
        others.stream() // which H2 may have refused for this one's name
                .filter(other -> FoldedTableName.of(other.definition()).equals(name))
                .filter(other -> find(other.definition()) == null)
                .forEach(other -> refused.remove(other.tableId()));
    }

    private void drop(TableDefinition definition) throws SQLException {
        sessions.execute(
                "DROP TABLE IF EXISTS "
                        + TableDdl.name(definition.schema(), definition.name())
                        + " CASCADE");
    }

    /// What H2 has otherwise than the definitions say, null for nothing.
    @Nullable String difference(Collection<TableLayout> tables) {
        int served = 0;
        for (TableLayout table : tables) {
            if (unserved(table)) {
                continue;
            }
            served++;
            TableDefinition definition = table.definition();
            if (!(find(definition) instanceof QuireTable there)
                    || there.layout().tableId() != table.tableId()) {
                return "it lacks " + definition.schema() + "." + definition.name();
            }
            if (!there.complete() || foreignKeys(there) != established(table)) {
                return "another " + definition.schema() + "." + definition.name();
            }
        }
        long all =
                sessions.database().getAllTablesAndViews().stream()
                        .filter(QuireTable.class::isInstance)
                        .count();
        return all == served ? null : all + " tables of " + served;
    }

    private @Nullable Table find(TableDefinition definition) {
        Schema schema = sessions.database().findSchema(definition.schema());
        return schema == null ? null : schema.findTableOrView(null, definition.name());
    }

    private int established(TableLayout table) {
        return (int) keys.stream().filter(key -> key.tableId() == table.tableId()).count();
    }

    private static int foreignKeys(QuireTable table) {
        int count = 0;
        for (Constraint constraint : table.getConstraints()) {
            boolean own =
                    constraint.getConstraintType() == Constraint.Type.REFERENTIAL
                            && constraint.getTable().equals(table);
            count += own ? 1 : 0;
        }
        return count;
    }
}
