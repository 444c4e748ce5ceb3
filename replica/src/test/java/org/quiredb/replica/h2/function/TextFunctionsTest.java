package org.quiredb.replica.h2.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.h2.value.Value;
import org.h2.value.ValueBigint;
import org.h2.value.ValueNumeric;
import org.h2.value.ValueVarchar;
import org.junit.jupiter.api.Test;
import org.quiredb.common.error.QuireException;

/// What one statement could fill the memory with is refused before it is made.
class TextFunctionsTest {
    private static final Value LONG = text("x".repeat(1_000_000));

    private static Value text(String text) {
        return ValueVarchar.get(text);
    }

    private static Value number(long number) {
        return ValueBigint.get(number);
    }

    private static void refused(Runnable made) {
        assertThatThrownBy(made::run).isInstanceOf(QuireException.class);
    }

    @Test
    void noTextIsPutTogetherThatIsTooLong() {
        refused(() -> TextFunctions.replace(LONG, text("x"), text("y".repeat(1_000))));
        refused(() -> TextFunctions.concat(LONG, LONG, LONG, LONG, LONG));
        refused(() -> TextFunctions.concatWs(LONG, text("a"), text("b"), LONG, LONG, LONG));
        assertThat(TextFunctions.replace(text("banana"), text("an"), text("ANA")))
                .isEqualTo("bANAANAa");
        assertThat(TextFunctions.replace(LONG, text("x"), text(""))).isEmpty();
    }

    @Test
    void noNumberOfRepetitionsPassesTheBound() {
        refused(() -> TextFunctions.repeat(text("ab"), number(4_611_686_018_927_387_904L)));
        refused(() -> TextFunctions.repeat(text("ab"), number(Long.MAX_VALUE)));
        assertThat(TextFunctions.repeat(text(""), number(3_000_000_000L))).isEmpty();
        assertThat(TextFunctions.repeat(text("ab"), number(3))).isEqualTo("ababab");
    }

    @Test
    void aLengthBeyondTheEndIsTheEnd() {
        assertThat(TextFunctions.substring(text("abc"), number(2), number(Long.MAX_VALUE)))
                .isEqualTo("bc");
        refused(() ->
                TextFunctions.left(
                        text("abc"), ValueNumeric.get(new BigDecimal("18446744073709551615"))));
    }
}
