package org.quiredb.scheduler.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quiredb.scheduler.characters.CharacterSet;

final class QueryTextTest {
    /// Each `¿` stands for a byte that is no UTF-8.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            textBlock =
                    """
                    SELECT 'a', 'ü' | SELECT 'a', 'ü'
                    SELECT '¿' | SELECT x'ff'
                    SELECT _binary'¿' | SELECT _binary x'ff'
                    SELECT _binary '¿', "¿\\'a" | SELECT _binary x'ff', x'ff2761'
                    SELECT 'ü',('¿') | SELECT 'ü',(x'ff')
                    """)
    void aStringThatIsNoTextBecomesItsBytes(String sent, String read) {
        byte[] bytes = sent.getBytes(StandardCharsets.UTF_8);
        byte[] query = new byte[bytes.length];
        int length = 0;
        for (int i = 0; i < bytes.length; i++) {
            boolean marked = bytes[i] == (byte) 0xC2 && bytes[i + 1] == (byte) 0xBF;
            query[length++] = marked ? (byte) 0xFF : bytes[i];
            i += marked ? 1 : 0;
        }
        assertThat(QueryText.of(java.util.Arrays.copyOf(query, length), CharacterSet.UTF8, true))
                .isEqualTo(read);
    }

    /// The second byte of a character may be a backslash, and what is no character has no second
    /// byte: a quote ends the string.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            textBlock =
                    """
                    gbk | 27d55c27 | '\u8aa0'
                    gbk | 27bf27206f72 | x'bf' or
                    gbk | 27d55c5c2727 | '\u8aa0\\''
                    gbk | 5f62696e61727927d55c27 | _binary x'd55c'
                    gbk | 60d55c60 | `\u8aa0`
                    sjis | 27955c27 | '\u8868'
                    big5 | 27b35c272c2761 | '\u8a31','a
                    latin1 | 27e98027 | '\u00e9\u20ac'
                    latin1 | 5f75746638206d6227c3a927 | _utf8 mb'\u00c3\u00a9'
                    latin1 | 5f757466386d62342027c3a927 | _utf8mb4 x'c3a9'
                    latin1 | 23270a5f6227e927 | #'~_b x'e9'
                    latin1 | 2d2d20270a5f6227e927 | -- '~_b x'e9'
                    latin1 | 2f2a272a2f5f6227e927 | /*'*/_b x'e9'
                    latin1 | 2f2a215f6227e9272a2f | /*!_b x'e9'*/
                    cp1251 | 27986127 | x'9861'
                    cp1251 | 279861 | '?a
                    gb2312 | 22b05c22 | "?\\"
                    ascii | 27c3a927 | x'c3a9'
                    """)
    void aTextIsDecodedBeforeItIsRead(String set, String sent, String read) {
        assertThat(
                        QueryText.of(
                                HexFormat.of().parseHex(sent),
                                CharacterSet.of(set).orElseThrow(),
                                true))
                .isEqualTo(read.replace('~', '\n'));
    }

    /// With NO_BACKSLASH_ESCAPES, where the bytes of an image may end with one.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            textBlock =
                    """
                    utf8mb4 | 27ff5c6e27 | x'ff5c6e'
                    utf8mb4 | 27ff5c272c27fe27 | x'ff5c',x'fe'
                    utf8mb4 | 27ff272727 | x'ff27'
                    latin1 | 5f62696e61727927e95c272c27612727 | _binary x'e95c','a''
                    """)
    void aBackslashMayBeACharacterLikeAnyOther(String set, String sent, String read) {
        byte[] query = HexFormat.of().parseHex(sent);
        assertThat(QueryText.of(query, CharacterSet.of(set).orElseThrow(), false)).isEqualTo(read);
    }
}
