package org.quiredb.common.socket;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.NotYetConnectedException;
import java.util.concurrent.locks.ReentrantLock;

/// Writes to one connection, on the thread that has the bytes as long as the socket takes them.
///
/// How much may wait for a socket that takes nothing is for its users to bound: they are told when
/// their bytes have left.
///
/// Threads: any; guarded by lock, under which nothing waits. A connection that breaks under a write
/// is closed, and its end is told by the channel as any other.
public final class DirectWriter {
    private final Channel channel;
    private final ReentrantLock lock = new ReentrantLock();

    /// Writes that the event loop has yet to do. While there are any, all that follow go after
    /// them.
    @GuardedBy("lock")
    private int handedOver;

    /// @param channel a {@link DirectSocketChannel}; another one's loop does all the writing
    public DirectWriter(Channel channel) {
        this.channel = channel;
    }

    /// Writes bytes, which are read before it returns where they are not an array's.
    ///
    /// @param left runs when they have left or cannot any more: on this thread, or on the event
    ///   loop
    public void write(ByteBuffer bytes, Runnable left) {
        boolean done;
        lock.lock();
        try {
            done = handedOver == 0 && channel instanceof DirectSocketChannel && writtenNow(bytes);
            if (!done) {
                handOver(waiting(bytes), left);
            }
        } finally {
            lock.unlock();
        }
        if (done) {
            left.run();
        }
    }

    /// Whether nothing waits for the socket.
    public boolean isClear() {
        lock.lock();
        try {
            return handedOver == 0;
        } finally {
            lock.unlock();
        }
    }

    /// Bytes that the event loop has begun to write follow nothing, and all others follow them.
    public void follow(ChannelFuture begun) {
        lock.lock();
        try {
            await(begun, () -> {});
        } finally {
            lock.unlock();
        }
    }

    /// @return whether none of them is left to be written
    private boolean writtenNow(ByteBuffer bytes) {
        try {
            return ((DirectSocketChannel) channel).writeNow(bytes);
        } catch (IOException | NotYetConnectedException e) {
            // Half of it may have left: nothing can follow.
            ChannelFuture _ = channel.close();
            return true;
        }
    }

    private static ByteBuf waiting(ByteBuffer bytes) {
        return bytes.hasArray() ? Unpooled.wrappedBuffer(bytes) : Unpooled.copiedBuffer(bytes);
    }

    @GuardedBy("lock")
    private void handOver(ByteBuf bytes, Runnable left) {
        await(channel.writeAndFlush(bytes), left);
    }

    @GuardedBy("lock")
    private void await(ChannelFuture begun, Runnable left) {
        handedOver++;
        ChannelFuture _ =
                begun.addListener(_ -> {
                    boolean atOnce = lock.isHeldByCurrentThread();
                    lock.lock();
                    try {
                        handedOver--;
                    } finally {
                        lock.unlock();
                    }
                    if (atOnce) { // on the event loop, which was not too busy to write
                        channel.eventLoop().execute(left);
                    } else {
                        left.run();
                    }
                });
    }
}
