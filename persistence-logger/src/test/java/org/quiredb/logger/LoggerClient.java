package org.quiredb.logger;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.SnapshotPart;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.rpc.RpcReply;

/// Asks a logger in this process, through the bytes that would cross the wire.
final class LoggerClient {
    private static final AtomicLong PEERS = new AtomicLong();

    private final RpcPeer peer = new RpcPeer(PEERS.incrementAndGet(), "test");
    private final PersistenceLogger logger;
    private final List<byte[]> parts = new ArrayList<>();

    LoggerClient(PersistenceLogger logger) {
        this.logger = logger;
    }

    LoggerReply ask(LoggerRequest request) {
        parts.clear();
        List<byte[]> end = new ArrayList<>();
        logger.handle(
                peer,
                request.encode(),
                new RpcReply() {
                    @Override
                    public void part(byte[] bytes) {
                        parts.add(bytes);
                    }

                    @Override
                    public void end(byte[] message) {
                        end.add(message);
                    }
                });
        if (end.size() != 1) {
            throw new AssertionError("answered " + end.size() + " times");
        }
        return LoggerReply.decode(end.getFirst());
    }

    RpcPeer peer() {
        return peer;
    }

    List<byte[]> parts() {
        return List.copyOf(parts);
    }

    List<SnapshotPart> snapshotParts() {
        return parts.stream().map(SnapshotPart::decode).toList();
    }
}
