package org.quiredb.replica.file;

import org.quiredb.common.version.VersionVector;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// What the pages on a file are good for.
///
/// @param history see {@link org.quiredb.replica.page.Checkpoints#history}
/// @param missing for each table the least commit number that pages may lack: up to the one before
///   it they are complete; 0 where nothing is known of the table
public record Checkpoint(long history, VersionVector missing) {
    /// Another one when the bytes of pages change, be it by the weights of a collation that keys
    /// are made of: pages of another format are not read, but loaded anew.
    static final int FORMAT = 0x5152_0006;

    byte[] encode() {
        ByteWriter writer = new ByteWriter(64).i32(FORMAT).i64(history);
        missing.encode(writer);
        return writer.toByteArray();
    }

    static Checkpoint decode(byte[] bytes) {
        ByteReader reader = new ByteReader(bytes);
        if (reader.i32() != FORMAT) {
            throw new IllegalArgumentException("its pages are of another version of Quire");
        }
        Checkpoint checkpoint = new Checkpoint(reader.i64(), VersionVector.decode(reader));
        reader.finish();
        return checkpoint;
    }
}
