package org.quiredb.common.rpc;

import io.netty.channel.Channel;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;

/// One call under way, as its caller steers it. Window is given back in lumps, so that small parts
/// do not cost a frame each.
///
/// Threads: any.
final class ClientCall implements RpcCall {
    private static final int LUMP_BYTES = Frames.WINDOW_BYTES / 8;

    private final Channel channel;
    private final long number;
    private final RpcReceiver receiver;
    private final LongConsumer forget;
    private final AtomicInteger consumedBytes = new AtomicInteger();

    ClientCall(Channel channel, long number, RpcReceiver receiver, LongConsumer forget) {
        this.channel = channel;
        this.number = number;
        this.receiver = receiver;
        this.forget = forget;
    }

    RpcReceiver receiver() {
        return receiver;
    }

    @Override
    public void consumed(int bytes) {
        if (consumedBytes.addAndGet(bytes) >= LUMP_BYTES) {
            int lump = consumedBytes.getAndSet(0);
            if (lump > 0) {
                FrameWriter.of(channel).credit(number, lump);
            }
        }
    }

    @Override
    public void stop() {
        FrameWriter.of(channel).send(FrameKind.STOP, number, new byte[0]);
    }

    @Override
    public void cancel() {
        forget.accept(number);
        FrameWriter.of(channel).send(FrameKind.CANCEL, number, new byte[0]);
    }

    /// Tells the receiver that the call never began, as everything else on the event loop.
    void failLater(String reason) {
        RpcException failure = new RpcException(reason);
        try {
            channel.eventLoop().execute(() -> receiver.failed(failure));
        } catch (RejectedExecutionException closed) {
            receiver.failed(failure);
        }
    }
}
