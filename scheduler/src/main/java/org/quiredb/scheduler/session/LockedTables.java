package org.quiredb.scheduler.session;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.OverlayStep;
import org.quiredb.common.schema.SchemaNames;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.replay.ReplayLimits;
import org.quiredb.scheduler.session.Transaction.Open;
import org.quiredb.scheduler.session.Transaction.Update;
import org.quiredb.sql.command.TableLock;
import org.quiredb.sql.tree.TableName;

/// LOCK TABLES ... READ: until UNLOCK TABLES nobody changes the tables, and the session reads no
/// others and changes none. FLUSH TABLES WITH READ LOCK: the same of all tables.
///
/// For each class of the tables a transaction beside the session's own holds them on the master. A
/// master that is lost is followed as by any other transaction: the next one locks them anew, if
/// nothing was changed meanwhile, else they are lost.
///
/// Invariant: what is read while they are held is one state. That they were is found out with each
/// statement, and when they are given back: before a client can take what it has read for that.
///
/// Threads: owned by the session's thread.
final class LockedTables implements AutoCloseable {
    private static final int MOST_ATTEMPTS = 5;

    /// A few steps, which nobody adds to.
    private static final ReplayLimits FOR_AS_LONG_AS_IT_TAKES =
            new ReplayLimits(100, 1 << 20, Long.MAX_VALUE);

    private static final OverlayStep NOTHING_MORE = new OverlayStep(List.of(), List.of(), 0, 0);

    private final Services services;
    private final Fallback fallback;
    private final Kept kept;
    private final ClientSession.Client client;
    private final List<Holder> holders = new ArrayList<>();
    private final Set<TableName> locked = new HashSet<>();
    private boolean everything;

    /// A transaction that holds the tables of one class.
    private final class Holder {
        private final SessionState state =
                new SessionState(client.login(), kept, Isolation.SERIALIZABLE);
        private final Updates updates =
                new Updates(services, state, client.id(), false, FOR_AS_LONG_AS_IT_TAKES);

        void lock(Set<CatalogueEntry> entries) {
            Set<TableName> names = new HashSet<>();
            entries.forEach(
                    e -> names.add(new TableName(e.definition().schema(), e.definition().name())));
            List<Integer> ids = entries.stream().map(CatalogueEntry::tableId).sorted().toList();
            state.transaction(new Open(false));
            state.lockWaitMillis(Updates.LONGEST_LOCK_WAIT_MILLIS);
            Updates.Told told = updates.overlay(names, new OverlayStep(ids, List.of(), 0, 0));
            services.cluster().learn(told.stable(), 0); // so that no read shows less than that
        }

        void requireHeld() {
            if (!(state.transaction() instanceof Update update) || !updates.isOpen(update)) {
                Updates.Told _ = updates.overlay(Set.of(), NOTHING_MORE); // elsewhere, or not
            }
        }

        void release(boolean told) {
            if (state.transaction() instanceof Update update) {
                state.transaction(new Transaction.None());
                if (told) {
                    updates.end(update, false);
                } else {
                    updates.abandon(update);
                }
            }
        }
    }

    LockedTables(Services services, Fallback fallback, Kept kept, ClientSession.Client client) {
        this.services = services;
        this.fallback = fallback;
        this.kept = kept;
        this.client = client;
    }

    boolean any() {
        return everything || !locked.isEmpty();
    }

    /// FLUSH TABLES WITH READ LOCK.
    void lockAll() {
        lock(byClass(services.cluster().catalogue().tables()));
        everything = true;
    }

