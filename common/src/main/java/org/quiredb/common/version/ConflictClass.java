package org.quiredb.common.version;

import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// A set of tables that update transactions touch together; it has one master and one commit order.
///
/// By default every database schema is a class and gives it its name; {@link ClassPatterns} make
/// others.
public record ConflictClass(String name) {
    /// Of what names no table.
    public static final ConflictClass NONE = new ConflictClass("");

    /// What is to be done about tables of two classes that are to change together.
    public static final String REMEDY =
            "name both in one class of replica.classes (docs/cluster.md)";

    public void encode(ByteWriter writer) {
        writer.string(name);
    }

    public static ConflictClass decode(ByteReader reader) {
        return new ConflictClass(reader.string());
    }

    @Override
    public String toString() {
        return name;
    }
}
