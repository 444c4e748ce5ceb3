package org.quiredb.replica.intake;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.PageId;
import org.quiredb.common.writeset.TablePart;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.replica.page.PageStore;

/// What has come of tables that a class's next commit makes. Its pages are in the store, where
/// nobody can read them: no catalogue names the tables.
///
/// Invariant: a commit that follows parts is taken in by who holds all of them, and what is held of
/// tables that it does not make is dropped with it. Ids are given once: what another master has
/// begun is of other tables.
///
/// Threads: the intake's.
final class TableParts {
    /// @param epoch of the first part
    private record Taking(long epoch, long commitNumber, int parts, Set<Integer> tables) {}

    private final PageStore store;
    private final Map<ConflictClass, Taking> classes = new HashMap<>();

    TableParts(PageStore store) {
        this.store = store;
    }

    /// The first one of a commit begins anew.
    ///
    /// @throws IllegalStateException when the one before it has not come
    void take(TablePart part) {
        Taking before = part.number() == 1 ? begin(part) : classes.get(part.conflictClass());
        if (before == null
                || before.commitNumber != part.commitNumber()
                || before.parts + 1 != part.number()) {
            throw new IllegalStateException(
                    "part %d of the tables of %s %d comes after %d"
                            .formatted(
                                    part.number(),
                                    part.conflictClass(),
                                    part.commitNumber(),
                                    before == null ? 0 : before.parts));
        }
        Set<Integer> tables = new TreeSet<>(before.tables);
        for (TablePart.Page page : part.pages()) {
            tables.add(PageId.tableId(page.pageId()));
            store.replace(page.pageId(), page.bytes(), part.commitNumber());
        }
        classes.put(
                part.conflictClass(),
                new Taking(before.epoch, before.commitNumber, part.number(), tables));
    }

    private Taking begin(TablePart part) {
        forget(part.conflictClass());
        return new Taking(part.epoch(), part.commitNumber(), 0, Set.of());
    }

    /// How many have come of the commit after this one, since this term began.
    int held(ConflictClass conflictClass, long term) {
        Taking taking = classes.get(conflictClass);
        return taking == null || taking.epoch < term ? 0 : taking.parts;
    }

    /// The commit that they belong to, while there are any.
    @Nullable Long awaited(ConflictClass conflictClass) {
        Taking taking = classes.get(conflictClass);
        return taking == null ? null : taking.commitNumber;
    }

    /// Before the commit is taken in.
    ///
    /// @throws IllegalStateException when it follows others than have come
    void complete(WriteSet writeSet) {
        ConflictClass conflictClass = writeSet.conflictClass();
        int held = held(writeSet);
        if (held != writeSet.parts()) {
            throw new IllegalStateException(
                    "%s %d follows %d parts, of which %d are here"
                            .formatted(
                                    conflictClass,
                                    writeSet.commitNumber(),
                                    writeSet.parts(),
                                    held));
        }
        if (held == 0) {
            forget(conflictClass);
        } else {
            classes.remove(conflictClass);
        }
    }

    private int held(WriteSet writeSet) {
        Taking taking = classes.get(writeSet.conflictClass());
        return taking == null
                        || taking.commitNumber != writeSet.commitNumber()
                        || !made(writeSet).containsAll(taking.tables)
                ? 0
                : taking.parts;
    }

    private static Set<Integer> made(WriteSet writeSet) {
        Set<Integer> made = new TreeSet<>();
        for (SchemaChange change : writeSet.schemaChanges()) {
            if (change instanceof SchemaChange.CreateTable created) {
                made.add(created.tableId());
            }
        }
        return made;
    }

    /// The commit does not come: this replica is master of the class itself.
    void forget(ConflictClass conflictClass) {
        Taking taking = classes.remove(conflictClass);
        if (taking != null) {
            taking.tables.forEach(store::dropTable);
        }
    }

    Set<ConflictClass> begun() {
        return Set.copyOf(classes.keySet());
    }
}
