package org.quiredb.replica.h2.conversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What MySQL 9.7 stored of the same texts.
class JsonTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"n\": 5,\"b\":[1,2 , 3], \"a\":\"x\"} | {\"a\": \"x\", \"b\": [1, 2, 3], \"n\": 5}",
                "{\"bb\":1,\"a\":{},\"n\":1,\"n\":2,\"ä\":[]} | {\"a\": {}, \"n\": 2, \"bb\": 1, \"ä\": []}",
                "[ ] | []",
                "{ } | {}",
                "[1,2.50,1e3,true,false,null] | [1, 2.5, 1000.0, true, false, null]",
                "18446744073709551615 | 18446744073709551615",
                "18446744073709551616 | 1.8446744073709552e19",
                "-9223372036854775808 | -9223372036854775808",
                "-9223372036854775809 | -9.223372036854776e18",
                "123456789012345678901234567890 | 1.2345678901234568e29",
                "-0 | 0",
                "-0.0 | -0.0",
                "1e-400 | 0.0",
                "\"\\u00e4\\ud83d\\uDE00\\/\\n\\u0001\" | \"ä😀/\\n\\u0001\""
            })
    void isWrittenAsMySqlWritesIt(String given, String stored) throws Exception {
        assertThat(JsonText.of(given)).isEqualTo(stored);
        assertThat(JsonText.of(stored)).isEqualTo(stored);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{bad",
                "1 2",
                "01",
                "1.",
                ".5",
                "+1",
                "-",
                "1e",
                "[1,]",
                "[1",
                "{\"a\"}",
                "{\"a\":1,}",
                "{a:1}",
                "'a'",
                "\"a",
                "\"\t\"",
                "\"\\x\"",
                "\"\\ud800\"",
                "\"\\u00g0\"",
                "tru",
                "nullx",
                "1e999",
                "[1]]",
                "NaN"
            })
    void isRefusedWhereMySqlRefusesIt(String given) {
        assertThatThrownBy(() -> JsonText.of(given)).isInstanceOf(JsonText.Invalid.class);
    }

    @Test
    void isAHundredDeepAtMost() throws Exception {
        String deepest = "[".repeat(100) + "]".repeat(100);
        assertThat(JsonText.of(deepest)).isEqualTo(deepest);
        assertThatThrownBy(() -> JsonText.of("[" + deepest + "]"))
                .isInstanceOfSatisfying(
                        JsonText.Invalid.class, e -> assertThat(e.tooDeep()).isTrue());
    }
}
