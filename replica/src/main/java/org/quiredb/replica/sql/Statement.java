package org.quiredb.replica.sql;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.h2.engine.SessionLocal;
import org.h2.table.TableFilter;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.page.PageAccess;

/// What H2's calls have no place for: the transaction in force and what the statement did so far.
///
/// Threads: the statement's own.
final class Statement {
    static final ScopedValue<Statement> CURRENT = ScopedValue.newInstance();

    private static final int NO_TABLE = -1;
    private static final int EVERY_TABLE = -2;

    final PageAccess access;
    final long modificationId;
    final List<SqlValue> values;
    private int target = NO_TABLE;
    private int locked = NO_TABLE;
    private boolean ignore;
    private long inserted;
    private long found;
    private long changed;
    private long firstGenerated;
    private long lastGenerated;
    private long lastExplicit;
    private @Nullable String duplicate;
    private final Map<Integer, @Nullable TableFilter> planned = new HashMap<>(4);
    private @Nullable Plan plan;

    Statement(PageAccess access, long modificationId, List<SqlValue> values) {
        this.access = access;
        this.modificationId = modificationId;
        this.values = values;
    }

    /// H2 considers how to read a table.
    void planned(int tableId, TableFilter filter) {
        if (!planned.containsKey(tableId)) {
            planned.put(tableId, filter);
        } else if (planned.get(tableId) != filter) {
            planned.put(tableId, null); // read twice: a cursor does not know for which
        }
    }

    /// How each table is read that is read in one way only.
    Map<Integer, TableFilter> planned() {
        Map<Integer, TableFilter> once = new HashMap<>(planned.size());
        planned.forEach((tableId, filter) -> {
            if (filter != null) {
                once.put(tableId, filter);
            }
        });
        return once;
    }

    void runs(Plan executed) {
        plan = executed;
    }

    /// What rows have to pass to be looked at; an update locks every row that it comes by.
    @Nullable LikeFilter filter(TableLayout table, SessionLocal session) {
        Plan executed = plan;
        return executed == null || access.writable() ? null : executed.filter(table, session);
    }

    static Statement current() {
        return CURRENT.get();
    }

    /// The table whose changed rows count; those of cascades do not.
    void target(int tableId, boolean locksRows, boolean ignoresErrors) {
        target = tableId;
        locked = locksRows && access.writable() ? tableId : NO_TABLE;
        ignore = ignoresErrors;
    }

    void lockEveryTable() {
        locked = access.writable() ? EVERY_TABLE : NO_TABLE;
    }

    /// Rows of this table are about to be changed: lock exclusively at once, so that two such
    /// statements cannot both hold what the other waits for.
    boolean locks(int tableId) {
        return locked == tableId || locked == EVERY_TABLE;
    }

    boolean ignore() {
        return ignore;
    }

    void inserted(int tableId) {
        inserted += tableId == target ? 1 : 0;
    }

    void updated(int tableId, boolean reallyChanged) {
        found += tableId == target ? 1 : 0;
        changed += tableId == target && reallyChanged ? 1 : 0;
    }

    /// @throws QuireException when another transaction took a value in between: a backend would
    ///   number the rows without the gap
    void generated(long value) {
        if (firstGenerated == 0) {
            firstGenerated = value;
        } else if (value != lastGenerated + 1) {
            throw new QuireException(
                    ErrorCode.DEADLOCK,
                    "AUTO_INCREMENT values were taken in between; try restarting transaction");
        }
        lastGenerated = value;
    }

    void explicit(long value) {
        lastExplicit = value;
    }

    void duplicate(String message) {
        duplicate = message;
    }

    @Nullable String duplicate() {
        return duplicate;
    }

    long inserted() {
        return inserted;
    }

    long found() {
        return found;
    }

    long changed() {
        return changed;
    }

    long firstGenerated() {
        return firstGenerated;
    }

    /// As the OK packet shows it: the first value generated, else the last one given.
    long insertId() {
        return firstGenerated != 0 ? firstGenerated : lastExplicit;
    }
}
