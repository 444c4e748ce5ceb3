package org.quiredb.node.hostile;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;

/// A connection that sends whatever it is told, and reads answers as a MySQL client does.
///
/// Threads: one.
public final class Wire implements AutoCloseable {
    public static final int CAPABILITIES =
            0x1 | 0x2 | 0x4 | 0x200 | 0x2000 | 0x8000 | 0x10000 | 0x20000 | 0x80000;
    private static final int MULTI_STATEMENTS = 0x10000;
    private static final int MORE_RESULTS = 0x8;
    private static final int MANY_BYTES = 4 << 20;
    private static final int BUFFER_BYTES = 16 << 10;

    /// What came back.
    ///
    /// @param error its number, 0 for none
    /// @param text the beginning of the rows, byte by byte
    record Answer(int error, String message, String text) {}

    /// @param id of the statement, if there was no error
    record Prepared(int id, int parameters, Answer answer) {}

    private final Socket socket;
    private final InputStream in;

    /// @param from an address of this machine, as which the client appears
    public Wire(int port, InetAddress from, int timeoutMillis) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port, from, 0);
        socket.setSoTimeout(timeoutMillis);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
    }

    /// @return whether the server let the client in
    public boolean login(String user, String password) throws IOException {
        return login(user, password, CAPABILITIES);
    }

    /// @param capabilities that it says it has
    public boolean login(String user, String password, int capabilities) throws IOException {
        byte[] response = response(read(), user, password, true);
        put4(response, 0, capabilities);
        send(1, response);
        byte[] answer = read();
        return answer.length > 0 && answer[0] == 0;
    }

    /// What a client answers to a greeting.
    static byte[] response(byte[] greeting, String user, String password, boolean multiStatements) {
        byte[] nonce = nonce(greeting);
        byte[] proof = proof(password, nonce);
        byte[] name = user.getBytes(StandardCharsets.UTF_8);
        byte[] method = "mysql_native_password".getBytes(StandardCharsets.UTF_8);
        byte[] payload = new byte[32 + name.length + 1 + 1 + proof.length + method.length + 1];
        int capabilities = multiStatements ? CAPABILITIES : CAPABILITIES & ~MULTI_STATEMENTS;
        put4(payload, 0, capabilities);
        put4(payload, 4, 1 << 24);
        payload[8] = 45;
        System.arraycopy(name, 0, payload, 32, name.length);
        int at = 32 + name.length + 1;
        payload[at++] = (byte) proof.length;
        System.arraycopy(proof, 0, payload, at, proof.length);
        System.arraycopy(method, 0, payload, at + proof.length, method.length);
        return payload;
    }

    private static byte[] nonce(byte[] greeting) {
        int version = 1;
        while (version < greeting.length && greeting[version] != 0) {
            version++;
        }
        byte[] nonce = new byte[20];
        int first = version + 5;
        if (greeting.length >= first + 8 + 19 + 12) {
            System.arraycopy(greeting, first, nonce, 0, 8);
            System.arraycopy(greeting, first + 8 + 19, nonce, 8, 12);
        }
        return nonce;
    }

    private static byte[] proof(String password, byte[] nonce) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-1");
            byte[] once = sha.digest(password.getBytes(StandardCharsets.UTF_8));
            byte[] twice = sha.digest(once);
            sha.update(nonce);
            byte[] mask = sha.digest(twice);
            for (int i = 0; i < mask.length; i++) {
                mask[i] ^= once[i];
            }
            return mask;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    Answer query(String sql) throws IOException {
        return command(0x03, sql.getBytes(StandardCharsets.UTF_8));
    }

    Prepared prepare(String sql) throws IOException {
        send(0, ("\26" + sql).getBytes(StandardCharsets.UTF_8));
        byte[] first = read();
        if (first.length < 9 || first[0] != 0) {
            return new Prepared(0, 0, first.length > 2 ? error(first, "") : answer());
        }
        int id = (first[1] & 0xFF) | (first[2] & 0xFF) << 8;
        int columns = (first[5] & 0xFF) | (first[6] & 0xFF) << 8;
        int parameters = (first[7] & 0xFF) | (first[8] & 0xFF) << 8;
        int rest = (columns > 0 ? columns + 1 : 0) + (parameters > 0 ? parameters + 1 : 0);
        for (int i = 0; i < rest; i++) {
            read();
        }
        return new Prepared(id, parameters, new Answer(0, "", ""));
    }

    /// What a connection said before it said what was waited for, or ended.
    record Heard(boolean awaited, String text) {}

    /// Sends what names no prepared statement, and reads until its number comes back: then the
    /// server has read whatever was sent before, be the answers as many as they like.
    Heard fence(int unknownStatement) throws IOException {
        raw(packet(0, Packets.numbered(Packets.RESET, unknownStatement)));
        return until("handler (" + unknownStatement + ")");
    }

    /// Sends no more, and reads to the end: then the server has read everything.
    Heard end() throws IOException {
        socket.shutdownOutput();
        return until("");
    }

    private Heard until(String awaited) throws IOException {
        StringBuilder text = new StringBuilder();
        byte[] some = new byte[BUFFER_BYTES];
        int begin = 0;
        while (text.length() < MANY_BYTES) {
            int bytes = in.read(some);
            if (bytes < 0) {
                return new Heard(awaited.isEmpty(), text.toString());
            }
            text.append(new String(some, 0, bytes, StandardCharsets.ISO_8859_1));
            if (!awaited.isEmpty() && text.indexOf(awaited, begin) >= 0) {
                return new Heard(true, text.toString());
            }
            begin = Math.max(0, text.length() - awaited.length());
        }
        throw new IOException("enough of this result");
    }

    Answer command(int command, byte[] rest) throws IOException {
        byte[] payload = new byte[rest.length + 1];
        payload[0] = (byte) command;
        System.arraycopy(rest, 0, payload, 1, rest.length);
        send(0, payload);
        return answer();
    }

    /// In packets of 16 MiB when there is more.
    public void send(int number, byte[] payload) throws IOException {
        int most = 0xFFFFFF;
        int sequence = number;
        for (int at = 0; at <= payload.length; at += most) {
            int length = Math.min(most, payload.length - at);
            byte[] packet = new byte[4 + length];
            put4(packet, 0, length | sequence << 24);
            sequence++;
            System.arraycopy(payload, at, packet, 4, length);
            raw(packet);
        }
    }

    void raw(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    public byte[] read() throws IOException {
        byte[] header = in.readNBytes(4);
        if (header.length < 4) {
            throw new IOException("the server has closed the connection");
        }
        int length = (header[0] & 0xFF) | (header[1] & 0xFF) << 8 | (header[2] & 0xFF) << 16;
        byte[] payload = in.readNBytes(length);
        if (payload.length < length) {
            throw new IOException("the server has closed the connection");
        }
        return payload;
    }

    /// Reads all results of a command; of a long one only the beginning is kept, and a very long
    /// one is left to its end.
    Answer answer() throws IOException {
        StringBuilder text = new StringBuilder();
        while (true) {
            byte[] first = read();
            int kind = first.length == 0 ? -1 : first[0] & 0xFF;
            switch (kind) {
                case 0xFF -> {
                    return error(first, text.toString());
                }
                case 0 -> {
                    if ((status(first) & MORE_RESULTS) == 0) {
                        return new Answer(0, "", text.toString());
                    }
                }
                case 0xFB -> throw new IOException("the server asks for a file");
                case -1 -> throw new IOException("an empty packet");
                default -> {
                    byte[] end = rows(text);
                    if ((end[0] & 0xFF) == 0xFF) {
                        return error(end, text.toString());
                    }
                    if ((end[3] & MORE_RESULTS) == 0) {
                        return new Answer(0, "", text.toString());
                    }
                }
            }
        }
    }

    private static int status(byte[] ok) {
        int at = 1 + lengthOfNumber(ok, 1);
        at += lengthOfNumber(ok, at);
        return at < ok.length ? ok[at] & 0xFF : 0;
    }

    private static int lengthOfNumber(byte[] packet, int at) {
        int first = at < packet.length ? packet[at] & 0xFF : 0;
        return first == 0xFC ? 3 : first == 0xFD ? 4 : first == 0xFE ? 9 : 1;
    }

    private static Answer error(byte[] packet, String text) {
        int number = (packet[1] & 0xFF) | (packet[2] & 0xFF) << 8;
        String message = new String(packet, 3, packet.length - 3, StandardCharsets.UTF_8);
        return new Answer(number, message, text);
    }

    private byte[] rows(StringBuilder text) throws IOException {
        int ends = 0;
        int bytes = 0;
        while (true) {
            byte[] packet = read();
            boolean end = packet.length < 9 && packet.length > 0 && (packet[0] & 0xFF) == 0xFE;
            boolean error = packet.length > 3 && (packet[0] & 0xFF) == 0xFF;
            if (error || (end && ++ends == 2)) {
                return packet;
            }
            if (ends == 1 && text.length() < 10_000) {
                text.append(new String(packet, StandardCharsets.ISO_8859_1)).append('\n');
            }
            bytes += packet.length;
            if (bytes > MANY_BYTES) {
                throw new IOException("enough of this result");
            }
        }
    }

    static void put4(byte[] bytes, int at, int value) {
        for (int i = 0; i < 4; i++) {
            bytes[at + i] = (byte) (value >>> (8 * i));
        }
    }

    /// With its header.
    static byte[] packet(int number, byte[] payload) {
        byte[] packet = new byte[4 + payload.length];
        put4(packet, 0, (payload.length & 0xFFFFFF) | number << 24);
        System.arraycopy(payload, 0, packet, 4, payload.length);
        return packet;
    }

    /// Lets the other side see a reset instead of an end.
    void vanish() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
