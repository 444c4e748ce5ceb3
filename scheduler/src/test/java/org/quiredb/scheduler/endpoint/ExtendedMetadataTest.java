package org.quiredb.scheduler.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.mysql.OkPacket;
import org.quiredb.common.mysql.PacketFramer;
import org.quiredb.common.mysql.PacketReader;
import org.quiredb.common.mysql.ResultSetEncoder;
import org.quiredb.common.mysql.ServerStatus;
import org.quiredb.common.sql.SqlValue;

final class ExtendedMetadataTest {
    private static final byte[] SAID = "said".getBytes(StandardCharsets.UTF_8);
    private static final int ROW_OF_TWO_PACKETS = (1 << 24) + 100;

    private final ExtendedMetadata extended =
            new ExtendedMetadata((schema, table, column) ->
                    (schema + "." + table + "." + column).equals("s.t.c") ? SAID : new byte[0]);

    @Test
    void definitionsOfEveryResultGetThemAndNothingElseIsTouched() {
        byte[] answer =
                join(
                        result(ServerStatus.MORE_RESULTS, "row", "\u00FE"),
                        framed(new OkPacket(0, 0, ServerStatus.MORE_RESULTS).payload()),
                        result(0));

        List<byte[]> before = payloads(answer);
        List<byte[]> after = payloads(extended.relayed(answer));

        assertThat(after).hasSameSizeAs(before);
        for (int i = 0; i < before.size(); i++) {
            boolean definition = i == 1 || i == 2 || i == 9 || i == 10;
            assertThat(after.get(i))
                    .as("packet %d", i)
                    .isEqualTo(definition ? extended.definition(before.get(i)) : before.get(i));
        }
        assertThat(said(after.get(1))).isEqualTo(SAID);
        assertThat(said(after.get(2))).isEmpty();
    }

    @Test
    void anAnswerMayComeInAnyParts() {
        byte[] answer = join(result(ServerStatus.MORE_RESULTS, "a", "b"), result(0, "c"));
        byte[] whole = extended.relayed(answer);
        Random random = new Random(1);
        for (int round = 0; round < 20; round++) {
            extended.restart();
            ByteArrayOutputStream parts = new ByteArrayOutputStream();
            byte[] part = {};
            for (byte[] payload : packets(answer)) {
                part = join(part, payload);
                if (random.nextBoolean()) {
                    parts.writeBytes(extended.relayed(part));
                    part = new byte[0];
                }
            }
            parts.writeBytes(extended.relayed(part));
            assertThat(parts.toByteArray()).isEqualTo(whole);
        }
    }

    /// Its second packet begins with the bytes of the value, which here seem to end the result.
    @Test
    void aRowOfSeveralPacketsIsNotLookedInto() {
        byte[] value = new byte[ROW_OF_TWO_PACKETS];
        Arrays.fill(value, (byte) 0xFF);
        byte[] answer = result(0, new String(value, StandardCharsets.ISO_8859_1));
        byte[] next = result(0);

        extended.relayed(answer);
        assertThat(extended.relayed(next)).hasSizeGreaterThan(next.length);
    }

    @Test
    void anAnswerThatWasBrokenOffIsForgotten() {
        byte[] answer = result(0, "row");
        byte[] begun = join(packets(answer).subList(0, 5).toArray(byte[][]::new));
        extended.relayed(begun);
        extended.restart();

        assertThat(extended.relayed(answer)).hasSizeGreaterThan(answer.length);
    }

    private static byte[] result(int flags, String... rows) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ResultSetEncoder encoder = new ResultSetEncoder(out::writeBytes, false, flags);
        encoder.columns(
                List.of(
                        new ColumnMetadata(
                                "s", "alias", "t", "n", "c", 45, 9, MySqlType.BLOB, 0, 0),
                        ColumnMetadata.expression("e", 63, 1, MySqlType.LONG, 0, 0)));
        for (String row : rows) {
            encoder.row(
                    new SqlValue[] {
                        new SqlValue.BytesValue(row.getBytes(StandardCharsets.ISO_8859_1)),
                        SqlValue.NULL
                    });
        }
        encoder.finish();
        return out.toByteArray();
    }

    private static byte[] said(byte[] definition) {
        PacketReader reader = new PacketReader(definition);
        for (int i = 0; i < 6; i++) {
            reader.lenencBytes();
        }
        return reader.lenencBytes();
    }

    private static byte[] framed(byte[] payload) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PacketFramer framer = new PacketFramer(out::writeBytes, 0);
        framer.payload(payload);
        framer.flush();
        return out.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static List<byte[]> packets(byte[] answer) {
        List<byte[]> packets = new ArrayList<>();
        for (int at = 0; at < answer.length; ) {
            int length = new PacketReader(Arrays.copyOfRange(answer, at, at + 3)).int3();
            packets.add(Arrays.copyOfRange(answer, at, at + 4 + length));
            at += 4 + length;
        }
        return packets;
    }

    private static List<byte[]> payloads(byte[] answer) {
        return packets(answer).stream().map(p -> Arrays.copyOfRange(p, 4, p.length)).toList();
    }
}
