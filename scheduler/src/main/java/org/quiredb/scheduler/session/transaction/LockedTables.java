package org.quiredb.scheduler.session.transaction;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.Overlay;
import org.quiredb.common.message.OverlayStep;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.schema.SchemaNames;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.backend.SessionText;
import org.quiredb.scheduler.session.state.Client;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Isolation;
import org.quiredb.scheduler.session.state.Kept;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.StatementCalls;
import org.quiredb.scheduler.session.state.Transaction;
import org.quiredb.scheduler.session.state.Transaction.Open;
import org.quiredb.scheduler.session.state.Transaction.Update;
import org.quiredb.sql.command.TableLock;
import org.quiredb.sql.tree.TableName;

/// LOCK TABLES: until UNLOCK TABLES nobody else changes the tables, nor reads those that are locked
/// for WRITE, and the session uses no others. FLUSH TABLES WITH READ LOCK: all tables for READ.
///
/// For each class of the tables a transaction beside the session's own holds them on the master,
/// whose locks the session's own transactions pass. Plain reads of others lock nothing there: that
/// they are to wait every scheduler knows before LOCK TABLES returns ({@link
/// org.quiredb.scheduler.agree}). When a master is lost, the next one locks them anew: they are
/// held still if nobody has changed them meanwhile but this session.
///
/// Invariant: what is read while they are held is one state, but for what the session changes. That
/// they were is found out with each statement, and when they are given back: before a client can
/// take what it has read for that.
///
/// Threads: owned by the session's thread.
public final class LockedTables implements Held, AutoCloseable {
    /// Who has lost waits for locks again, not for this.
    private static final long MAXIMUM_PAUSE_MILLIS = 20;

    /// For the locks on another master, which others may have taken meanwhile.
    private static final long LONGEST_RETURN_MILLIS = 10_000;

    private final Services services;
    private final Fallback fallback;
    private final Kept kept;
    private final Client client;
    private final Map<ConflictClass, Holder> holders = new LinkedHashMap<>();

    /// Whether for writing, too.
    private final Map<TableName, Boolean> locked = new HashMap<>();

    private boolean everything;

    /// In which life of the scheduler the others have noted what is locked against readers; 0 for
    /// nothing.
    private long life;

    /// A transaction that holds the tables of one class.
    private final class Holder {
        private final SessionState state =
                new SessionState(client.login(), kept, Isolation.SERIALIZABLE);
        private final MasterStatements updates =
                new MasterStatements(services, state, Held.NOTHING, client.id(), false);
        private final Set<TableName> names = new HashSet<>();
        private final OverlayStep step;

        /// The commit up to which nobody else can have changed a table.
        private final Map<Integer, Long> versions = new HashMap<>();

        /// @param tables whether for writing, too
        Holder(Map<CatalogueEntry, Boolean> tables) {
            List<Integer> read = new ArrayList<>();
            List<Integer> written = new ArrayList<>();
            tables.forEach((entry, write) -> {
                names.add(new TableName(entry.definition().schema(), entry.definition().name()));
                (write ? written : read).add(entry.tableId());
            });
            step = new OverlayStep(read, written, 0, 0);
        }

        void lock(long waitMillis) {
            held(waitMillis).forEach(table -> versions.put(table.tableId(), table.version()));
        }

        private List<Overlay.Locked> held(long waitMillis) {
            state.transaction(new Open(false));
            state.lockWaitMillis(waitMillis);
            MasterStatements.Told told = updates.overlay(names, step);
            services.cluster().learn(told.stable(), 0); // so that no read shows less than that
            return told.overlay().tables();
        }

        void requireHeld() {
            if (state.transaction() instanceof Update update) {
                if (updates.isOpen(update)) {
                    return;
                }
                updates.abandon(update);
            }
            again(
                    LONGEST_RETURN_MILLIS,
                    leftMillis -> {
                        for (Overlay.Locked now : held(leftMillis)) {
                            if (now.version() > versions.getOrDefault(now.tableId(), -1L)) {
                                throw new QuireException(
                                        ErrorCode.TABLE_CHANGED,
                                        "others have changed them meanwhile");
                            }
                        }
                    });
        }

