package org.quiredb.scheduler.characters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.mysql.ResultSetEncoder;
import org.quiredb.common.sql.SqlValue;

final class ConvertedResultsTest {
    private static final int UTF8 = 45;
    private static final int BINARY = 63;
    private static final int LARGE = 0xFF_FFFF;

    private static byte[] result(int collation, int bytesOfCharacter, boolean binary, Object text) {
        ByteArrayOutputStream packets = new ByteArrayOutputStream();
        ResultSetEncoder encoder = new ResultSetEncoder(packets::writeBytes, binary, 0);
        SqlValue shown =
                text instanceof byte[] bytes
                        ? new SqlValue.BytesValue(bytes)
                        : SqlValue.of((String) text);
        encoder.columns(
                List.of(
                        column("n", BINARY, 20, MySqlType.LONGLONG),
                        column("c", collation, 10L * bytesOfCharacter, MySqlType.VAR_STRING),
                        column("b", BINARY, 10, MySqlType.BLOB),
                        column("l", collation, 0xFFFF_FFFFL, MySqlType.BLOB)));
        encoder.row(
                new SqlValue[] {
                    SqlValue.of(0xE9L),
                    shown,
                    new SqlValue.BytesValue(new byte[] {(byte) 0xC3, (byte) 0xA9}),
                    SqlValue.NULL
                });
        long _ = encoder.finish();
        return packets.toByteArray();
    }

    private static ColumnMetadata column(String name, int collation, long length, int type) {
        return ColumnMetadata.expression(name, collation, length, type, 0, 0);
    }

    /// In parts of any sizes that hold whole packets: here one and one, and all at once.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void textsAndLengthsBecomeThoseOfTheSet(boolean binary) {
        byte[] sent = result(UTF8, 4, binary, "né€Ж");
        byte[] expected =
                result(8, 1, binary, "né€?".getBytes(java.nio.charset.Charset.forName("cp1252")));
        assertThat(converted(sent, binary, sent.length)).isEqualTo(expected);
        assertThat(converted(sent, binary, 1)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {LARGE - 20, LARGE, LARGE + 20})
    void aLargeRowIsOneRow(int length) {
        String text = "é".repeat(length);
        byte[] expected = result(8, 1, false, text.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(converted(result(UTF8, 4, false, text), false, 1)).isEqualTo(expected);
    }

    /// A count of columns has more than one byte then.
    @ParameterizedTest
    @ValueSource(ints = {250, 251, 252, 255, 4096})
    void aResultMayHaveMoreColumnsThanAByteCounts(int columns) {
        byte[] sent = columns(columns, UTF8, 4, SqlValue.of("é"));
        byte[] expected = columns(columns, 8, 1, new SqlValue.BytesValue(new byte[] {(byte) 0xE9}));
        assertThat(converted(sent, false, 1)).isEqualTo(expected);
    }

    private static byte[] columns(int columns, int collation, int length, SqlValue value) {
        ByteArrayOutputStream packets = new ByteArrayOutputStream();
        ResultSetEncoder encoder = new ResultSetEncoder(packets::writeBytes, false, 0);
        encoder.columns(
                Collections.nCopies(columns, column("c", collation, length, MySqlType.VAR_STRING)));
        encoder.row(Collections.nCopies(columns, value).toArray(SqlValue[]::new));
        long _ = encoder.finish();
        return packets.toByteArray();
    }

    /// Numbered from 1 on, as an encoder does.
    private static byte[] converted(byte[] packets, boolean binary, int least) {
        ConvertedResults results = new ConvertedResults(CharacterSet.LATIN1, 8, binary);
        ByteArrayOutputStream converted = new ByteArrayOutputStream();
        for (int at = 0; at < packets.length; ) {
            int end = at;
            do {
                end += 4 + length(packets, end);
            } while (end < packets.length && end - at < least);
            converted.writeBytes(results.of(java.util.Arrays.copyOfRange(packets, at, end)));
            at = end;
        }
        byte[] all = converted.toByteArray();
        int sequence = 1;
        for (int at = 0; at < all.length; at += 4 + length(all, at)) {
            all[at + 3] = (byte) sequence++;
        }
        return all;
    }

    private static int length(byte[] packets, int at) {
        return (packets[at] & 0xFF)
                | (packets[at + 1] & 0xFF) << 8
                | (packets[at + 2] & 0xFF) << 16;
    }
}
