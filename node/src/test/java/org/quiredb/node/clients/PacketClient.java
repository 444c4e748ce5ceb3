package org.quiredb.node.clients;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.quiredb.common.mysql.PacketReader;
import org.quiredb.common.mysql.PacketWriter;
import org.quiredb.scheduler.account.Proofs;

/// A client that sends bytes and shows the bytes that come back.
///
/// Threads: one.
final class PacketClient implements AutoCloseable {
    private static final int CAPABILITIES = 0x1 | 0x2 | 0x4 | 0x200 | 0x2000 | 0x8000 | 0x80000;
    private static final int VAR_STRING = 253;
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final HexFormat HEX = HexFormat.of();

    private final Socket socket;
    private final DataInputStream in;

    /// @param collation what it says it speaks
    PacketClient(int port, int collation) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = new DataInputStream(socket.getInputStream());
        PacketReader greeting = new PacketReader(read());
        greeting.skip(1);
        String _ = greeting.nullTerminated();
        greeting.skip(4);
        byte[] nonce = new byte[20];
        System.arraycopy(greeting.raw(8), 0, nonce, 0, 8);
        greeting.skip(1 + 2 + 1 + 2 + 2 + 1 + 10);
        System.arraycopy(greeting.raw(12), 0, nonce, 8, 12);
        byte[] proof =
                Proofs.nativeProof(
                        Proofs.hash(
                                Proofs.NATIVE, BothSides.PASSWORD.getBytes(StandardCharsets.UTF_8)),
                        nonce);
        send(
                1,
                new PacketWriter()
                        .int4(CAPABILITIES)
                        .int4(1 << 24)
                        .int1(collation)
                        .zeros(23)
                        .nullTerminated(BothSides.USER)
                        .int1(proof.length)
                        .raw(proof)
                        .nullTerminated(Proofs.NATIVE)
                        .toByteArray());
        byte[] answer = read();
        if (answer[0] != 0) {
            throw new IOException("no login: " + HEX.formatHex(answer));
        }
    }

    /// @return of an OK how many rows were changed; all bytes of any other packet
    List<String> query(byte[] sql) throws IOException {
        command(0x03, sql);
        List<String> answer = new ArrayList<>();
        byte[] first = read();
        answer.add(first[0] == 0 ? "ok " + first[1] : shown(first));
        if (isRows(first)) {
            columns(answer);
            untilEnd(answer);
        }
        return answer;
    }

    /// What an OK says but for the status, or all bytes of any other packet.
    String info(String sql) throws IOException {
        command(0x03, sql.getBytes(StandardCharsets.UTF_8));
        byte[] answer = read();
        if (answer[0] != 0) {
            return shown(answer);
        }
        PacketReader ok = new PacketReader(answer);
        ok.skip(1);
        long rows = ok.lenencInt();
        long id = ok.lenencInt();
        ok.skip(2);
        int warnings = ok.int2();
        return rows
                + " "
                + id
                + " "
                + warnings
                + " "
                + (ok.remaining() > 0 ? ok.lenencString() : "");
    }

    /// COM_RESET_CONNECTION.
    void reset() throws IOException {
        command(0x1F, new byte[0]);
        byte[] answer = read();
        if (answer[0] != 0) {
            throw new IOException("not reset: " + shown(answer));
        }
    }

    /// Prepares a statement and executes it with texts.
    List<String> prepared(byte[] sql, List<byte[]> texts) throws IOException {
        command(0x16, sql);
        List<String> answer = new ArrayList<>();
        byte[] first = read();
        if (first[0] != 0) {
            answer.add(shown(first));
            return answer;
        }
        PacketReader prepared = new PacketReader(first);
        prepared.skip(1);
        long id = prepared.int4();
        int columns = prepared.int2();
        if (prepared.int2() > 0) {
            untilEnd(new ArrayList<>()); // of parameters nobody knows anything
        }
        if (columns > 0) {
            columns(answer);
        }
        PacketWriter execute = new PacketWriter().int4(id).int1(0).int4(1);
        if (!texts.isEmpty()) {
            execute.zeros((texts.size() + 7) / 8).int1(1);
            texts.forEach(_ -> execute.int2(VAR_STRING));
            texts.forEach(execute::lenencBytes);
        }
        command(0x17, execute.toByteArray());
        byte[] answered = read();
        answer.add(answered[0] == 0 ? "ok " + answered[1] : shown(answered));
        if (isRows(answered)) {
            columns(answer);
            untilEnd(answer);
        }
        return answer;
    }

    private static boolean isRows(byte[] first) {
        return first[0] != 0 && (first[0] & 0xFF) != 0xFF;
    }

    /// Of each its name, character set and type, and how long its texts are. Numbers and what is
    /// long are other tests' business.
    private void columns(List<String> answer) throws IOException {
        for (byte[] packet = read(); (packet[0] & 0xFF) != 0xFE; packet = read()) {
            PacketReader column = new PacketReader(packet);
            for (int i = 0; i < 4; i++) {
                byte[] _ = column.lenencBytes();
            }
            String name = new String(column.lenencBytes(), StandardCharsets.ISO_8859_1);
            byte[] _ = column.lenencBytes();
            column.skip(1);
            int characterSet = column.int2();
            long length = column.int4();
            int type = column.int1();
            boolean measured = characterSet != 63 && (type < 249 || type > 252);
            answer.add(
                    "%s of %d type %d length %d"
                            .formatted(name, characterSet, type, measured ? length : 0));
        }
    }

    private void untilEnd(List<String> answer) throws IOException {
        while (true) {
            byte[] packet = read();
            int first = packet[0] & 0xFF;
            if (first == 0xFE && packet.length == 5) {
                return;
            }
            answer.add(shown(packet));
            if (first == 0xFF) {
                return;
            }
        }
    }

    private static String shown(byte[] packet) {
        return HEX.formatHex(packet) + " " + new String(packet, StandardCharsets.ISO_8859_1);
    }

    private void command(int kind, byte[] body) throws IOException {
        send(0, new PacketWriter().int1(kind).raw(body).toByteArray());
    }

    private void send(int sequence, byte[] payload) throws IOException {
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        packet.writeBytes(
                new PacketWriter().int3(payload.length).int1(sequence).raw(payload).toByteArray());
        socket.getOutputStream().write(packet.toByteArray());
    }

    private byte[] read() throws IOException {
        int length = in.readUnsignedByte() | in.readUnsignedByte() << 8;
        length |= in.readUnsignedByte() << 16;
        int _ = in.readUnsignedByte();
        return in.readNBytes(length);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
