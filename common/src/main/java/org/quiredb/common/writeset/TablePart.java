package org.quiredb.common.writeset;

import java.util.List;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// Pages of tables that a class's next commit makes, which go to the replicas ahead of it: no
/// catalogue names the tables yet.
///
/// Encoded as a {@link WriteSet} is. A page is whole, and replaces what an earlier part has brought
/// of it.
///
/// @param commitNumber of the commit that makes the tables
/// @param number of the part, from 1 for each commit
public record TablePart(
        ConflictClass conflictClass, long epoch, long commitNumber, int number, List<Page> pages) {
    private static final int VERSION = 1;

    /// A page as of the commit that is to come.
    @SuppressWarnings("ArrayRecordComponent") // owned by its part, never changed
    public record Page(long pageId, byte[] bytes) {}

    public byte[] encode() {
        ByteWriter writer =
                new ByteWriter(64 + pages.size() * (PageOperations.PAGE_BYTES + 16)).u8(VERSION);
        conflictClass.encode(writer);
        writer.varint(epoch).varint(commitNumber).varint(number);
        writer.list(pages, (w, page) -> w.i64(page.pageId()).bytes(page.bytes()));
        return Checksum.closed(writer);
    }

    public static TablePart decode(byte[] message) {
        ByteReader reader = Checksum.opened(message, "part of a table");
        int version = reader.u8();
        if (version != VERSION) {
            throw new MangledMessageException(
                    "part of a table of version " + version + ", this program speaks " + VERSION);
        }
        TablePart part =
                new TablePart(
                        ConflictClass.decode(reader),
                        reader.varint(),
                        reader.varint(),
                        reader.count(Integer.MAX_VALUE),
                        reader.list(TablePart::decodePage));
        reader.finish();
        return part;
    }

    private static Page decodePage(ByteReader reader) {
        Page page = new Page(reader.i64(), reader.bytes());
        if (page.bytes().length != PageOperations.PAGE_BYTES) {
            throw new MangledMessageException("page of " + page.bytes().length + " bytes");
        }
        return page;
    }
}
