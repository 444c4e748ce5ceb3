package org.quiredb.common.socket;

import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.List;

/// Listens, and makes each connection a {@link DirectSocketChannel}.
public final class DirectServerChannel extends NioServerSocketChannel {
    @Override
    protected int doReadMessages(List<Object> accepted) throws IOException {
        SocketChannel socket = javaChannel().accept();
        if (socket == null) {
            return 0;
        }
        try {
            accepted.add(new DirectSocketChannel(this, socket));
            return 1;
        } catch (RuntimeException e) {
            socket.close();
            throw e;
        }
    }
}
