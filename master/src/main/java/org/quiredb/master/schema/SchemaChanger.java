package org.quiredb.master.schema;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.Trouble;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.SnapshotPart;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.CounterChange;
import org.quiredb.common.writeset.LoggedStatement;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.master.commit.ClassCommits;
import org.quiredb.master.commit.Commits;
import org.quiredb.master.log.RemoteQueryLog;
import org.quiredb.master.session.SchemaGate;
import org.quiredb.replica.engine.Engine;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.LoadAccess;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.Pool;
import org.quiredb.replica.page.TableCounters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs DDL: on the backends through the log, then here, then as a commit on every replica.
///
/// When the backends have changed but the change cannot be taken in here, the class stops
/// committing: the tiers would drift apart.
///
/// Threads: any; the gate lets one schema change run at a time.
public final class SchemaChanger {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaChanger.class);

    /// Of the heap: so much may all pages take where no pool bounds them, with a further copy of a
    /// table whose rows are to be taken in again.
    private static final double HEAPS_SHARE = 0.75;

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final PageStore store;
    private final Engine engine;
    private final Progress progress;
    private final SchemaGate gate;
    private final Commits commits;
    private final RemoteQueryLog log;

    public SchemaChanger(
            PageStore store,
            Engine engine,
            Progress progress,
            SchemaGate gate,
            Commits commits,
            RemoteQueryLog log) {
        this.store = store;
        this.engine = engine;
        this.progress = progress;
        this.gate = gate;
        this.commits = commits;
        this.log = log;
    }

    /// @return the class that the statement is of, when it is another than the scheduler thinks
    public ReplicaReply change(ReplicaRequest.ChangeSchema request) {
        ConflictClass conflictClass =
                TableClasses.of(
                        progress.patterns(), engine.tables(), request.database(), request.names());
        if (!conflictClass.equals(request.conflictClass())) {
            return new ReplicaReply.OfClass(conflictClass);
        }
        Pool.Figures pool = store.pool();
        if (request.rebuilds() && pool.limitBytes() == 0) {
            engine.tables().stream()
                    .filter(table -> isChanged(request, table.definition()))
                    .forEach(table ->
                            requireRoom(
                                    table.definition(),
                                    store.pages(table.tableId()).size(),
                                    pool.imageBytes(),
                                    Runtime.getRuntime().maxMemory()));
        }
        requireLog();
        try {
            awaitBackends(conflictClass);
        } catch (RemoteQueryLog.FailedException e) {
            return failed(e);
        }
        if (request.waitMillis() == ReplicaRequest.USUAL_WAIT) {
            gate.close();
        } else {
            gate.close(request.waitMillis());
        }
        try {
            ClassCommits sequence =
                    commits.mastery()
                            .of(conflictClass)
                            .orElseGet(() ->
                                    commits.mastery()
                                            .open(
                                                    conflictClass,
                                                    log.open(
                                                            conflictClass,
                                                            progress.term(conflictClass))));
            sequence.awaitAllSettled();
            CommitRecord record = record(sequence.assigned() + 1, request);
            return run(
                    sequence,
                    conflictClass,
                    new LoggerRequest.ChangeSchema(
                            conflictClass,
                            progress.term(conflictClass),
                            record,
                            known(),
                            progress.nextTableId()));
        } catch (RemoteQueryLog.FailedException e) {
            return failed(e);
        } finally {
            gate.open();
        }
    }

    private static boolean isChanged(
            ReplicaRequest.ChangeSchema request, TableDefinition definition) {
        return request.names().tables().stream()
                .map(name -> name.in(request.database()))
                .anyMatch(name ->
                        name.schema().equalsIgnoreCase(definition.schema())
                                && name.table().equalsIgnoreCase(definition.name()));
    }

    /// Where everything is in memory, the table is there twice until readers have left the old one:
    /// no replica may end by that, for the next master would take it in again.
    static void requireRoom(TableDefinition table, long pages, long usedBytes, long heapBytes) {
        long bytes = pages * PageOperations.PAGE_BYTES;
        if (usedBytes + bytes > heapBytes * HEAPS_SHARE) {
            throw new QuireException(
                    ErrorCode.OUT_OF_RESOURCES,
                    "Out of resources: a change of the definition of %s.%s makes its %d MiB of pages anew, with %d MiB in memory; give every replica a larger heap (-Xmx), or a folder for what does not fit (replica.data)"
                            .formatted(table.schema(), table.name(), bytes >> 20, usedBytes >> 20));
        }
    }

    private static ReplicaReply failed(RemoteQueryLog.FailedException e) {
        return new ReplicaReply.Failed(
                e.number(), e.sqlState(), String.valueOf(e.getMessage()), false, 0);
    }

    /// While the gate is closed all updates here wait: not for a log that is away.
    private void requireLog() {
        try {
            log.schedulersEpoch(); // the shortest question
        } catch (RpcException e) {
            throw away(e);
        }
    }

    /// Nor for what a backend has still to apply, which may take long.
    private void awaitBackends(ConflictClass conflictClass) {
        try {
            commits.mastery().stablePositions().stream()
                    .filter(stable -> stable.conflictClass().equals(conflictClass))
                    .forEach(stable -> log.awaitApplied(conflictClass, stable.commitNumber()));
        } catch (RpcException e) {
            throw away(e);
        }
    }

    private static QuireException away(RpcException e) {
        return new QuireException(
                ErrorCode.TIER_UNAVAILABLE,
                "no schema is changed while the log is away: " + e.getMessage(),
                e);
    }

    /// Finishes what a lost master has left in the log, before this one serves.
    ///
    /// @param commitNumber the next of the class
    public void finish(ConflictClass conflictClass, long commitNumber) {
        ClassCommits sequence = commits.mastery().of(conflictClass).orElseThrow();
        try {
            run(
                    sequence,
                    conflictClass,
                    new LoggerRequest.FinishSchemaChange(
                            conflictClass,
                            progress.term(conflictClass),
                            commitNumber,
                            known(),
                            progress.nextTableId()));
            LOG.info("schema change {} of {} is finished", commitNumber, conflictClass);
        } catch (RemoteQueryLog.FailedException e) {
            LOG.info(
                    "schema change {} of {} is taken back: {}",
                    commitNumber,
                    conflictClass,
                    e.getMessage());
        }
    }

    private List<TableDefinition> known() {
        return engine.tables().stream().map(CatalogueEntry::definition).toList();
    }

    private static CommitRecord record(long commitNumber, ReplicaRequest.ChangeSchema request) {
        return new CommitRecord(
                commitNumber,
                request.transactionId(),
                new LoggedStatement(
                        request.database(),
                        request.sql(),
                        ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()),
                        request.settings(),
                        request.names()));
    }

    private ReplicaReply run(
            ClassCommits sequence, ConflictClass conflictClass, LoggerRequest request) {
        Taking taking = new Taking(conflictClass, sequence);
        try {
            LoggerReply.SchemaChanged answer = ask(request, taking);
            taking.markDefinitions();
            taking.finish();
            // Not before: schedulers may name in tags what this tells, and another master might
            // never have it.
            taking.changes.forEach(progress::changed);
            VersionVector vector =
                    commits.commitSchemaChange(
                            conflictClass, taking.counters(), taking.changes, taking.heir());
            progress.takesInSchema(false);
            return answer.errorNumber() == 0
                    ? new ReplicaReply.Updated(
                                    answer.affectedRows(),
                                    0,
                                    answer.conditions().size(),
                                    answer.info(),
                                    vector,
                                    progress.catalogueVersion())
                            .warning(answer.conditions())
                    : new ReplicaReply.Failed(
                            answer.errorNumber(), answer.sqlState(), answer.message(), false, 0);
        } catch (RemoteQueryLog.FailedException e) {
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
        }
    }

    /// Asks until the log answers: the same record is carried out once. Not when the answer breaks
    /// off, which the next master has from its beginning.
    private LoggerReply.SchemaChanged ask(LoggerRequest request, Taking taking) {
        Trouble unanswered = new Trouble();
        while (true) {
            try {
                return log.changeSchema(request, taking::part);
            } catch (RpcException e) {
                if (taking.schema != null
                        || commits.mastery().broken().isPresent()
                        || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                if (unanswered.met()) {
                    LOG.warn(
                            "a schema change of {} is not carried out yet and asked for again, updates wait for it: {}",
                            taking.conflictClass,
                            e.getMessage());
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    /// What one schema change brings.
    private final class Taking {
        private final ConflictClass conflictClass;
        private final long commitNumber;
        private final List<SchemaChange> changes = new ArrayList<>();
        private final PartsAhead parts;
        private final LoadAccess rows;
        private SnapshotPart.@Nullable Schema schema;
        private int nextTableId;

        Taking(ConflictClass conflictClass, ClassCommits sequence) {
            this.conflictClass = conflictClass;
            commitNumber = sequence.assigned() + 1;
            parts = new PartsAhead(sequence, commits.mastery()::epoch);
            rows = new LoadAccess(store, commitNumber, parts);
        }

        void part(byte[] bytes) {
            switch (SnapshotPart.decode(bytes)) {
                case SnapshotPart.Schema now -> {
                    schema = now;
                    progress.takesInSchema(true);
                    nextTableId = now.firstTableId();
                    CatalogueDifference.of(
                                    conflictClass,
                                    progress.patterns(),
                                    engine.schemas(),
                                    engine.tables(),
                                    now,
                                    nextTableId)
                            .forEach(this::apply);
                }
                case SnapshotPart.Rows(String schemaName, String table, var values) -> {
                    if (isOurs(schemaName, table)) {
                        engine.load(rows, created(schemaName, table), values);
                        rows.settleIfMuch();
                    }
                }
            }
        }

        /// Where neither a table is made nor one is dropped, what the statement has changed is a
        /// definition that only the backends keep: of a view, or a stored program. Its id is that
        /// of a table which is gone at once, so that every vector from here on tells of it ({@link
        /// VersionVector#schemaChanges}).
        void markDefinitions() {
            boolean ofTables =
                    changes.stream()
                            .anyMatch(change ->
                                    change instanceof SchemaChange.CreateTable
                                            || change instanceof SchemaChange.DropTable);
            if (!ofTables && schema != null) {
                apply(new SchemaChange.DropTable(schema.firstTableId()));
            }
        }

        /// Returns when all replicas have the tables' pages.
        void finish() {
            rows.finish();
            parts.finish();
        }

        /// Of the tables that are made, which had none.
        List<CounterChange> counters() {
            List<CounterChange> counters = new ArrayList<>();
            for (SchemaChange change : changes) {
                if (change instanceof SchemaChange.CreateTable created) {
                    TableCounters now = store.counters(created.tableId());
                    counters.add(
                            new CounterChange(
                                    created.tableId(), now.rowCount(), now.nextAutoIncrement()));
                }
            }
            return counters;
        }

        /// One of the class's tables, where none is made that would name the commit.
        OptionalInt heir() {
            return changes.stream().anyMatch(SchemaChange.CreateTable.class::isInstance)
                    ? OptionalInt.empty()
                    : engine.tables().stream()
                            .filter(table -> table.conflictClass().equals(conflictClass))
                            .mapToInt(CatalogueEntry::tableId)
                            .min();
        }

        private boolean isOurs(String schemaName, String table) {
            return progress.patterns().classOf(schemaName, table).equals(conflictClass);
        }

        /// Rows of a table whose definition is as it was mean that it was emptied, or filled anew.
        private int created(String schemaName, String table) {
            Optional<Integer> known = CatalogueDifference.created(changes, schemaName, table);
            if (known.isPresent()) {
                return known.get();
            }
            int tableId = nextTableId;
            definitionsOf(schemaName, table)
                    .forEach(entry -> apply(new SchemaChange.DropTable(entry.tableId())));
            apply(
                    new SchemaChange.CreateTable(
                            tableId, conflictClass, definition(schemaName, table)));
            return tableId;
        }

        private List<CatalogueEntry> definitionsOf(String schemaName, String table) {
            return engine.tables().stream()
                    .filter(t -> t.definition().schema().equals(schemaName))
                    .filter(t -> t.definition().name().equals(table))
                    .toList();
        }

        private TableDefinition definition(String schemaName, String table) {
            if (schema == null) {
                throw new IllegalStateException("rows of " + table + " come before the schema");
            }
            return schema.tables().stream()
                    .filter(t -> t.schema().equals(schemaName) && t.name().equals(table))
                    .findFirst()
                    .orElseThrow(() ->
                            new IllegalStateException(
                                    "rows of " + table + ", which the schema lacks"));
        }

        private void apply(SchemaChange change) {
            engine.apply(change, commitNumber);
            changes.add(change);
            if (change instanceof SchemaChange.CreateTable created) {
                nextTableId = created.tableId() + 1;
                if (created.definition().nextAutoIncrement() > 0) {
                    rows.autoIncrementUsed(
                            created.tableId(), created.definition().nextAutoIncrement());
                }
            }
        }
    }
}
