package org.quiredb.replica.execution;

import java.util.List;
import org.quiredb.common.sql.SqlValue;

/// A part of a plan that hangs on an execution's values.
@FunctionalInterface
public interface Late<T> {
    /// @throws NotHereException where a value is of a form that a plan has no rule for
    T with(List<SqlValue> values);
}
