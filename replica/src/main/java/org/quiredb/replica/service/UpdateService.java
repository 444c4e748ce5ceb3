package org.quiredb.replica.service;

import java.util.List;
import java.util.function.Consumer;
import org.quiredb.common.message.LockWait;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.VersionVector;

/// What only a master of a class can answer.
///
/// Threads: any; requests may block.
public interface UpdateService {
    /// Answers Update, Commit, Rollback, ChangeSchema and EnterInSync.
    ReplicaReply handle(RpcPeer peer, ReplicaRequest request, Consumer<byte[]> parts);

    /// Rolls back everything that came over this connection and is open.
    void disconnected(RpcPeer peer);

    /// The classes whose updates it takes now.
    List<NodeStatus.Mastered> masterOf();

    /// The stable commit number of each class that it is master of.
    List<ClassPosition> stable();

    /// The last stable update of each table.
    VersionVector stableVector();

    List<NodeStatus.Figure> figures();

    /// A few of those that wait for locks, those who have waited longest first.
    List<LockWait> lockWaits();
}
