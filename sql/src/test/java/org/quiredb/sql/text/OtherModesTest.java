package org.quiredb.sql.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quiredb.common.error.QuireException;

final class OtherModesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            textBlock =
                    """
                    SELECT "a" FROM "b"."c" | SELECT `a` FROM `b`.`c`
                    SELECT "a""b", "c`d", "\\" | SELECT `a"b`, `c``d`, `\\`
                    SELECT 'it''s "quoted"', "a" | SELECT 'it''s "quoted"', `a`
                    SELECT 'back\\'"' , "a" | SELECT 'back\\'"' , `a`
                    SELECT `b"`, "a" -- "b" | SELECT `b"`, `a` -- "b"
                    SELECT /* "b" */ "a" /*! "c" */ | SELECT /* "b" */ `a` /*! `c` */
                    SELECT 'a' "b" 'c' | SELECT 'a' `b` 'c'
                    SELECT _utf8'a' "b", N'x'"c" | SELECT _utf8'a' `b`, N'x'`c`
                    SELECT x'22', 1 | SELECT x'22', 1
                    """)
    void namesInDoubleQuotesGetBackticks(String ansi, String usual) {
        assertThat(Tokens.byDefault(ansi, true, true)).isEqualTo(usual);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            textBlock =
                    """
                    SELECT 'a\\b', "c\\" | SELECT 'a\\\\b', "c\\\\"
                    SELECT '\\', `\\`, 1 -- '\\' | SELECT '\\\\', `\\`, 1 -- '\\'
                    SELECT 'it''s \\''' | SELECT 'it''s \\\\'''
                    SELECT _utf8'\\' N'\\', X'41' | SELECT _utf8'\\\\' N'\\\\', X'41'
                    SELECT 'a' | SELECT 'a'
                    """)
    void backslashesThatEscapeNothingAreEscaped(String text, String usual) {
        assertThat(Tokens.byDefault(text, false, false)).isEqualTo(usual);
        assertThat(Tokens.byDefault("SELECT \"a\", '\\'", true, false))
                .isEqualTo("SELECT `a`, '\\\\'");
        assertThat(Tokens.statements("SELECT '\\'; SELECT '\\'", false)).hasSize(2);
    }

    @Test
    void aNameThatDoesNotEndIsASyntaxError() {
        assertThatThrownBy(() -> Tokens.byDefault("SELECT \"a", true, true))
                .isInstanceOf(QuireException.class);
    }
}
