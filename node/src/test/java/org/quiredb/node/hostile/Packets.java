package org.quiredb.node.hostile;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/// Packets as no client sends them.
///
/// Threads: one.
final class Packets {
    private static final int PROCESS_KILL = 0x0C;
    private static final int QUERY = 0x03;
    private static final int CHANGE_USER = 0x11;
    private static final int RESET_CONNECTION = 0x1F;
    private static final int PREPARE = 0x16;
    private static final int INIT_DB = 0x02;
    private static final int FIELD_LIST = 0x04;
    private static final int CLOSE = 0x19;
    private static final int SET_OPTION = 0x1B;
    private static final int FETCH = 0x1C;

    /// Statistics, processes, debug, ping, and what nobody has sent for decades.
    private static final byte[] PLAIN = {0x00, 0x09, 0x0A, 0x0D, 0x0E, 0x0F, 0x10, 0x13, 0x1D};

    static final int RESET = 0x1A;

    private final Random random;

    Packets(Random random) {
        this.random = random;
    }

    /// A bent payload in a packet that is none the less whole: what follows it can be read.
    byte[] bent(int number, byte[] payload) {
        return Wire.packet(number, harmless(payload(payload)));
    }

    /// A bent payload under a header that may lie about it, after which nothing can be read.
    byte[] lying(int number, byte[] payload) {
        byte[] bytes = bent(number, payload);
        switch (random.nextInt(5)) {
            case 0 -> bytes[3] = (byte) random.nextInt(256);
            case 1 -> Wire.put4(bytes, 0, random.nextInt());
            case 2 -> bytes[0] += (byte) (1 + random.nextInt(5));
            case 3 -> {
                return Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
            }
            default -> {
                return Wire.packet(number, new byte[0]);
            }
        }
        return bytes;
    }

    private byte[] payload(byte[] payload) {
        byte[] bent = payload.clone();
        switch (random.nextInt(9)) {
            case 0, 1, 2 -> {
                for (int i = 1 + random.nextInt(4); i > 0 && bent.length > 0; i--) {
                    bent[random.nextInt(bent.length)] ^= (byte) (1 << random.nextInt(8));
                }
            }
            case 3 -> bent = Arrays.copyOf(bent, random.nextInt(bent.length + 1));
            case 4 -> bent = Arrays.copyOf(bent, bent.length + random.nextInt(300));
            case 5 -> {
                if (bent.length > 0) {
                    bent[random.nextInt(bent.length)] = (byte) (0xFB + random.nextInt(5));
                }
            }
            case 6 -> {
                bent = new byte[random.nextInt(200)];
                random.nextBytes(bent);
            }
            case 7 -> {
                int from = random.nextInt(bent.length + 1);
                int to = from + random.nextInt(bent.length + 1 - from);
                Arrays.fill(bent, from, to, (byte) random.nextInt(256));
            }
            default -> {}
        }
        return bent;
    }

    /// Those that are watched must not be killed by chance.
    private static byte[] harmless(byte[] payload) {
        if (payload.length >= 5 && payload[0] == PROCESS_KILL) {
            payload[4] |= 0x40;
        }
        return payload;
    }

    /// A command of any kind, mostly in its right form.
    byte[] command(String sql, int prepared) {
        return switch (random.nextInt(20)) {
            case 0, 1 -> text(QUERY, sql);
            case 2, 3 -> text(PREPARE, sql);
            case 4, 5, 6, 7 -> execute(prepared, random.nextInt(4));
            case 8, 9 -> longData(prepared);
            case 10 -> numbered(CLOSE, prepared);
            case 11 -> numbered(RESET, prepared);
            case 12 -> text(INIT_DB, random.nextBoolean() ? "h0" : sql);
            case 13 ->
                    random.nextInt(10) == 0
                            ? text(CHANGE_USER, "quire\0\0h0\0")
                            : new byte[] {RESET_CONNECTION};
            case 14 -> text(FIELD_LIST, random.nextBoolean() ? "t\0" : sql);
            case 15 -> Arrays.copyOf(numbered(FETCH, prepared), 9);
            case 16 -> new byte[] {PLAIN[random.nextInt(PLAIN.length)]};
            case 17 -> new byte[] {SET_OPTION, (byte) random.nextInt(3), 0};
            default -> {
                byte[] any = new byte[1 + random.nextInt(30)];
                random.nextBytes(any);
                any[0] = (byte) random.nextInt(0x22);
                yield any;
            }
        };
    }

    private static byte[] text(int command, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] payload = new byte[bytes.length + 1];
        payload[0] = (byte) command;
        System.arraycopy(bytes, 0, payload, 1, bytes.length);
        return payload;
    }

    static byte[] numbered(int command, int id) {
        byte[] payload = new byte[5];
        payload[0] = (byte) command;
        Wire.put4(payload, 1, id);
        return payload;
    }

    byte[] longData(int prepared) {
        byte[] payload = new byte[7 + random.nextInt(2_000)];
        random.nextBytes(payload);
        payload[0] = 0x18;
        Wire.put4(payload, 1, prepared);
        payload[5] = (byte) random.nextInt(4);
        payload[6] = (byte) (random.nextInt(20) == 0 ? 1 : 0);
        return payload;
    }

    /// With values of any type.
    byte[] execute(int prepared, int parameters) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(numbered(0x17, prepared));
        out.write(random.nextInt(10) == 0 ? random.nextInt(256) : 0);
        out.writeBytes(new byte[] {1, 0, 0, 0});
        for (int i = 0; i < (parameters + 7) / 8; i++) {
            out.write(random.nextInt(3) == 0 ? random.nextInt(256) : 0);
        }
        out.write(random.nextInt(12) == 0 ? 0 : 1);
        int[] types = new int[parameters];
        for (int i = 0; i < parameters; i++) {
            types[i] = random.nextInt(4) == 0 ? random.nextInt(256) : type();
            out.write(types[i]);
            out.write(random.nextInt(4) == 0 ? 0x80 : 0);
        }
        for (int type : types) {
            value(out, type);
        }
        return out.toByteArray();
    }

    private int type() {
        int[] known = {1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 16, 245, 246, 252, 253, 254};
        return known[random.nextInt(known.length)];
    }

    private void value(ByteArrayOutputStream out, int type) {
        int length =
                switch (type) {
                    case 1 -> 1;
                    case 2, 13 -> 2;
                    case 3, 4, 9 -> 4;
                    case 5, 8 -> 8;
                    case 7, 10, 11, 12 -> {
                        int bytes = random.nextInt(14);
                        out.write(bytes);
                        yield bytes;
                    }
                    default -> {
                        int bytes = random.nextInt(30);
                        out.write(random.nextInt(20) == 0 ? 0xFB + random.nextInt(5) : bytes);
                        yield bytes;
                    }
                };
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        out.writeBytes(bytes);
    }
}
