package org.quiredb.replica.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quiredb.common.schema.ColumnDefinition;

class EnumTextsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            textBlock =
                    """
                    enum('a','b') | utf8mb4_general_ci | 0
                    enum('a','0') | latin1_german1_ci | 00
                    enum('0','00','000','0000','00000') | utf8mb4_general_ci | none
                    enum('a','０') | utf8mb4_unicode_ci | 00
                    enum('a','０') | utf8mb4_croatian_ci | none
                    enum('a','⁰') | utf8mb4_croatian_ci | none
                    enum('ä','ö') | utf8mb4_croatian_ci | 0
                    enum('a') | ucs2_general_ci | none
                    enum('a') | utf16_bin | none
                    enum('a') | utf16le_general_ci | none
                    enum('a') | utf32_general_ci | none
                    """)
    void theTextThatStoresNoMember(String type, String collation, @Nullable String text) {
        String set = collation.substring(0, collation.indexOf('_'));
        ColumnDefinition column =
                new ColumnDefinition("k", type, true, false, set, collation, null, false, null);
        assertThat(Objects.requireNonNull(EnumTexts.of(column)).none()).isEqualTo(text);
    }

    /// As servers show the type.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    enum('a\\\\','b\\\\c') | b\\c
                    enum('it''s','m\\\\n') | m\\n
                    set('m\\\\n','o') | m\\n,o
                    """)
    void backslashesOfMembersAreEscaped(String type, String text) {
        ColumnDefinition column =
                new ColumnDefinition(
                        "k", type, true, false, "utf8mb4", "utf8mb4_bin", null, false, null);
        assertThat(Objects.requireNonNull(EnumTexts.of(column)).canonical(text)).isEqualTo(text);
    }
}
