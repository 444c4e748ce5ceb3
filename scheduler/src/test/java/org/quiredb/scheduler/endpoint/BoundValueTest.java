package org.quiredb.scheduler.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.mysql.PacketReader;
import org.quiredb.common.mysql.PacketWriter;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.characters.CharacterSet;

/// What no driver binds is a value all the same, or is refused with a number.
class BoundValueTest {
    private static SqlValue read(int type, PacketWriter written) {
        return BoundValue.read(new PacketReader(written.toByteArray()), type, CharacterSet.UTF8);
    }

    private static SqlValue decimal(String text) {
        return read(MySqlType.NEWDECIMAL, new PacketWriter().lenencString(text));
    }

    private static SqlValue date(int type, int year, int month, int day) {
        return read(type, new PacketWriter().int1(4).int2(year).int1(month).int1(day));
    }

    /// As it stands it would become part of a statement on the backend.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1; DROP TABLE t",
                "LOAD_FILE('/etc/passwd')",
                "1 INTO OUTFILE 'x'",
                "",
                "-",
                "1e999999999",
                "NaN",
                " 1"
            })
    void whatIsNoDecimalIsAText(String text) {
        assertThat(decimal(text)).isEqualTo(new SqlValue.StringValue(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "-1.50", "+7", ".5", "5.", "00012.3400"})
    void whatIsOneStays(String text) {
        assertThat(decimal(text)).isEqualTo(new SqlValue.DecimalValue(text));
    }

    @Test
    void aDecimalOfTooManyDigitsIsAText() {
        String digits = "9".repeat(1_000);
        assertThat(decimal(digits)).isEqualTo(new SqlValue.StringValue(digits));
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void numbersWithoutALiteralAreRefused(double number) {
        PacketWriter eight = new PacketWriter().int8(Double.doubleToRawLongBits(number));
        PacketWriter four = new PacketWriter().int4(Float.floatToRawIntBits((float) number));
        assertThatThrownBy(() -> read(MySqlType.DOUBLE, eight))
                .isInstanceOfSatisfying(
                        QuireException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.ILLEGAL_VALUE));
        assertThatThrownBy(() -> read(MySqlType.FLOAT, four)).isInstanceOf(QuireException.class);
    }

    @Test
    void datesThatNoCalendarHas() {
        assertThat(date(MySqlType.DATE, 2024, 2, 29))
                .isEqualTo(new SqlValue.DateValue(LocalDate.of(2024, 2, 29)));
        assertThat(date(MySqlType.DATE, 2023, 2, 29))
                .isEqualTo(new SqlValue.StringValue("2023-02-29"));
        assertThat(date(MySqlType.DATE, 2024, 0, 0))
                .isEqualTo(new SqlValue.StringValue("2024-00-00"));
        assertThat(date(MySqlType.DATE, 2024, 13, 1))
                .isEqualTo(new SqlValue.StringValue("0000-00-00"));
        assertThat(date(MySqlType.DATETIME, 65_535, 255, 255))
                .isEqualTo(new SqlValue.StringValue("0000-00-00 00:00:00"));
        PacketWriter late =
                new PacketWriter().int1(7).int2(2024).int1(1).int1(2).int1(24).int1(0).int1(0);
        assertThat(read(MySqlType.DATETIME, late))
                .isEqualTo(new SqlValue.StringValue("0000-00-00 00:00:00"));
        PacketWriter whole =
                new PacketWriter()
                        .int1(11)
                        .int2(2024)
                        .int1(1)
                        .int1(2)
                        .int1(3)
                        .int1(4)
                        .int1(5)
                        .int4(600_000);
        assertThat(read(MySqlType.DATETIME, whole))
                .isEqualTo(
                        new SqlValue.DateTimeValue(
                                LocalDateTime.of(2024, 1, 2, 3, 4, 5, 600_000_000)));
    }

    @Test
    void theLongestTimeIsTheLongest() {
        PacketWriter days =
                new PacketWriter().int1(8).int1(1).int4(0xFFFF_FFFFL).int1(255).int1(9).int1(9);
        assertThat(read(MySqlType.TIME, days))
                .isEqualTo(
                        new SqlValue.TimeValue(
                                Duration.ofHours(838).plusMinutes(59).plusSeconds(59).negated()));
    }
}
