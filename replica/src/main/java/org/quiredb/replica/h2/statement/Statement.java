package org.quiredb.replica.h2.statement;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.h2.command.Prepared;
import org.h2.engine.SessionLocal;
import org.h2.result.Row;
import org.h2.table.TableFilter;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.Condition;
import org.quiredb.common.message.SessionModes;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.binding.BoundStatement;
import org.quiredb.replica.binding.TableChange;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.layout.Collation;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.tree.OverlaidSnapshot;

/// What H2's calls have no place for: the transaction in force and what the statement did so far.
///
/// Threads: the statement's own.
public final class Statement {
    public static final ScopedValue<Statement> CURRENT = ScopedValue.newInstance();

    private static final int NO_TABLE = -1;
    private static final int EVERY_TABLE = -2;
    private static final int STEPS_UNASKED = 0xFF;

    /// Source: InnoDB's FK_MAX_CASCADE_DEL.
    private static final int MAXIMUM_CASCADES = 15;

    private final PageAccess access;
    private final long modificationId;
    private final List<SqlValue> values;
    private final SessionModes modes;

    private final StopSignal stop = StopSignal.current();
    private final Instant now;
    private int steps;
    private int target = NO_TABLE;
    private int locked = NO_TABLE;
    private @Nullable TableChange change;
    private @Nullable BoundStatement bound;
    private boolean fractions;
    private boolean cased;
    private @Nullable Collation collation;
    private long @Nullable [] chosen;
    private @Nullable Consumer<Row> duplicates;
    private @Nullable List<Row> returned;
    private final Set<Integer> updated = new HashSet<>();
    private int depth;
    private int gone;
    private int inserted;
    private int replaced;
    private int found;
    private int converted;
    private int changed;
    private @Nullable AutoIncrement autoIncrement;
    private long insertId;
    private @Nullable Long toldInsertId;
    private @Nullable String duplicate;
    private int warnings;
    private int leftOut;
    private final List<Condition> conditions = new ArrayList<>();
    private @Nullable Map<Integer, @Nullable TableFilter> planned;
    private @Nullable RowFilters filters;
    private @Nullable KeptRows kept;
    private long reached;
    private @Nullable QuireException refused;

    public Statement(
            PageAccess access,
            long modificationId,
            List<SqlValue> values,
            SessionModes modes,
            Instant now) {
        this.modes = modes;
        this.now = now;
        this.access = access;
        this.modificationId = modificationId;
        this.values = values;
    }

    /// Its transaction's.
    public PageAccess access() {
        return access;
    }

    /// Greater than that of every statement before.
    public long modificationId() {
        return modificationId;
    }

    /// Those that are bound.
    public List<SqlValue> values() {
        return values;
    }

    public SessionModes modes() {
        return modes;
    }

    public StopSignal stop() {
        return stop;
    }

    /// A row is looked at.
    ///
    /// @throws QuireException when nobody wants the statement any more
    public void step() {
        if ((++steps & STEPS_UNASKED) == 0) {
            check();
        }
    }

    /// Rows of the table are about to be read.
    ///
    /// @throws QuireException when H2 would order them otherwise than MySQL does
    public void reads(TableLayout table) {
        fractions |= table.rows().fractions();
        cased |= table.rows().cased();
        Collation of = table.rows().collation();
        if (of != null) {
            collation = collation == null || collation == of ? of : Collation.OTHER;
        }
        if (table.enumerations().stream().anyMatch(ordered()::contains)) {
            throw Errors.unsupported("order of ENUM or SET in " + table.definition().name());
        }
    }

    public void binds(BoundStatement statement) {
        bound = statement;
    }

    /// Whether it changes no row: MySQL then takes NULL for what it would refuse to store.
    public boolean queries() {
        return bound != null && bound.query() != null;
    }

    /// Outside of what changes something: then the backend can run it instead.
    public boolean plain() {
        return !access.writable() && !(access instanceof OverlaidSnapshot);
    }

    /// Of the tables that the statement names; before any is read, constants are compared.
    @Nullable Collation collationOfNamed() {
        return bound == null ? null : bound.collation();
    }

    private Set<String> ordered() {
        return bound == null ? Set.of() : bound.ordered();
    }

    /// What NOW(6) is.
    public Instant now() {
        return now;
    }

    /// Whether a text that tells cases apart may be one that an expression made, not a column's.
    public boolean casesUnclear() {
        return !cased || (collation != null && bound != null && bound.makesText());
    }

    /// Whether columns with fractions of seconds are read.
    public boolean readsFractions() {
        return fractions;
    }

