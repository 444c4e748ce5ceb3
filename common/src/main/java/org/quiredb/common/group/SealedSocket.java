package org.quiredb.common.group;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.trust.Anteroom;
import org.quiredb.common.trust.ClusterSecret;
import org.quiredb.common.trust.Handshake;
import org.quiredb.common.trust.SealedSession;

/// A connection of the group whose sides have proved the cluster's secret before anything else is
/// read or written, and whose streams are sealed.
///
/// Threads: the handshake's, then one that reads and any that write.
final class SealedSocket extends Socket {
    private final ClusterSecret secret;
    private @Nullable InputStream input;
    private @Nullable OutputStream output;

    SealedSocket(ClusterSecret secret) {
        this.secret = secret;
    }

    @Override
    public void connect(SocketAddress address, int timeoutMillis) throws IOException {
        super.connect(address, timeoutMillis);
        long deadlineNanos = System.nanoTime() + limitNanos(timeoutMillis);
        setTcpNoDelay(true);
        try {
            Handshake.Client handshake = new Handshake.Client(secret, Handshake.Purpose.GROUP);
            send(handshake.hello());
            Handshake.Proved proved =
                    handshake.answered(receive(Handshake.ANSWER_BYTES, deadlineNanos));
            send(proved.proof());
            opened(proved.session());
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /// As long again as connecting may take, which a busy process's system does for it.
    private static long limitNanos(int timeoutMillis) {
        return timeoutMillis == 0
                ? Anteroom.LIMIT.toNanos()
                : TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    }

    /// The side that was connected to.
    void admit(long deadlineNanos) throws IOException {
        setTcpNoDelay(true);
        Handshake.Server handshake =
                new Handshake.Server(
                        secret,
                        Handshake.Purpose.GROUP,
                        receive(Handshake.HELLO_BYTES, deadlineNanos));
        send(handshake.answer());
        opened(handshake.proved(receive(Handshake.PROOF_BYTES, deadlineNanos)));
    }

    private void opened(SealedSession session) throws IOException {
        setSoTimeout(0);
        input = new SealedInput(super.getInputStream(), session.incoming());
        output = new SealedOutput(super.getOutputStream(), session.outgoing());
    }

    private void send(byte[] message) throws IOException {
        super.getOutputStream().write(message);
    }

    private byte[] receive(int length, long deadlineNanos) throws IOException {
        InputStream in = super.getInputStream();
        byte[] message = new byte[length];
        for (int at = 0; at < length; ) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
            if (leftMillis <= 0) {
                throw new SocketTimeoutException("the secret is not proved in time");
            }
            setSoTimeout(Math.toIntExact(leftMillis));
            int read = in.read(message, at, length - at);
            if (read < 0) {
                throw new EOFException("it left before it proved the secret");
            }
            at += read;
        }
        return message;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return proved(input);
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        return proved(output);
    }

    private static <T> T proved(@Nullable T stream) throws IOException {
        if (stream == null) {
            throw new IOException("the other side has not proved the secret");
        }
        return stream;
    }
}
