package org.quiredb.common.rpc;

import java.util.function.Consumer;

/// Both ends of a call within one process.
///
/// Threads: any. The receiver is told one thing after the other, under the lock of the server's
/// end: it must not block.
final class LocalCall implements RpcCall, Answers {
    private final long number;
    private final RpcReceiver receiver;
    private final ServerCall served;
    private volatile boolean lost;

    /// @param forget told when its handler has ended
    LocalCall(long number, RpcReceiver receiver, Consumer<LocalCall> forget) {
        this.number = number;
        this.receiver = receiver;
        this.served = new ServerCall(this, number, () -> forget.accept(this));
    }

    ServerCall served() {
        return served;
    }

    long number() {
        return number;
    }

    boolean isOpen() {
        return !lost;
    }

    /// The connection is gone; it fails unless it has ended.
    void lose(String reason) {
        lost = true;
        served.lost(reason);
    }

    @Override
    public void consumed(int bytes) {
        served.credit(bytes);
    }

    @Override
    public void stop() {
        served.stop();
    }

    @Override
    public void cancel() {
        served.gone("the caller gave the call up");
    }

    @Override
    public void part(long call, byte[] bytes) {
        receiver.part(bytes);
    }

    @Override
    public void end(long call, byte[] message) {
        receiver.end(message);
    }

    @Override
    public void failed(long call, String reason) {
        receiver.failed(new RpcException(reason));
    }
}