        void committed(VersionVector stable) {
            versions.replaceAll((table, version) -> Math.max(version, stable.get(table)));
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

    public LockedTables(Services services, Fallback fallback, Kept kept, Client client) {
        this.services = services;
        this.fallback = fallback;
        this.kept = kept;
        this.client = client;
    }

    public boolean any() {
        return everything || !locked.isEmpty();
    }

    /// @param write whether any is to be locked for writing
    /// @throws StatementFailed where LOCK TABLES is no way on from what the session has locked
    public void requireLockable(boolean write) {
        if (everything && write) {
            throw readLocked();
        }
    }

    /// @throws StatementFailed where FLUSH TABLES WITH READ LOCK is none
    public void requireAllLockable() {
        if (!locked.isEmpty()) {
            throw conflict();
        }
    }

    /// FLUSH TABLES WITH READ LOCK.
    public void lockAll() {
        Map<CatalogueEntry, Boolean> all = new HashMap<>();
        services.cluster().catalogue().tables().forEach(entry -> all.put(entry, false));
        hold(all, SessionState.LONGEST_LOCK_WAIT_MILLIS);
        everything = true;
    }

    /// @param tables with their databases
    /// @param waitMillis for all of them
    public void lock(List<TableLock> tables, long waitMillis) {
        hold(entries(tables), waitMillis);
        tables.forEach(one -> locked.merge(key(one.table()), one.write(), Boolean::logicalOr));
    }

    private void hold(Map<CatalogueEntry, Boolean> tables, long waitMillis) {
        Map<ConflictClass, Map<CatalogueEntry, Boolean>> byClass = byClass(tables);
        Set<Integer> written = new HashSet<>();
        tables.forEach((entry, write) -> {
            if (write) {
                written.add(entry.tableId());
            }
        });
        try {
            again(
                    waitMillis,
                    leftMillis -> {
                        release(false);
                        byClass.forEach((conflictClass, entries) -> {
                            Holder holder = new Holder(entries);
                            holders.put(conflictClass, holder);
                            holder.lock(leftMillis);
                        });
                    });
            if (!written.isEmpty()) {
                life = services.cluster().companions().life();
                services.cluster().companions().lock(this, written);
            }
        } catch (QuireException | StatementFailed e) {
            release(false);
            throw e;
        }
    }

    /// Who locks whole tables loses to nobody for good: a deadlock's victim has nothing else that
    /// it would lose, and waits on.
    ///
    /// @param limitMillis for all attempts
    /// @param locking given what is left of that
    private static void again(long limitMillis, LongConsumer locking) {
        long deadlineMillis = Masters.nowMillis() + limitMillis;
        long pauseMillis = Masters.FIRST_PAUSE_MILLIS;
        while (true) {
            StopSignal.current().check();
            long leftMillis = Math.max(0, deadlineMillis - Masters.nowMillis());
            try {
                locking.accept(leftMillis);
                return;
            } catch (QuireException | StatementFailed e) {
                if (!isDeadlock(e)) {
                    throw e;
                }
                if (leftMillis == 0) {
                    throw new QuireException(
                            ErrorCode.LOCK_WAIT_TIMEOUT,
                            "Lock wait timeout exceeded; try restarting transaction",
                            e);
                }
                StatementCalls.pause(Math.min(pauseMillis, leftMillis));
                pauseMillis = Math.min(2 * pauseMillis, MAXIMUM_PAUSE_MILLIS);
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
    private static Map<ConflictClass, Map<CatalogueEntry, Boolean>> byClass(
            Map<CatalogueEntry, Boolean> tables) {
        Map<ConflictClass, Map<CatalogueEntry, Boolean>> byClass =
                new TreeMap<>(Comparator.comparing(ConflictClass::toString));
        tables.forEach((entry, write) ->
                byClass.computeIfAbsent(entry.conflictClass(), c -> new HashMap<>())
                        .put(entry, write));
        return byClass;
    }

    /// Of a view nobody knows here what it shows: it takes all tables of its database.
    private Map<CatalogueEntry, Boolean> entries(List<TableLock> tables) {
        Map<CatalogueEntry, Boolean> all = new HashMap<>();
        Catalogue catalogue = services.cluster().catalogue();
        for (TableLock lock : tables) {
            List<CatalogueEntry> entries =
                    catalogue.table(lock.table()).map(List::of).orElseGet(List::of);
            if (entries.isEmpty()) {
                fallback.requireTable(lock.table());
                entries = catalogue.tables(lock.table().database());
            }
            entries.forEach(entry -> all.merge(entry, lock.write(), Boolean::logicalOr));
        }
        return all;
    }

    private static TableName key(TableName name) {
        return new TableName(
                name.database().toLowerCase(Locale.ROOT), name.name().toLowerCase(Locale.ROOT));
    }

    /// @param temporary whether a table is a temporary one of the session, which needs no lock
    /// @throws QuireException where the statement is not one for a session with locked tables, or
    ///   they are not held any more
    public void require(
            Classification kind,
            ClientStatement statement,
            String database,
            Predicate<TableName> temporary) {
        if (!any()) {
            return;
        }
        if (everything) {
            requireRead(kind, statement);
            return;
        }
        switch (kind) {
            case Classification.Read read -> {
                Set<TableName> tables = others(read.tables(), database, temporary);
                tables.forEach(this::requireLocked);
                if (read.locking() && SessionText.forUpdate(statement.tokens())) {
                    tables.forEach(this::requireWritten);
                }
                requireHeld();
            }
            case Classification.Update update -> {
                Set<TableName> tables = others(update.tables(), database, temporary);
                tables.forEach(this::requireLocked);
                boolean known = !update.changed().isEmpty();
                if (known || tables.stream().noneMatch(this::isWritten)) {
                    (known ? others(update.changed(), database, temporary) : tables)
                            .forEach(this::requireWritten);
                }
                requireLife(); // and the master knows whether they are held
            }
            case Classification.Load load -> {
                Set<TableName> tables = others(Set.of(load.table()), database, temporary);
                tables.forEach(this::requireLocked);
                tables.forEach(this::requireWritten);
                requireLife();
            }
            case Classification.SchemaChange change -> {
                for (SchemaNames.Name name : change.names().tables()) {
                    TableName table = new TableName(name.schema(), name.table()).in(database);
                    requireLocked(table);
                    requireWritten(table);
                }
                if (change.names().tables().isEmpty()) {
                    throw conflict();
                }
                throw new QuireException(
                        ErrorCode.NOT_SUPPORTED_YET,
                        "Quire does not support schema changes while tables are locked; UNLOCK"
                                + " TABLES first");
            }
            case Classification.TableService _, Classification.AccountChange _ -> throw conflict();
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
                            Classification.Load _,
                            Classification.SchemaChange _,
                            Classification.AccountChange _,
                            Classification.TableService _ ->
                            true;
                    default -> false;
                };
        if (changes) {
            throw readLocked();
        }
        if (kind instanceof Classification.Read
                || kind instanceof Classification.Information
                || kind instanceof Classification.Call) {
            requireHeld();
        }
    }

    private static StatementFailed readLocked() {
        return new StatementFailed(
                1223, "HY000", "Can't execute the query because you have a conflicting read lock");
    }

    private static StatementFailed conflict() {
        return new StatementFailed(
                1192,
                "HY000",
                "Can't execute the given command because you have active locked tables or an active"
                        + " transaction");
    }

    private void requireLocked(TableName table) {
        if (!locked.containsKey(key(table)) && !Fallback.isSystem(table.database())) {
            throw new StatementFailed(
                    1100,
                    "HY000",
                    "Table '%s' was not locked with LOCK TABLES".formatted(table.name()));
        }
    }

    private static Set<TableName> others(
            Set<TableName> tables, String database, Predicate<TableName> temporary) {
        return tables.stream()
                .map(table -> table.in(database))
                .filter(temporary.negate())
                .collect(Collectors.toSet());
    }

    private boolean isWritten(TableName table) {
        return locked.getOrDefault(key(table), false);
    }

    private void requireWritten(TableName table) {
        if (!isWritten(table)) {
            throw new StatementFailed(
                    1099,
                    "HY000",
                    "Table '%s' was locked with a READ lock and can't be updated"
                            .formatted(table.name()));
        }
    }

    @Override
    public long host(ConflictClass conflictClass) {
        Holder holder = holders.get(conflictClass);
        if (holder == null && holders.size() == 1 && conflictClass.equals(ConflictClass.NONE)) {
            holder = holders.values().iterator().next();
        }
        return holder == null ? ReplicaRequest.Update.NO_HOST : holder.updates.number();
    }

    @Override
    public void require() {
        if (any()) {
            requireHeld();
        }
    }

    @Override
    public void committed(VersionVector stable) {
        holders.values().forEach(holder -> holder.committed(stable));
    }

    /// @throws QuireException DEADLOCK where they are not, or nobody can tell: then none is any
    ///   more
    private void requireHeld() {
        requireLife();
        try {
            new StopSignal().during(() -> holders.values().forEach(Holder::requireHeld));
        } catch (QuireException | StatementFailed e) {
            release(false);
            throw lost(String.valueOf(e.getMessage()));
        }
    }

    /// Others' plain reads have not waited since.
    private void requireLife() {
        if (life != 0 && life != services.cluster().companions().standing().life()) {
            release(false);
            throw lost("other schedulers have gone on without this one");
        }
    }

    private static QuireException lost(String why) {
        return new QuireException(
                ErrorCode.DEADLOCK, "the locked tables are lost; lock them again: " + why);
    }

    /// Whether giving them back commits, as after LOCK TABLES and not after FLUSH TABLES.
    public boolean endsTransactions() {
        return !everything && !locked.isEmpty();
    }

    /// UNLOCK TABLES.
    public void unlock() {
        if (any()) {
            requireHeld();
            release(true);
        }
    }

    /// A transaction begins, which ends LOCK TABLES.
    public void begins() {
        if (!everything) {
            unlock();
        }
    }

    /// They are not asked for any more.
    public void release() {
        release(true);
    }

    private void release(boolean told) {
        List<Holder> all = List.copyOf(holders.values());
        boolean toldOthers = life != 0;
        holders.clear();
        locked.clear();
        everything = false;
        life = 0;
        RuntimeException first = null;
        for (Holder holder : all) {
            try {
                holder.release(told);
            } catch (RuntimeException e) { // the others are to be released all the same
                first = first == null ? e : first;
            }
        }
        if (toldOthers) {
            services.cluster().companions().unlock(this);
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
