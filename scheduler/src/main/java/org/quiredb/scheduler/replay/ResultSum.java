package org.quiredb.scheduler.replay;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.scheduler.cluster.PartSink;

/// Sums what a client sees of a statement: the packets of its rows, and how it ends.
///
/// Two checks of 32 bits over different polynomials: of two results that differ by chance one in
/// 2^64 goes unseen.
///
/// Threads: part on an event loop; the rest by the session's thread when the call is over.
public final class ResultSum implements PartSink {
    private final CRC32 first = new CRC32();
    private final CRC32C second = new CRC32C();
    private final PartSink next;

    /// @param next takes the packets
    public ResultSum(PartSink next) {
        this.next = next;
    }

    @Override
    public void part(byte[] packets, Runnable consumed) {
        add(packets);
        next.part(packets, consumed);
    }

    /// However the packets were cut into parts.
    public long endingWith(ReplicaReply reply) {
        ByteWriter end = new ByteWriter(64);
        switch (reply) {
            case ReplicaReply.Rows rows -> end.u8(1).i64(rows.packets());
            case ReplicaReply.Updated u ->
                    end.u8(2)
                            .i64(u.affectedRows())
                            .i64(u.lastInsertId())
                            .i32(u.warnings())
                            .bytes(u.info().getBytes(StandardCharsets.UTF_8));
            case ReplicaReply.Failed f -> end.u8(3).i32(f.number()).i64(f.packets());
            default -> throw new IllegalArgumentException("no client sees " + reply);
        }
        add(end.toByteArray());
        return second.getValue() << 32 | first.getValue();
    }

    private void add(byte[] bytes) {
        first.update(bytes);
        second.update(bytes);
    }
}
