package org.quiredb.replica.execution;

import java.util.List;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.page.PageAccess;

/// A query in place of a value, which hangs on no row: once for each execution.
@FunctionalInterface
public interface Scalar {
    /// @param values those that are bound
    SqlValue value(PageAccess access, List<SqlValue> values);
}
