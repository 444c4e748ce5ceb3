package org.quiredb.replica.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

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
        "latin1_swedish_ci, z, å, -1"
    })
    void textComparesAsInMySql(String collation, String a, String b, int expected) {
        assertThat(Integer.signum(Collation.of(collation).compare(a, b))).isEqualTo(expected);
        assertThat(Integer.signum(Collation.of(collation).compare(b, a))).isEqualTo(-expected);
    }

    @ParameterizedTest
    @EnumSource(Collation.class)
    void comparingIsTheOrderOfWeights(Collation collation) {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            String a = text(random);
            String b = text(random);
            assertThat(Integer.signum(collation.compare(a, b)))
                    .as("%s and %s", a, b)
                    .isEqualTo(Integer.signum(collation.weigh(a).compareTo(collation.weigh(b))));
        }
    }

    private static String text(Random random) {
        String letters = "aAbBéEß sSæ_-日本яЯ";
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(5); i > 0; i--) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return random.nextInt(9) == 0 ? text + "\uD83D\uDE00" : text.toString();
    }
}
