package org.quiredb.common.mysql;

import java.util.List;

/// A result set's columns, with the payloads that describe them: made once for a statement that
/// runs many times.
@SuppressWarnings("ArrayRecordComponent") // shared by the results of one statement, never changed
public record ResultHeader(ColumnMetadata[] array, byte[][] payloads) {
    public static ResultHeader of(List<ColumnMetadata> columns) {
        return new ResultHeader(
                columns.toArray(ColumnMetadata[]::new),
                columns.stream().map(ColumnMetadata::payload).toArray(byte[][]::new));
    }

    public List<ColumnMetadata> columns() {
        return List.of(array);
    }
}