    /// That of the tables read so far, null before, OTHER for several.
    @Nullable Collation collation() {
        return collation;
    }

    /// H2 considers how to read a table.
    @SuppressWarnings("ReferenceEquality") // one reading of a table, not one that is like it
    public void planned(int tableId, TableFilter filter) {
        Map<Integer, @Nullable TableFilter> readings = planned;
        if (readings == null) {
            readings = new HashMap<>(4);
            planned = readings;
        }
        if (!readings.containsKey(tableId)) {
            readings.put(tableId, filter);
        } else if (readings.get(tableId) != filter) {
            readings.put(tableId, null); // read twice: a cursor does not know for which
        }
    }

    /// How each table is read that is read in one way only.
    public Map<Integer, TableFilter> planned() {
        if (planned == null) {
            return Map.of();
        }
        Map<Integer, TableFilter> once = new HashMap<>(planned.size());
        planned.forEach((tableId, filter) -> {
            if (filter != null) {
                once.put(tableId, filter);
            }
        });
        return once;
    }

    /// @param passed what rows have to pass to be looked at
    public void runs(Prepared prepared, RowFilters passed) {
        filters = passed;
        keeps(prepared);
    }

    /// Of what is run from now on the rows count that it keeps.
    public void keeps(Prepared prepared) {
        if (kept != null) {
            kept.runs(prepared);
        }
    }

    /// Something that rows are made one of takes so much until they are.
    public void collects(long bytes) {
        if (kept != null) {
            kept.collects(bytes);
        }
    }

    public void countsIn(KeptRows rows) {
        kept = rows;
    }

    /// Something that runs has come so far. What is wrong with that is thrown later, as H2 hides
    /// what comes from here.
    void reached(long rows) {
        if (kept != null && rows != reached) {
            reached = rows;
            try {
                kept.reached(rows);
            } catch (QuireException e) {
                refused = e;
                kept.cancel();
            }
        }
    }

    /// Whether it is to end before its time: H2's session may come upon that only with its next
    /// statement.
    public boolean ends() {
        return refused != null || stop.requested();
    }

    /// @throws QuireException when it is to end before its time
    public void check() {
        stop.check();
        if (refused != null) {
            throw refused;
        }
    }

    /// What rows have to pass to be looked at; an update locks every row that it comes by.
    public @Nullable LikeFilter filter(TableLayout table, SessionLocal session) {
        return filters == null || access.writable() ? null : filters.of(table, session);
    }

    public static Statement current() {
        return CURRENT.get();
    }

    /// That of the text without case which the statement in force reads.
    public static Collation foldedCollation() {
        Collation of = CURRENT.isBound() ? current().collation() : null;
        if (of == null || of == Collation.OTHER) {
            throw Errors.unsupported("comparisons in several collations, or in a rare one");
        }
        return of;
    }

    /// The table whose changed rows count; those of cascades do not.
    public void target(int tableId, TableChange toDo) {
        target = tableId;
        locked = !toDo.inserts() && access.writable() ? tableId : NO_TABLE;
        change = toDo;
    }

    public void lockEveryTable() {
        locked = access.writable() ? EVERY_TABLE : NO_TABLE;
    }

    /// Rows of this table are about to be changed: lock exclusively at once, so that two such
    /// statements cannot both hold what the other waits for.
    public boolean locks(int tableId) {
        return locked == tableId || locked == EVERY_TABLE;
    }

    /// What is read of a table that the transaction has changed, where the statement locks nothing;
    /// else null.
    public @Nullable OverlaidSnapshot overlaid(int tableId) {
        return access instanceof OverlaidSnapshot snapshot && snapshot.touches(tableId)
                ? snapshot
                : null;
    }

    /// Whether it goes on after a row that does not fit.
    public boolean passesOver() {
        return change != null && change.ignore();
    }

    public boolean ignore() {
        return change != null && change.kind() == TableChange.Kind.INSERT && change.ignore();
    }

    public boolean replaces(int tableId) {
        return tableId == target && change != null && change.kind() == TableChange.Kind.REPLACE;
    }

    public boolean updatesDuplicates(int tableId) {
        return tableId == target && change != null && change.kind() == TableChange.Kind.UPSERT;
    }

    /// The next search in the target table gives these rows, whatever is searched for: it is that
    /// for the rows to change, before those of subqueries and foreign keys.
    public void choose(long @Nullable [] locators) {
        chosen = locators;
    }

    /// Null where the search is to find rows itself.
    public long @Nullable [] takeChosen(int tableId) {
        if (tableId != target) {
            return null;
        }
        long[] rows = chosen;
        chosen = null;
        return rows;
    }

