package org.quiredb.replica.h2.table;

import org.h2.api.ErrorCode;
import org.h2.constraint.Constraint;
import org.h2.engine.SessionLocal;
import org.h2.message.DbException;
import org.h2.result.Row;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.SessionModes;
import org.quiredb.common.schema.CheckDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.replica.engine.Errors;

/// The CHECKs of a table, which H2 computes for a row as it is to be stored; those that say no more
/// than that a column is JSON are its `JsonColumns`'.
///
/// Threads: any.
public final class Checks {
    private final QuireTable table;

    Checks(QuireTable table) {
        this.table = table;
    }

    /// @param place among the table's CHECKs
    public static String nameInH2(int tableId, int place) {
        return "c" + tableId + "_" + place;
    }

    private static int place(Constraint check) {
        String name = check.getName();
        return Integer.parseInt(name.substring(name.indexOf('_') + 1));
    }

    /// The error of the first one that the row fails; null where it passes all, or need not.
    @Nullable QuireException refusal(
            SessionLocal session, SessionModes modes, @Nullable Row before, Row after) {
        Iterable<Constraint> constraints = table.getConstraints();
        if (constraints == null || modes.checked()) {
            return null;
        }
        TableDefinition definition = table.layout().definition();
        for (Constraint constraint : constraints) {
            if (constraint.getConstraintType() != Constraint.Type.CHECK) {
                continue;
            }
            CheckDefinition check = definition.checks().get(place(constraint));
            if ((check.ofPartitions() || !modes.checksUnchecked())
                    && !passes(constraint, session, before, after)) {
                return check.ofPartitions()
                        ? Errors.unsupported("a row that belongs to no partition")
                        : Errors.failed(definition, check);
            }
        }
        return null;
    }

    @SuppressWarnings("UnusedException") // it says no more than that
    private boolean passes(
            Constraint check, SessionLocal session, @Nullable Row before, Row after) {
        try {
            check.checkRow(session, table, before, after);
            return true;
        } catch (DbException e) {
            if (e.getErrorCode() == ErrorCode.CHECK_CONSTRAINT_VIOLATED_1) {
                return false;
            }
            throw e;
        }
    }
}
