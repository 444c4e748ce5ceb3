package org.quiredb.common.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.wire.MangledMessageException;

class PacketPayloadTest {
    @ParameterizedTest
    @ValueSource(longs = {0, 250, 251, 0xFFFF, 0x1_0000, 0xFF_FFFF, 0x100_0000, Long.MAX_VALUE, -1})
    void lengthEncodedIntegersReadBack(long value) {
        byte[] payload = new PacketWriter().lenencInt(value).toByteArray();
        assertThat(new PacketReader(payload).lenencInt()).isEqualTo(value);
    }

    @Test
    void everythingWrittenReadsBackInOrder() {
        byte[] payload =
                new PacketWriter()
                        .int1(0xFE)
                        .int2(0xFEDC)
                        .int3(0xFEDCBA)
                        .int4(0xFEDC_BA98L)
                        .int8(Long.MIN_VALUE)
                        .nullTerminated("quire")
                        .lenencString("Größe")
                        .text("rest")
                        .toByteArray();
        PacketReader reader = new PacketReader(payload);
        assertThat(reader.int1()).isEqualTo(0xFE);
        assertThat(reader.int2()).isEqualTo(0xFEDC);
        assertThat(reader.int3()).isEqualTo(0xFEDCBA);
        assertThat(reader.int4()).isEqualTo(0xFEDC_BA98L);
        assertThat(reader.int8()).isEqualTo(Long.MIN_VALUE);
        assertThat(reader.nullTerminated()).isEqualTo("quire");
        assertThat(reader.lenencString()).isEqualTo("Größe");
        assertThat(reader.restAsString()).isEqualTo("rest");
        assertThat(reader.remaining()).isZero();
    }

    @Test
    void aPayloadThatEndsEarlyIsRefused() {
        assertThatThrownBy(() -> new PacketReader(new byte[] {5, 'a'}).lenencString())
                .isInstanceOf(MangledMessageException.class);
        assertThatThrownBy(() -> new PacketReader(new byte[] {'a'}).nullTerminated())
                .isInstanceOf(MangledMessageException.class);
        assertThatThrownBy(() -> new PacketReader(new byte[3]).int4())
                .isInstanceOf(MangledMessageException.class);
    }

    @Test
    void okAndErrAndColumnReadBack() {
        OkPacket ok = new OkPacket(3, 1L << 40, ServerStatus.AUTOCOMMIT, 1, "Rows matched: 3");
        assertThat(OkPacket.read(ok.payload())).isEqualTo(ok);
        OkPacket silent = new OkPacket(0, 0, ServerStatus.AUTOCOMMIT);
        assertThat(silent.payload()).hasSize(7);
        assertThat(OkPacket.read(silent.payload())).isEqualTo(silent);
        ErrPacket err = ErrPacket.of(ErrorCode.DEADLOCK, "try again");
        assertThat(ErrPacket.read(err.payload())).isEqualTo(err);
        ColumnMetadata column =
                new ColumnMetadata(
                        "s",
                        "t",
                        "table1",
                        "n",
                        "name",
                        45,
                        0xFFFF_FFFFL,
                        MySqlType.BLOB,
                        0x1011,
                        31);
        assertThat(ColumnMetadata.read(column.payload())).isEqualTo(column);
    }
}
