package org.quiredb.scheduler.characters;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.mysql.PacketFramer;
import org.quiredb.common.mysql.PacketReader;
import org.quiredb.common.mysql.PacketWriter;

/// The results of one statement in a client's character set: names, lengths and texts.
///
/// A column of texts is one that is not of bytes (collation 63); its length counts the longest
/// characters of the set, as it did those of UTF-8.
///
/// Threads: one at a time, as the packets of a result come one after the other.
public final class ConvertedResults {
    private static final int BINARY = 63;
    private static final int UTF8_BYTES = 4;
    private static final long MOST_LENGTH = 0xFFFF_FFFFL;
    private static final int LARGEST_PACKET = 0xFF_FFFF;
    private static final int HEADER = 4;
    private static final int OK = 0;
    private static final int ERROR = 0xFF;
    private static final int NULL = 0xFB;
    private static final int END = 0xFE;
    private static final int END_BYTES = 5;

    private final CharacterSet set;
    private final int number;
    private final boolean binaryRows;
    private final List<ColumnMetadata> columns = new ArrayList<>();

    /// Of a payload of several packets, until its last one has come.
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

    private long expected;
    private boolean described;

    /// @param set of results
    /// @param number of its collation
    /// @param binaryRows in the binary protocol
    ConvertedResults(CharacterSet set, int number, boolean binaryRows) {
        this.set = set;
        this.number = number;
        this.binaryRows = binaryRows;
    }

    /// The same packets, whatever their numbers; those of a large row with the last one of it.
    ///
    /// @param packets whole ones
    public byte[] of(byte[] packets) {
        ByteArrayOutputStream converted = new ByteArrayOutputStream(packets.length);
        PacketFramer framer = new PacketFramer(converted::writeBytes, 0);
        for (int at = 0; at < packets.length; ) {
            int length =
                    (packets[at] & 0xFF)
                            | (packets[at + 1] & 0xFF) << 8
                            | (packets[at + 2] & 0xFF) << 16;
            begun.write(packets, at + HEADER, length);
            at += HEADER + length;
            if (length < LARGEST_PACKET) {
                framer.payload(payload(begun.toByteArray()));
                begun.reset();
            }
        }
        framer.flush();
        return converted.toByteArray();
    }

    private byte[] payload(byte[] payload) {
        if (expected == 0) {
            int first = payload[0] & 0xFF;
            expected = first == OK || first == ERROR ? 0 : new PacketReader(payload).lenencInt();
            return payload;
        }
        if (columns.size() < expected) {
            columns.add(ColumnMetadata.read(payload));
            return column(payload);
        }
        if ((payload[0] & 0xFF) == END && payload.length <= END_BYTES) {
            if (described) { // of the rows; another result may follow
                columns.clear();
                expected = 0;
            }
            described = !described;
            return payload;
        }
        return row(payload);
    }

    /// A column's definition.
    public byte[] column(byte[] payload) {
        ColumnMetadata column = ColumnMetadata.read(payload);
        long length =
                of(column.characterSet()) && column.length() < MOST_LENGTH
                        ? column.length() / UTF8_BYTES * set.bytes()
                        : column.length();
        return new PacketWriter(payload.length)
                .lenencString("def")
                .lenencBytes(set.encode(column.schema()))
                .lenencBytes(set.encode(column.table()))
                .lenencBytes(set.encode(column.originalTable()))
                .lenencBytes(set.encode(column.name()))
                .lenencBytes(set.encode(column.originalName()))
                .lenencInt(12)
                .int2(of(column.characterSet()) ? number : column.characterSet())
                .int4(length)
                .int1(column.type())
                .int2(column.flags())
                .int1(column.decimals())
                .int2(0)
                .toByteArray();
    }

    /// Whether a column of this collation is to be converted: the backend shows settings as the
    /// client is to see them.
    private boolean of(int collation) {
        return collation != BINARY && collation != number;
    }

    private byte[] row(byte[] payload) {
        PacketReader reader = new PacketReader(payload);
        PacketWriter row = new PacketWriter(payload.length);
        byte[] nulls = {};
        if (binaryRows) {
            row.int1(reader.int1());
            nulls = reader.raw((columns.size() + 9) / 8);
            row.raw(nulls);
        }
        for (int i = 0; i < columns.size(); i++) {
            boolean isNull =
                    binaryRows
                            ? (nulls[(i + 2) / 8] >> (i + 2) % 8 & 1) != 0
                            : reader.peek() == NULL;
            if (!isNull) {
                value(columns.get(i), reader, row);
            } else if (!binaryRows) {
                row.int1(reader.int1());
            }
        }
        return row.toByteArray();
    }

    private void value(ColumnMetadata column, PacketReader reader, PacketWriter row) {
        int fixed = binaryRows ? bytes(column.type()) : 0;
        if (fixed > 0) {
            row.raw(reader.raw(fixed));
            return;
        }
        byte[] value = reader.lenencBytes();
        row.lenencBytes(
                !of(column.characterSet()) || isAscii(value)
                        ? value
                        : set.encode(CharacterSet.UTF8.decode(value)));
    }

    /// Of a value in a binary row; 0 where its length stands before it.
    private static int bytes(int type) {
        return switch (type) {
            case MySqlType.TINY -> 1;
            case MySqlType.SHORT, MySqlType.YEAR -> 2;
            case MySqlType.INT24, MySqlType.LONG, MySqlType.FLOAT -> 4;
            case MySqlType.LONGLONG, MySqlType.DOUBLE -> 8;
            default -> 0;
        };
    }

    private static boolean isAscii(byte[] text) {
        for (byte b : text) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }
}
