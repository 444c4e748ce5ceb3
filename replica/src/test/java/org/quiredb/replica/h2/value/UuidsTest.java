package org.quiredb.replica.h2.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UuidsTest {
    /// As MariaDB 11.4 sorts them.
    private static final List<String> IN_ORDER =
            List.of(
                    "fffffff1-1234-1234-8234-0000000000f1",
                    "fffffff1-1234-1234-9234-0000000000f1",
                    "00000001-1234-1234-0234-ffffffffff01",
                    "00000001-1234-7234-8234-ffffffffff01",
                    "00000001-1234-f234-8234-ffffffffff01",
                    "fffffff1-1234-1234-7234-0000000000f1",
                    "fffffff1-1234-6234-8234-0000000000f1",
                    "00000001-1234-1234-8234-ffffffffff01",
                    "00000001-1234-5234-f234-ffffffffff01");

    @Test
    void theyCompareAsInMariaDb() {
        List<String> sorted =
                IN_ORDER.reversed().stream()
                        .map(text -> Objects.requireNonNull(Uuids.ofText(text)))
                        .sorted((a, b) -> a.compareTypeSafe(b, null, null))
                        .map(Uuids::text)
                        .toList();
        assertThat(sorted).isEqualTo(IN_ORDER);
    }

    @Test
    void whatIsKeptIsWhatWasWritten() {
        for (int version = 0; version < 16; version++) {
            for (int variant = 0; variant < 16; variant++) {
                String text = "0123abcd-4567-%x9ef-%x123-456789abcdef".formatted(version, variant);
                var value = Uuids.ofText(text);
                if (version >= 8 && variant < 8) {
                    assertThat(value).isNull();
                } else {
                    assertThat(Uuids.text(Objects.requireNonNull(value))).isEqualTo(text);
                    assertThat(Uuids.ofKept(Uuids.kept(value), 0)).isEqualTo(value);
                    assertThat(Uuids.ofBytes(Uuids.bytes(value))).isEqualTo(value);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "123E4567E89B12D3A456426655440000",
                "1-2-3-e-4567e89b12d3a4564266554400--00",
                "123e4567-e89b-12d3-a456-426655440000"
            })
    void hyphensStandAnywhereBetweenDigits(String text) {
        assertThat(Uuids.text(Objects.requireNonNull(Uuids.ofText(text))))
                .isEqualTo("123e4567-e89b-12d3-a456-426655440000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "-123e4567-e89b-12d3-a456-426655440000",
                "123e4567-e89b-12d3-a456-426655440000-",
                " 123e4567-e89b-12d3-a456-426655440000",
                "123e4567-e89b-12d3-a456-4266554400001",
                "123e4567-e89b-12d3-a456-42665544000g"
            })
    void otherTextsAreNone(String text) {
        assertThat(Uuids.ofText(text)).isNull();
    }
}
