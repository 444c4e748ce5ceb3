package org.quiredb.scheduler.endpoint;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.scheduler.session.state.ClientFile;

/// The packets in which a client sends a file: it gets the name, sends what is in it, and ends with
/// an empty packet. No more of it is kept here than the channel reads ahead.
///
/// Threads: the connection's.
final class SentFile extends ClientFile {
    private static final int ASKED = 0xFB;

    /// As MariaDB's net_read_timeout. Who sends nothing for so long is gone.
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final ClientChannel channel;
    private final byte[] name;
    private byte[] part = {};
    private int at;
    private boolean asked;
    private boolean ended;

    /// @param name in the client's characters
    SentFile(ClientChannel channel, byte[] name) {
        this.channel = channel;
        this.name = name;
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int from, int length) {
        Objects.checkFromIndexSize(from, length, into.length);
        if (!asked) {
            asked = true;
            byte[] request = new byte[1 + name.length];
            ByteBuffer.wrap(request).put((byte) ASKED).put(name);
            channel.send(request);
        }
        if (at == part.length && !ended) {
            next(StopSignal.current());
        }
        if (ended) {
            return -1;
        }
        int some = Math.min(length, part.length - at);
        System.arraycopy(part, at, into, from, some);
        at += some;
        return some;
    }

    @Override
    public int available() {
        return part.length - at;
    }

    private void next(StopSignal wanted) {
        part = channel.takeMore(SILENCE, wanted).payload();
        at = 0;
        ended = part.length == 0;
    }

    /// Whoever has stopped the statement.
    @Override
    public void skipRest() {
        while (asked && !ended) {
            next(new StopSignal());
        }
    }
}
