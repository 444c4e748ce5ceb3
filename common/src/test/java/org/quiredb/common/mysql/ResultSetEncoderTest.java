package org.quiredb.common.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.quiredb.common.sql.SqlValue;

class ResultSetEncoderTest {
    private static final ColumnMetadata NUMBER = column(MySqlType.LONG);
    private static final ColumnMetadata TEXT = column(MySqlType.VAR_STRING);

    private final List<byte[]> chunks = new ArrayList<>();

    @Test
    void aTextResultIsCountColumnsEofRowsEof() {
        ResultSetEncoder encoder =
                new ResultSetEncoder(chunks::add, false, ServerStatus.AUTOCOMMIT);
        encoder.columns(List.of(NUMBER, TEXT));
        encoder.row(new SqlValue[] {SqlValue.of(-7), SqlValue.NULL});
        assertThat(encoder.finish()).isEqualTo(6);

        List<byte[]> payloads = payloads();
        assertThat(payloads.getFirst()).containsExactly(2);
        assertThat(ColumnMetadata.read(payloads.get(1))).isEqualTo(NUMBER);
        assertThat(payloads.get(3)).containsExactly(0xFE, 0, 0, 2, 0);
        assertThat(payloads.get(4)).containsExactly(2, '-', '7', 0xFB);
        assertThat(payloads.get(5)).containsExactly(0xFE, 0, 0, 2, 0);
    }

    @Test
    void aBinaryRowHasANullBitmapAndFixedWidths() {
        ResultSetEncoder encoder = new ResultSetEncoder(chunks::add, true, 0);
        encoder.columns(
                List.of(
                        NUMBER,
                        TEXT,
                        TEXT,
                        column(MySqlType.DATE),
                        column(MySqlType.DATETIME),
                        column(MySqlType.TIME),
                        NUMBER,
                        column(MySqlType.DATETIME)));
        encoder.row(
                new SqlValue[] {
                    SqlValue.of(-2),
                    SqlValue.NULL,
                    SqlValue.of("ab"),
                    new SqlValue.DateValue(LocalDate.of(2026, 2, 3)),
                    new SqlValue.DateTimeValue(LocalDateTime.of(2026, 2, 3, 4, 5, 6, 7000)),
                    new SqlValue.TimeValue(Duration.ofHours(-25)),
                    SqlValue.NULL,
                    SqlValue.of("0000-00-00 00:00:00")
                });
        encoder.finish();
        byte[] row = payloads().get(10);
        byte[] expected =
                new PacketWriter()
                        .int1(0)
                        .int1(0b0000_1000)
                        .int1(0b0000_0001)
                        .int4(-2)
                        .lenencString("ab")
                        .raw(new byte[] {4, (byte) 0xEA, 7, 2, 3})
                        .raw(new byte[] {11, (byte) 0xEA, 7, 2, 3, 4, 5, 6, 7, 0, 0, 0})
                        .raw(new byte[] {8, 1, 1, 0, 0, 0, 1, 0, 0})
                        .int1(0)
                        .toByteArray();
        assertThat(row).isEqualTo(expected);
    }

    @Test
    void sequenceNumbersWrapAndChunksStayNearTheirSize() {
        ResultSetEncoder encoder = new ResultSetEncoder(chunks::add, false, 0);
        encoder.columns(List.of(TEXT));
        for (int i = 0; i < 1000; i++) {
            encoder.row(new SqlValue[] {SqlValue.of("x".repeat(100))});
        }
        assertThat(encoder.finish()).isEqualTo(1004);
        assertThat(payloads()).hasSize(1004);
        assertThat(chunks)
                .hasSize(4)
                .allSatisfy(chunk -> assertThat(chunk.length).isLessThan(33_000));
    }

    @Test
    void aPayloadOfTheLargestSizeIsFollowedByAnEmptyPacket() {
        PacketFramer framer = new PacketFramer(chunks::add, 1);
        framer.payload(new byte[PacketFramer.MAX_PAYLOAD_BYTES]);
        framer.payload(new byte[PacketFramer.MAX_PAYLOAD_BYTES + 5]);
        framer.flush();
        assertThat(framer.packets()).isEqualTo(4);
        assertThat(payloads().stream().map(payload -> payload.length))
                .containsExactly(
                        PacketFramer.MAX_PAYLOAD_BYTES, 0, PacketFramer.MAX_PAYLOAD_BYTES, 5);
    }

    private List<byte[]> payloads() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        chunks.forEach(all::writeBytes);
        byte[] bytes = all.toByteArray();
        List<byte[]> payloads = new ArrayList<>();
        int sequence = 1;
        for (int at = 0; at < bytes.length; ) {
            PacketReader header = new PacketReader(Arrays.copyOfRange(bytes, at, at + 4));
            int length = header.int3();
            assertThat(header.int1()).isEqualTo(sequence++ & 0xFF);
            payloads.add(Arrays.copyOfRange(bytes, at + 4, at + 4 + length));
            at += 4 + length;
        }
        return payloads;
    }

    private static ColumnMetadata column(int type) {
        return new ColumnMetadata("shop", "i", "item", "c", "c", 45, 11, type, 0, 0);
    }
}
