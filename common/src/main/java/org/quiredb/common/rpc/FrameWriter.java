package org.quiredb.common.rpc;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.util.AttributeKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.socket.DirectWriter;
import org.quiredb.common.trust.Seal;
import org.quiredb.common.trust.UntrustedException;

/// Sends frames on one connection, on the thread that has them, sealed where there is a session.
///
/// What waits for a socket that is full is bounded by the windows of the calls and their number.
///
/// Threads: any; guarded by lock, which gives frames of all threads one order, that of their seals.
final class FrameWriter implements Answers {
    private static final AttributeKey<FrameWriter> KEY =
            AttributeKey.valueOf(FrameWriter.class, "writer");

    /// Longer frames get memory of their own.
    private static final int KEPT_BYTES = 64 * 1024;

    private static final int HEAD_BYTES = 4 + Frames.HEADER_BYTES;
    private static final byte[] NOTHING = {};

    private final DirectWriter out;
    private final @Nullable Seal seal;
    private final ReentrantLock lock = new ReentrantLock();

    /// A frame is made in it. Direct, so that the socket takes it without another copy.
    private final ByteBuffer kept = ByteBuffer.allocateDirect(KEPT_BYTES);

    /// Ciphers take arrays.
    private byte[] plain = NOTHING;

    private byte[] closed = NOTHING;

    private FrameWriter(Channel channel, @Nullable Seal seal) {
        this.out = new DirectWriter(channel);
        this.seal = seal;
    }

    /// From now on this alone writes to the channel.
    static FrameWriter install(Channel channel, @Nullable Seal seal) {
        FrameWriter writer = new FrameWriter(channel, seal);
        channel.attr(KEY).set(writer);
        return writer;
    }

    /// The channel's, where frames can be sent already.
    static FrameWriter of(Channel channel) {
        FrameWriter writer = channel.attr(KEY).get();
        if (writer == null) {
            throw new IllegalStateException("the connection is not open for frames yet");
        }
        return writer;
    }

    /// Frames come after what the handshake has begun to write.
    void follow(ChannelFuture handshake) {
        out.follow(handshake);
    }

    /// Sends without waiting: what goes wrong shows in the connection's end.
    void send(FrameKind kind, long call, byte[] body) {
        lock.lock();
        try {
            out.write(
                    seal == null ? open(kind, call, body) : sealed(seal, kind, call, body),
                    () -> {});
        } finally {
            lock.unlock();
        }
    }

    void credit(long call, int bytes) {
        send(FrameKind.CREDIT, call, ByteBuffer.allocate(Integer.BYTES).putInt(bytes).array());
    }

    @Override
    public void part(long call, byte[] bytes) {
        send(FrameKind.PART, call, bytes);
    }

    @Override
    public void end(long call, byte[] message) {
        send(FrameKind.END, call, message);
    }

    @Override
    public void failed(long call, String reason) {
        send(FrameKind.FAILED, call, reason.getBytes(StandardCharsets.UTF_8));
    }

    private ByteBuffer open(FrameKind kind, long call, byte[] body) {
        ByteBuffer frame = room(HEAD_BYTES + body.length);
        frame.putInt(Frames.HEADER_BYTES + body.length);
        return put(frame, kind, call, body).flip();
    }

    private ByteBuffer sealed(Seal with, FrameKind kind, long call, byte[] body) {
        int length = Frames.HEADER_BYTES + body.length;
        int sealedLength = length + Seal.OVERHEAD_BYTES;
        byte[] from = plain.length >= length ? plain : new byte[length];
        byte[] to = closed.length >= sealedLength ? closed : new byte[sealedLength];
        if (sealedLength <= KEPT_BYTES) {
            plain = from;
            closed = to;
        }
        ByteBuffer _ = put(ByteBuffer.wrap(from), kind, call, body);
        int written;
        try {
            written = with.apply(from, 0, length, to, 0);
        } catch (UntrustedException e) {
            throw new IllegalStateException("only what is opened can be another's", e);
        }
        return room(4 + written).putInt(written).put(to, 0, written).flip();
    }

    private static ByteBuffer put(ByteBuffer frame, FrameKind kind, long call, byte[] body) {
        return frame.put((byte) kind.code()).putLong(call).put(body);
    }

    private ByteBuffer room(int bytes) {
        return bytes <= KEPT_BYTES ? kept.clear() : ByteBuffer.allocate(bytes);
    }
}
