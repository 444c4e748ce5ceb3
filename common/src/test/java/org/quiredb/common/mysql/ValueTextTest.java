package org.quiredb.common.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quiredb.common.sql.SqlValue;

class ValueTextTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0e0, -0",
        "1, 1",
        "-1.5, -1.5",
        "0.1, 0.1",
        "100000000000000, 100000000000000",
        "1e15, 1e15",
        "123456789012345678, 1.2345678901234568e17",
        "0.000000000000001, 0.000000000000001",
        "1e-16, 1e-16",
        "-2.5e-20, -2.5e-20",
        "1.7976931348623157e308, 1.7976931348623157e308"
    })
    void doublesAreWrittenAsMySqlDoes(double value, String text) {
        assertThat(text(new SqlValue.DoubleValue(value), MySqlType.DOUBLE, 31)).isEqualTo(text);
        assertThat(text(SqlValue.of(text), MySqlType.DOUBLE, 31)).isEqualTo(text);
    }

    @Test
    void floatsHaveSixDigits() {
        assertThat(text(new SqlValue.DoubleValue(16777216), MySqlType.FLOAT, 31))
                .isEqualTo("16777200");
        assertThat(text(new SqlValue.DoubleValue(0.1f), MySqlType.FLOAT, 31)).isEqualTo("0.1");
        assertThat(text(new SqlValue.DoubleValue(1.005), MySqlType.DOUBLE, 2)).isEqualTo("1.00");
    }

    @Test
    void decimalsTakeTheColumnsScale() {
        assertThat(text(new SqlValue.DecimalValue("19.9"), MySqlType.NEWDECIMAL, 2))
                .isEqualTo("19.90");
        assertThat(text(SqlValue.of(7), MySqlType.NEWDECIMAL, 2)).isEqualTo("7.00");
        assertThat(text(new SqlValue.DecimalValue("-0.125"), MySqlType.NEWDECIMAL, 2))
                .isEqualTo("-0.13");
    }

    @Test
    void timesTakeTheColumnsFraction() {
        SqlValue time =
                new SqlValue.DateTimeValue(LocalDateTime.of(2026, 1, 2, 3, 4, 5, 678_901_000));
        assertThat(text(time, MySqlType.DATETIME, 0)).isEqualTo("2026-01-02 03:04:05");
        assertThat(text(time, MySqlType.DATETIME, 3)).isEqualTo("2026-01-02 03:04:05.678");
        assertThat(text(time, MySqlType.DATE, 0)).isEqualTo("2026-01-02");
        SqlValue date = new SqlValue.DateValue(LocalDate.of(2026, 1, 2));
        assertThat(text(date, MySqlType.DATETIME, 6)).isEqualTo("2026-01-02 00:00:00.000000");
        SqlValue duration = new SqlValue.TimeValue(Duration.ofDays(-5).minusMillis(500));
        assertThat(text(duration, MySqlType.TIME, 1)).isEqualTo("-120:00:00.5");
        assertThat(text(SqlValue.of("0000-00-00"), MySqlType.DATE, 0)).isEqualTo("0000-00-00");
    }

    @Test
    void integersKeepTheirSignAndPadding() {
        assertThat(text(new SqlValue.IntegerValue(-1, true), MySqlType.LONGLONG, 0))
                .isEqualTo("18446744073709551615");
        assertThat(text(SqlValue.of(99), MySqlType.YEAR, 0)).isEqualTo("0099");
        ColumnMetadata padded =
                ColumnMetadata.expression("c", 63, 5, MySqlType.LONG, ColumnFlag.ZEROFILL, 0);
        assertThat(ValueText.of(SqlValue.of(42), padded))
                .isEqualTo("00042".getBytes(StandardCharsets.UTF_8));
        assertThat(ValueText.of(SqlValue.of("042"), padded)) // as a backend shows it
                .isEqualTo("042".getBytes(StandardCharsets.UTF_8));
        ColumnMetadata bits = ColumnMetadata.expression("c", 63, 9, MySqlType.BIT, 0, 0);
        assertThat(ValueText.of(SqlValue.of(0x1FF), bits)).containsExactly(1, 0xFF);
    }

    private static String text(SqlValue value, int type, int decimals) {
        ColumnMetadata column = ColumnMetadata.expression("c", 63, 20, type, 0, decimals);
        byte[] bytes = Objects.requireNonNull(ResultSetEncoder.textValue(value, column));
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
