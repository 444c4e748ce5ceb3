package org.quiredb.replica.file;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.writeset.PageOperations;

/// A page on the file: commit number, checksum of page id, commit number and bytes, then the bytes.
final class PageCodec {
    private static final int HEADER_BYTES = 12;

    private PageCodec() {}

    static byte[] encode(long pageId, long commitNumber, byte[] bytes) {
        return ByteBuffer.allocate(HEADER_BYTES + bytes.length)
                .putLong(commitNumber)
                .putInt(checksum(pageId, commitNumber, bytes, 0))
                .put(bytes)
                .array();
    }

    /// Null where the bytes are not what was written for this page.
    static @Nullable PageImage decode(long pageId, byte[] stored) {
        if (stored.length != HEADER_BYTES + PageOperations.PAGE_BYTES) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.wrap(stored);
        long commitNumber = buffer.getLong();
        if (buffer.getInt() != checksum(pageId, commitNumber, stored, HEADER_BYTES)) {
            return null;
        }
        byte[] bytes = new byte[PageOperations.PAGE_BYTES];
        buffer.get(bytes);
        return new PageImage(commitNumber, bytes);
    }

    private static int checksum(long pageId, long commitNumber, byte[] bytes, int from) {
        CRC32C checksum = new CRC32C();
        checksum.update(ByteBuffer.allocate(16).putLong(pageId).putLong(commitNumber).flip());
        checksum.update(bytes, from, bytes.length - from);
        return (int) checksum.getValue();
    }
}
