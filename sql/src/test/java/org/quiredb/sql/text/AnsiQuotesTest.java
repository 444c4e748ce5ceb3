package org.quiredb.sql.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quiredb.common.error.QuireException;

final class AnsiQuotesTest {
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
        assertThat(Tokens.withBackticks(ansi)).isEqualTo(usual);
    }

    @Test
    void aNameThatDoesNotEndIsASyntaxError() {
        assertThatThrownBy(() -> Tokens.withBackticks("SELECT \"a"))
                .isInstanceOf(QuireException.class);
    }
}
