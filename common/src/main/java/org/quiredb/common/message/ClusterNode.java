package org.quiredb.common.message;

import org.jspecify.annotations.Nullable;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// One node of the tier as a scheduler sees it.
///
/// @param address host and port of its RPC server
/// @param reachable whether it answered the last time that it was asked
/// @param status what it told last; null when it has never answered
public record ClusterNode(String address, boolean reachable, @Nullable NodeStatus status) {
    /// The node's own name, its address until that is known.
    public String name() {
        return status == null ? address : status.name();
    }

    public void encode(ByteWriter writer) {
        writer.string(address).bool(reachable).bool(status != null);
        if (status != null) {
            status.encode(writer);
        }
    }

    public static ClusterNode decode(ByteReader reader) {
        return new ClusterNode(
                reader.string(), reader.bool(), reader.bool() ? NodeStatus.decode(reader) : null);
    }
}
