package org.quiredb.common.socket;

import io.netty.channel.Channel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// A connection whose socket other threads than its event loop's may write to.
public final class DirectSocketChannel extends NioSocketChannel {
    private static final int AT_ONCE_BYTES = 64 * 1024;

    public DirectSocketChannel() {}

    DirectSocketChannel(Channel parent, SocketChannel socket) {
        super(parent, socket);
    }

    /// Writes what the socket takes now, which may be nothing.
    ///
    /// @return whether it took everything
    boolean writeNow(ByteBuffer bytes) throws IOException {
        int end = bytes.limit();
        boolean taken = true;
        while (taken && bytes.position() < end) {
            // The JDK copies an array into memory of its own, which is to stay small.
            bytes.limit(Math.min(end, bytes.position() + AT_ONCE_BYTES));
            javaChannel().write(bytes);
            taken = !bytes.hasRemaining();
        }
        bytes.limit(end);
        return taken;
    }
}
