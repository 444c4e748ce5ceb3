package org.quiredb.replica.execution;

import org.quiredb.common.mysql.PacketWriter;
import org.quiredb.common.mysql.ResultHeader;
import org.quiredb.common.mysql.ResultSetEncoder;

/// Rows become packets; the header goes before the first, or before none.
///
/// Threads: its execution's.
final class Writing implements Stage {
    private final ColumnWriter[] columns;
    private final ResultHeader header;
    private final ResultSetEncoder encoder;
    private long skipped;
    private long wanted;
    private boolean begun;

    Writing(
            ColumnWriter[] columns,
            ResultHeader header,
            ResultSetEncoder encoder,
            long offset,
            long limit) {
        this.columns = columns;
        this.header = header;
        this.encoder = encoder;
        this.skipped = offset;
        this.wanted = limit;
    }

    @Override
    public boolean take(RowContext at) {
        if (wanted == 0) {
            return false;
        }
        if (skipped > 0) {
            skipped--;
            return true;
        }
        begin();
        PacketWriter out = encoder.beginRow();
        for (int i = 0; i < columns.length; i++) {
            columns[i].write(i, at, encoder, out);
        }
        encoder.endRow();
        return --wanted > 0;
    }

    private void begin() {
        if (!begun) {
            begun = true;
            encoder.columns(header);
        }
    }

    @Override
    public void end(RowContext at) {
        begin();
    }
}
