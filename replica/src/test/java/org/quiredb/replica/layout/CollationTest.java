package org.quiredb.replica.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.quiredb.common.wire.ByteWriter;

class CollationTest {
    @ParameterizedTest
    @CsvSource({
        "utf8mb4_general_ci, e, É, 0",
        "utf8mb4_general_ci, ß, s, 0",
        "utf8mb4_general_ci, 'a', 'a  ', 0",
        "utf8mb4_general_ci, a, _, -1",
        "utf8mb4_unicode_ci, ß, SS, 0",
        "utf8mb4_unicode_ci, a, _, 1",
        "utf8mb4_swedish_ci, ß, SS, 0",
        "utf8mb4_swedish_ci, Å, z, 1",
        "utf8mb4_swedish_ci, ä, a, 1",
        "utf8mb4_german2_ci, Ä, ae, 0",
        "utf8mb3_polish_ci, ł, l, 1",
        "utf8mb4_danish_ci, å, Å, 1",
        "utf8mb4_unicode_520_ci, ß, SS, 0",
        "utf8mb4_unicode_520_ci, 𝐀, a, 0",
        "utf8mb4_unicode_520_ci, 😀, a, 1",
        "utf8mb4_unicode_520_ci, '\uD840\uDC00', 中, 1",
        "utf8mb4_unicode_520_ci, a, 'a ', 0",
        "utf8mb4_unicode_520_nopad_ci, a, 'a ', -1",
        "utf8mb4_uca1400_ai_ci, æ, AE, 0",
        "utf8mb4_uca1400_ai_ci, '-', '!', -1",
        "utf8mb4_uca1400_ai_ci, 𝐀, a, 0",
        "utf8mb4_uca1400_ai_ci, 'x\uDB40\uDD00', X, 0",
        "utf8mb4_uca1400_ai_ci, '\uD840\uDC00', 中, 1",
        "utf8mb4_uca1400_ai_ci, 😀, a, -1",
        "utf8mb4_uca1400_ai_ci, 😀, 😁, -1",
        "utf8mb4_0900_ai_ci, a, 'a ', -1",
        "utf8mb4_0900_ai_ci, 日, 本, -1",
        "utf8mb4_0900_ai_ci, 😀, zz, -1",
        "utf8mb4_0900_ai_ci, 😀, 😁, -1",
        "utf8mb4_0900_ai_ci, 😀, -, 1",
        "utf8mb4_0900_ai_ci, 𝐀, a, 0",
        "utf8mb4_0900_ai_ci, '\uD840\uDC00', 中, 1",
        "utf8mb4_0900_ai_ci, 'x\uDB40\uDD00', X, 0",
        "utf8mb4_0900_ai_ci, 각, 가, 1",
        "utf8mb4_bin, a, A, 1",
        "utf8mb4_bin, a, 'a ', 0",
        "latin1_swedish_ci, z, å, -1",
        "utf8mb4_bin, '', '\0', 1",
        "utf8mb4_bin, a, 'a\n', 1",
        "utf8mb4_bin, a, 'a  \n', 1",
        "utf8mb4_bin, 'a  \n', 'a \n', 1",
        "utf8mb4_bin, 'a ', 'a !', -1",
        "utf8mb4_general_ci, 'é', 'E\t', 1",
        "utf8mb4_general_ci, 'a', 'a \t!', 1",
        "utf8mb4_general_ci, 'a\n', 'a\t', 1",
        "utf8mb4_unicode_ci, 'a', 'a\n', 1",
        "utf8mb4_unicode_ci, 'a', 'a\0', 0",
        "utf8mb4_unicode_520_ci, 'ß', 'ss\n', 1",
        "utf8mb4_unicode_520_nopad_ci, 'a', 'a\n', -1",
        "utf8mb4_uca1400_ai_ci, 'a', 'a \n', 1",
        "utf8mb4_0900_ai_ci, 'a', 'a\n', -1",
        "latin1_swedish_ci, 'a', 'a\n', 1"
    })
    void textComparesAsInMySql(String collation, String a, String b, int expected) {
        assertThat(Integer.signum(Collation.of(collation).compare(a, b))).isEqualTo(expected);
        assertThat(Integer.signum(Collation.of(collation).compare(b, a))).isEqualTo(-expected);
    }

    @ParameterizedTest
    @EnumSource(Collation.class)
    void comparingIsTheOrderOfKeys(Collation collation) {
        Random random = new Random(7);
        PageText pageText = PageText.of(collation);
        for (int i = 0; i < 20_000; i++) {
            String a = text(random);
            String b = text(random);
            int compared = Integer.signum(collation.compare(a, b));
            byte[] keyA = key(collation, a);
            assertThat(Integer.signum(Arrays.compareUnsigned(keyA, key(collation, b))))
                    .as("%s and %s", a, b)
                    .isEqualTo(compared);
            byte[] page = a.getBytes(StandardCharsets.UTF_8);
            ByteWriter key = new ByteWriter();
            pageText.key(key, page, 0, page.length);
            assertThat(key.toByteArray()).as(a).isEqualTo(keyA);
            assertThat(Integer.signum(pageText.compare(page, 0, page.length, pageText.constant(b))))
                    .as("%s and %s", a, b)
                    .isEqualTo(compared);
        }
    }

    private static byte[] key(Collation collation, String text) {
        ByteWriter key = new ByteWriter();
        StringKey.append(key, collation, text);
        return key.toByteArray();
    }

    private static String text(Random random) {
        String letters = "aAbBéEß  \n\t\0sSæ_-日本яЯ";
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(5); i > 0; i--) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return random.nextInt(9) == 0 ? text + "\uD83D\uDE00" : text.toString();
    }
}