    /// @param update changes the chosen row, given the one that was to be inserted
    public void updatesDuplicates(Consumer<Row> update) {
        duplicates = update;
    }

    /// Changes the row that is in the way of one that is inserted.
    public void updateDuplicate(long locator, Row inserted) {
        choose(new long[] {locator});
        Objects.requireNonNull(duplicates).accept(inserted);
    }

    /// A row of the table is changed, and what follows from that.
    public void updating(int tableId, Runnable follows) {
        boolean outermost = updated.add(tableId);
        try {
            follows.run();
        } finally {
            if (outermost) {
                updated.remove(tableId);
            }
        }
    }

    /// Whether a change of the table led to what goes on now.
    public boolean updates(int tableId) {
        return updated.contains(tableId);
    }

    /// What foreign keys do about a row.
    ///
    /// @throws QuireException past MySQL's depth
    public void cascades(Runnable follows) {
        if (depth > MAXIMUM_CASCADES) {
            throw new QuireException(
                    ErrorCode.CASCADES_TOO_DEEP,
                    "Foreign key cascade delete/update exceeds max depth of " + MAXIMUM_CASCADES);
        }
        depth++;
        try {
            follows.run();
        } finally {
            depth--;
        }
    }

    /// A row was to be removed that a foreign key had removed already.
    public void goneBefore() {
        gone++;
    }

    public void inserted(int tableId, Row row) {
        if (tableId == target) {
            inserted++;
            stands(tableId, row);
        }
    }

    /// From now on the target's rows are kept as the statement makes them.
    public void returnsRows() {
        returned = new ArrayList<>();
    }

    /// A row of the table is as the statement wants it, or was before it went.
    public void stands(int tableId, Row row) {
        if (returned != null && tableId == target) {
            returned.add(row);
        }
    }

    /// In the order in which they were made.
    public List<Row> returned() {
        return returned == null ? List.of() : returned;
    }

    /// INSERT IGNORE leaves the row out after all.
    public void takenBack(int tableId) {
        if (tableId == target) {
            inserted--;
            if (returned != null) {
                returned.removeLast();
            }
        }
    }

    public void replacesOne() {
        replaced++;
    }

    /// REPLACE found its row in place already.
    public void unchanged() {
        inserted++;
    }

    public void updated(int tableId, boolean reallyChanged) {
        if (tableId == target) {
            found++;
            if (reallyChanged) {
                changed++;
            }
        }
    }

    /// What a row is to become is known: an UPDATE changes none before that is said of all.
    public void converted() {
        converted++;
    }

    /// @param first the first AUTO_INCREMENT value to generate, 0 for the table's next
    public void generatesFrom(long first) {
        insertId = first;
    }

    /// LAST_INSERT_ID(id): the last one counts.
    public void tellInsertId(long id) {
        toldInsertId = id;
    }

    /// Null for none.
    public @Nullable Long toldInsertId() {
        return toldInsertId;
    }

    /// The AUTO_INCREMENT values of the statement's rows.
    public AutoIncrement autoIncrement() {
        AutoIncrement values = autoIncrement;
        if (values == null) {
            values = new AutoIncrement(change == null ? 1 : Math.max(change.rows(), 1), insertId);
            autoIncrement = values;
        }
        return values;
    }

    /// A row is left out by IGNORE.
    public void warn(int number, String message) {
        leftOut++;
        add(Condition.WARNING, number, message);
    }

    /// Something of a value is lost, which is no error in any mode.
    public void note(int number, String message) {
        add(Condition.NOTE, number, message);
    }

    private void add(String level, int number, String message) {
        warnings++;
        if (conditions.size() < Condition.MOST) {
            conditions.add(new Condition(level, number, message));
        }
    }

    /// The protocol has two bytes for how many there are.
    public int warnings() {
        return Math.min(warnings, 0xFFFF);
    }

    public List<Condition> conditions() {
        return List.copyOf(conditions);
    }

    public void duplicate(String message) {
        duplicate = message;
    }

    public @Nullable String duplicate() {
        return duplicate;
    }

    /// Which row, from 1, it is at.
    public long row() {
        return inserted + leftOut + Math.max(found, converted) + 1L;
    }

    /// Rows that IGNORE left out.
    public long leftOut() {
        return leftOut;
    }

    public long inserted() {
        return inserted;
    }

    /// Rows that it found, and did not remove itself.
    public long gone() {
        return gone;
    }

    /// Rows that REPLACE removed.
    public long replaced() {
        return replaced;
    }

    public long found() {
        return found;
    }

    public long changed() {
        return changed;
    }
}
