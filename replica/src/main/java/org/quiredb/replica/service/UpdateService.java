package org.quiredb.replica.service;

import java.util.List;
import java.util.function.Consumer;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.version.VersionVector;

/// What only a master can answer.
///
/// Threads: any; requests may block.
public interface UpdateService {
    /// Answers Update, Commit, Rollback, ChangeSchema and EnterInSync.
    ReplicaReply handle(RpcPeer peer, ReplicaRequest request, Consumer<byte[]> parts);

    /// Rolls back everything that came over this connection and is open.
    void disconnected(RpcPeer peer);

    /// The stable commit number of each class.
    List<ClassPosition> stable();

    /// The last stable update of each table.
    VersionVector stableVector();

    List<NodeStatus.Figure> figures();
}
