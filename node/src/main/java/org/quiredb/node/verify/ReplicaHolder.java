package org.quiredb.node.verify;

import java.util.Optional;
import java.util.function.Consumer;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.version.VersionVector;

/// A replica's tables at the tag.
record ReplicaHolder(String name, RpcClient client, VersionVector tag) implements Holder {
    @Override
    public Optional<Digest> digest(CatalogueEntry table) {
        ReplicaReply reply =
                ask(client, new ReplicaRequest.Digest(tag, table.tableId()), part -> {});
        return switch (reply) {
            case ReplicaReply.DigestReply(long rows, long sum) ->
                    Optional.of(new Digest(rows, sum));
            case ReplicaReply.Failed failed
                    when failed.number() == ErrorCode.NO_SUCH_TABLE.number() ->
                    Optional.empty();
            default -> throw Incomparable.because(name + " answered " + reply);
        };
    }

    @Override
    public void rows(CatalogueEntry table, Consumer<byte[]> parts) {
        ReplicaReply reply =
                ask(client, new ReplicaRequest.RowDigests(tag, table.tableId()), parts);
        if (!(reply instanceof ReplicaReply.Done)) {
            throw Incomparable.because(name + " answered " + reply);
        }
    }

    static ReplicaReply ask(RpcClient client, ReplicaRequest request, Consumer<byte[]> parts) {
        return ReplicaReply.decode(
                client.callForParts(request.encode(), parts, TierVerifier.PATIENCE));
    }
}
