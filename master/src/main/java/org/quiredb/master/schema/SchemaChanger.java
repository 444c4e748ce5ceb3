package org.quiredb.master.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.SnapshotPart;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.master.commit.ClassCommits;
import org.quiredb.master.commit.Commits;
import org.quiredb.master.log.LoggerCalls;
import org.quiredb.master.session.SchemaGate;
import org.quiredb.master.transaction.PageChanges;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.service.Engine;

/// Runs DDL: on the backends through the log, then here, then as a commit on every replica.
///
/// When the backends have changed but the change cannot be taken in here, the class stops
/// committing: the tiers would drift apart.
///
/// Threads: any; the gate lets one schema change run at a time.
public final class SchemaChanger {
    private final PageStore store;
    private final Engine engine;
    private final Progress progress;
    private final SchemaGate gate;
    private final Commits commits;
    private final LoggerCalls log;

    public SchemaChanger(
            PageStore store,
            Engine engine,
            Progress progress,
            SchemaGate gate,
            Commits commits,
            LoggerCalls log) {
        this.store = store;
        this.engine = engine;
        this.progress = progress;
        this.gate = gate;
        this.commits = commits;
        this.log = log;
    }

    public ReplicaReply change(ReplicaRequest.ChangeSchema request) {
        ConflictClass conflictClass = SchemaStatement.classOf(request.database(), request.sql());
        gate.close();
        try {
            ClassCommits sequence =
                    commits.of(conflictClass)
                            .orElseGet(() ->
                                    commits.open(
                                            conflictClass,
                                            log.open(conflictClass, progress.term(conflictClass))));
            sequence.awaitAllStable();
            return run(conflictClass, sequence, request);
        } catch (LoggerCalls.FailedException e) {
            return new ReplicaReply.Failed(
                    e.number(), e.sqlState(), String.valueOf(e.getMessage()), false, 0);
        } finally {
            gate.open();
        }
    }

    private ReplicaReply run(
            ConflictClass conflictClass,
            ClassCommits sequence,
            ReplicaRequest.ChangeSchema request) {
        Taking taking = new Taking(conflictClass);
        try {
            log.stream(
                    new LoggerRequest.ChangeSchema(
                            conflictClass,
                            progress.term(conflictClass),
                            sequence.assigned(),
                            request.database(),
                            request.sql()),
                    taking::part);
            VersionVector vector =
                    commits.commitSchemaChange(conflictClass, taking.rows, taking.changes);
            return new ReplicaReply.Committed(vector, progress.catalogueVersion());
        } catch (LoggerCalls.FailedException e) {
            if (taking.schema != null) {
                sequence.stop("a schema change broke off: " + e.getMessage(), e);
            }
            throw e;
        } catch (RuntimeException e) {
            sequence.stop("a schema change could not be taken in: " + e.getMessage(), e);
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "the schema change could not be taken in: " + e.getMessage(),
                    e);
        } finally {
            taking.rows.release();
        }
    }

    /// What one schema change brings.
    private final class Taking {
        private final ConflictClass conflictClass;
        private final List<SchemaChange> changes = new ArrayList<>();
        private final PageChanges rows = new PageChanges(store);
        private SnapshotPart.@Nullable Schema schema;

        Taking(ConflictClass conflictClass) {
            this.conflictClass = conflictClass;
        }

        void part(byte[] bytes) {
            switch (SnapshotPart.decode(bytes)) {
                case SnapshotPart.Schema now -> {
                    schema = now;
                    CatalogueDifference.of(
                                    conflictClass.name(),
                                    engine.schemas(),
                                    engine.tables(),
                                    now,
                                    progress.nextTableId())
                            .forEach(this::apply);
                }
                case SnapshotPart.Rows(String schemaName, String table, var values) -> {
                    if (schemaName.equals(conflictClass.name())) {
                        engine.load(rows, created(table), values);
                    }
                }
            }
        }

        /// Rows of a table whose definition is as it was mean that it was emptied, or filled anew.
        private int created(String table) {
            Optional<Integer> known = CatalogueDifference.created(changes, table);
            if (known.isPresent()) {
                return known.get();
            }
            int tableId = progress.nextTableId();
            definitionsOf(table)
                    .forEach(entry -> apply(new SchemaChange.DropTable(entry.tableId())));
            apply(new SchemaChange.CreateTable(tableId, definition(table)));
            return tableId;
        }

        private List<CatalogueEntry> definitionsOf(String table) {
            return engine.tables().stream()
                    .filter(t -> t.definition().schema().equals(conflictClass.name()))
                    .filter(t -> t.definition().name().equals(table))
                    .toList();
        }

        private TableDefinition definition(String table) {
            if (schema == null) {
                throw new IllegalStateException("rows of " + table + " come before the schema");
            }
            return schema.tables().stream()
                    .filter(t -> t.schema().equals(conflictClass.name()) && t.name().equals(table))
                    .findFirst()
                    .orElseThrow(() ->
                            new IllegalStateException(
                                    "rows of " + table + ", which the schema lacks"));
        }

        private void apply(SchemaChange change) {
            engine.apply(change);
            progress.changed(change);
            changes.add(change);
            if (change instanceof SchemaChange.CreateTable(int tableId, TableDefinition definition)
                    && definition.nextAutoIncrement() > 0) {
                rows.autoIncrementUsed(tableId, definition.nextAutoIncrement());
            }
        }
    }
}
