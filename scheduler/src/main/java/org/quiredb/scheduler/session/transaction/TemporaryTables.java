package org.quiredb.scheduler.session.transaction;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.SavepointStep;
import org.quiredb.scheduler.fallback.FallbackBackend;
import org.quiredb.scheduler.fallback.HeldTables;
import org.quiredb.scheduler.fallback.connection.BackendSession;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// A session's temporary tables: on the backend, in a connection that is the session's own from the
/// first one until the last is dropped.
///
/// Invariant: none is called as a table, or a view, that was there before it: what should go to a
/// temporary table that is gone meets an error and no other table.
///
/// Threads: owned by the session's thread.
public final class TemporaryTables implements AutoCloseable {
    private final FallbackBackend backend;
    private final Runnable hangUp;

    /// With their databases, as the backend tells names apart.
    private final Set<TableName> names = new HashSet<>();

    /// Of the client's transaction.
    private final Set<String> savepoints = new LinkedHashSet<>();

    private @Nullable HeldTables held;
    private boolean begun;
    private boolean lettersDiffer;

    /// @param hangUp ends the client's connection, when its tables are lost
    public TemporaryTables(FallbackBackend backend, Runnable hangUp) {
        this.backend = backend;
        this.hangUp = hangUp;
    }

    /// Whether there are some, or the session has a connection for them still.
    public boolean any() {
        return held != null;
    }

    /// @param table with its database
    public boolean has(TableName table) {
        return any() && names.contains(key(table));
    }

    public boolean hasAny(Collection<TableName> tables) {
        return any() && tables.stream().anyMatch(this::has);
    }

    /// Without the temporary ones.
    public Set<TableName> others(Collection<TableName> tables) {
        return tables.stream().filter(table -> !has(table)).collect(Collectors.toSet());
    }

    /// Whether a text may name one, of which nothing else is known.
    public boolean maybeNamedBy(Tokens tokens, String database) {
        for (int i = 0; i < tokens.size() && any(); i++) {
            String name = tokens.name(i);
            boolean qualified = i > 1 && tokens.is(i - 1, '.');
            if (!name.isEmpty()
                    && has(new TableName(qualified ? tokens.name(i - 2) : database, name))) {
                return true;
            }
        }
        return false;
    }

    private TableName key(TableName name) {
        return lettersDiffer
                ? name
                : new TableName(
                        name.database().toLowerCase(Locale.ROOT),
                        name.name().toLowerCase(Locale.ROOT));
    }

    /// @param exact whether the backend tells names apart by capital letters
    public void add(TableName table, boolean exact) {
        lettersDiffer = exact;
        names.add(key(table));
    }

    public void remove(TableName table) {
        names.remove(key(table));
    }

    /// Their connection, of which the session has one as long as it does not {@link #settle}
    /// without having any.
    public HeldTables held(BackendSession session) {
        HeldTables own = held;
        if (own == null) {
            own = backend.holdTables(session, hangUp);
            held = own;
        }
        return own;
    }

    /// As held, in a transaction beside the client's.
    public HeldTables within(BackendSession session) {
        HeldTables own = held(session);
        if (!begun) {
            own.begin(session, savepoints);
            begun = true;
        }
        return own;
    }

    /// Whether there is a transaction beside the client's.
    public boolean begun() {
        return begun;
    }

    /// The client's transaction is about to be committed: the one beside it gives way to nobody any
    /// more.
    ///
    /// @return false where it has already
    boolean keep() {
        HeldTables own = held;
        return !begun || own == null || own.keep();
    }

    static QuireException rolledBack() {
        return new QuireException(
                ErrorCode.DEADLOCK,
                "the transaction is rolled back: what it did with temporary tables is gone, as a"
                        + " schema change waited for it or it met another in a deadlock; try"
                        + " restarting transaction");
    }

    /// The client's transaction has ended.
    void ended(boolean commit) {
        savepoints.clear();
        if (begun && held != null) {
            begun = false;
            held.end(commit);
        }
    }

    /// A savepoint of the client's transaction was set, released or gone back to.
    void savepoint(SavepointStep step) {
        switch (step.kind()) {
            case SET -> {
                savepoints.remove(step.name());
                savepoints.add(step.name());
            }
            case RELEASE -> savepoints.removeAll(from(step.name(), true));
            case ROLL_BACK_TO -> savepoints.removeAll(from(step.name(), false));
        }
        if (begun && held != null) {
            held.savepoint(step);
        }
    }

    private Set<String> from(String name, boolean inclusive) {
        Set<String> later = new HashSet<>();
        boolean found = false;
        for (String each : savepoints) {
            if (found || (inclusive && each.equals(name))) {
                later.add(each);
            }
            found |= each.equals(name);
        }
        return later;
    }

    /// A statement is over, and perhaps the transaction that it was in.
    public void settle(boolean inTransaction) {
        if (!inTransaction) {
            ended(false);
        }
        if (!begun && names.isEmpty()) {
            close();
        }
    }

    @Override
    public void close() {
        HeldTables own = held;
        held = null;
        begun = false;
        names.clear();
        savepoints.clear();
        if (own != null) {
            own.close();
        }
    }
}
