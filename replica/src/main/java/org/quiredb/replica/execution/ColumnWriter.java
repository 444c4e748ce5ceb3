package org.quiredb.replica.execution;

import org.quiredb.common.mysql.PacketWriter;
import org.quiredb.common.mysql.ResultSetEncoder;

/// Writes a column of a result.
@FunctionalInterface
public interface ColumnWriter {
    /// @param place the column's, counted from 0
    /// @param out the row that the encoder has begun
    void write(int place, RowContext at, ResultSetEncoder encoder, PacketWriter out);
}
