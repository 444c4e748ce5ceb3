package org.quiredb.common.version;

import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// A set of tables that update transactions touch together; it has one master and one commit order.
///
/// By default all tables are of one class; {@link ClassPatterns} make others.
public record ConflictClass(String name) {
    /// Of all tables of which no other class is configured.
    public static final ConflictClass DEFAULT = new ConflictClass("default");

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