    /// @param tables with their databases
    void lock(List<TableLock> tables) {
        if (tables.stream().anyMatch(TableLock::write)) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire does not support LOCK TABLES ... WRITE but to restore a dump"
                            + " (foreign_key_checks = 0); use SELECT ... FOR UPDATE in a"
                            + " transaction");
        }
        lock(byClass(entries(tables)));
        tables.forEach(lock -> locked.add(key(lock.table())));
    }

    private void lock(Map<ConflictClass, Set<CatalogueEntry>> byClass) {
        for (int attempt = 1; ; attempt++) {
            StopSignal.current().check();
            try {
                for (Set<CatalogueEntry> entries : byClass.values()) {
                    Holder holder = new Holder();
                    holders.add(holder);
                    holder.lock(entries);
                }
                return;
            } catch (QuireException | StatementFailed e) {
                release(false);
                if (attempt == MOST_ATTEMPTS || !isDeadlock(e)) {
                    throw e;
                }
                Calls.pause(Masters.FIRST_PAUSE_MILLIS << attempt);
            }
        }
    }

    private static boolean isDeadlock(RuntimeException error) {
        return switch (error) {
            case QuireException e -> e.code() == ErrorCode.DEADLOCK;
            case StatementFailed e -> e.number() == ErrorCode.DEADLOCK.number();
            default -> false;
        };
    }

    /// In one order, so that two who do so do not meet in a deadlock.
    private static Map<ConflictClass, Set<CatalogueEntry>> byClass(
            Collection<CatalogueEntry> tables) {
        Map<ConflictClass, Set<CatalogueEntry>> byClass =
                new TreeMap<>(Comparator.comparing(ConflictClass::toString));
        tables.forEach(
                e -> byClass.computeIfAbsent(e.conflictClass(), c -> new HashSet<>()).add(e));
        return byClass;
    }

    /// Of a view nobody knows here what it shows: it takes all tables of its database.
    private Set<CatalogueEntry> entries(List<TableLock> tables) {
        Set<CatalogueEntry> all = new HashSet<>();
        Catalogue catalogue = services.cluster().catalogue();
        for (TableLock lock : tables) {
            List<CatalogueEntry> entries =
                    catalogue.table(lock.table()).map(List::of).orElseGet(List::of);
            if (entries.isEmpty()) {
                fallback.requireTable(lock.table());
                entries = catalogue.tables(lock.table().database());
            }
            all.addAll(entries);
        }
        return all;
    }

    private static TableName key(TableName name) {
        return new TableName(
                name.database().toLowerCase(Locale.ROOT), name.name().toLowerCase(Locale.ROOT));
    }

    /// @throws QuireException where the statement is not one for a session with locked tables, or
    ///   they are not held any more
    void require(Classification kind, ClientStatement statement, String database) {
        if (!any()) {
            return;
        }
        if (everything) {
            requireRead(kind, statement);
            return;
        }
        switch (kind) {
            case Classification.Read read -> {
                read.tables().forEach(table -> requireLocked(table.in(database)));
                if (read.locking() && SessionText.forUpdate(statement.tokens())) {
                    read.tables().forEach(LockedTables::refuse);
                }
                requireHeld();
            }
            case Classification.Update update -> {
                update.tables().forEach(table -> requireLocked(table.in(database)));
                Stream.concat(update.changed().stream(), update.tables().stream())
                        .findFirst()
                        .ifPresent(LockedTables::refuse);
            }
            case Classification.SchemaChange change -> {
                for (SchemaNames.Name name : change.names().tables()) {
                    TableName table = new TableName(name.schema(), name.table()).in(database);
                    requireLocked(table);
                    refuse(table);
                }
                throw conflict();
            }
            case Classification.TableService _ -> throw conflict();
            case Classification.Call _ ->
                    throw new QuireException(
                            ErrorCode.NOT_SUPPORTED_YET,
                            "Quire does not support CALL while tables are locked");
            case Classification.Information _, Classification.Assignment _ -> requireHeld();
            default -> {}
        }
    }

    private void requireRead(Classification kind, ClientStatement statement) {
        boolean changes =
                switch (kind) {
                    case Classification.Read read ->
                            read.locking() && SessionText.forUpdate(statement.tokens());
                    case Classification.Update _,
                            Classification.SchemaChange _,
                            Classification.TableService _ ->
                            true;
                    default -> false;
                };
        if (changes) {
            throw new StatementFailed(
                    1223,
                    "HY000",
                    "Can't execute the query because you have a conflicting read lock");
        }
        if (kind instanceof Classification.Read
                || kind instanceof Classification.Information
                || kind instanceof Classification.Call) {
            requireHeld();
        }
    }

    private static StatementFailed conflict() {
        return new StatementFailed(
                1192,
                "HY000",
                "Can't execute the given command because you have active locked tables or an active"
                        + " transaction");
    }

    private void requireLocked(TableName table) {
        if (!locked.contains(key(table)) && !Fallback.isSystem(table.database())) {
            throw new StatementFailed(
                    1100,
                    "HY000",
                    "Table '%s' was not locked with LOCK TABLES".formatted(table.name()));
        }
    }

    private static void refuse(TableName table) {
        throw new StatementFailed(
                1099,
                "HY000",
                "Table '%s' was locked with a READ lock and can't be updated"
                        .formatted(table.name()));
    }

    /// @throws QuireException DEADLOCK where they are not, or nobody can tell: then none is any
    ///   more
    private void requireHeld() {
        try {
            new StopSignal().during(() -> holders.forEach(Holder::requireHeld));
        } catch (QuireException | StatementFailed e) {
            release(false);
            throw new QuireException(
                    ErrorCode.DEADLOCK,
                    "the locked tables are lost with their master; lock them again: "
                            + e.getMessage(),
                    e);
        }
    }

    /// Whether giving them back commits, as after LOCK TABLES and not after FLUSH TABLES.
    boolean endsTransactions() {
        return !everything && !locked.isEmpty();
    }

    /// UNLOCK TABLES.
    void unlock() {
        if (any()) {
            requireHeld();
            release(true);
        }
    }

    /// A transaction begins, which ends LOCK TABLES.
    void begins() {
        if (!everything) {
            unlock();
        }
    }

    /// They are not asked for any more.
    void release() {
        release(true);
    }

    private void release(boolean told) {
        List<Holder> all = List.copyOf(holders);
        holders.clear();
        locked.clear();
        everything = false;
        RuntimeException first = null;
        for (Holder holder : all) {
            try {
                holder.release(told);
            } catch (RuntimeException e) { // the others are to be released all the same
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    @Override
    public void close() {
        release(false);
    }
}
