package org.quiredb.scheduler.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        assertThat(QueryText.of(java.util.Arrays.copyOf(query, length))).isEqualTo(read);
    }
}
