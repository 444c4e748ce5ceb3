package org.quiredb.replica.kind;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.sql.SqlValue;

final class BoundFormTest {
    private final BoundForm year = new BoundForm(0, BoundForm.Form.YEAR);

    /// To a server 1, 1.0 and 1e0 beside a YEAR are 2001.
    @Test
    void aYearOfFewDigitsIsNoNumberWhateverItsType() {
        for (SqlValue value :
                List.of(
                        SqlValue.of(1),
                        SqlValue.of("1"),
                        new SqlValue.DecimalValue("1.0"),
                        new SqlValue.DoubleValue(1))) {
            assertThatThrownBy(() -> year.require(List.of(value)))
                    .as(value.toString())
                    .isInstanceOf(QuireException.class);
        }
        for (SqlValue value : List.of(SqlValue.of(2001), SqlValue.of("2001"), SqlValue.NULL)) {
            assertThatCode(() -> year.require(List.of(value))).doesNotThrowAnyException();
        }
    }

    /// H2 tries all ways in which the `%` of a pattern may share a text.
    @Test
    void aPatternMayHaveFewerSearchesTheLongerTheText() {
        BoundForm one = new BoundForm(0, BoundForm.Form.ONE_SEARCH);
        BoundForm three = new BoundForm(0, BoundForm.Form.THREE_SEARCHES);
        for (String quick : List.of("", "a%", "%a%", "%a", "a%%", "%_b%%%", "a%b")) {
            assertThatCode(() -> one.require(List.of(SqlValue.of(quick))))
                    .as(quick)
                    .doesNotThrowAnyException();
        }
        for (String slow : List.of("%a%b", "%%a", "%a%b%")) {
            assertThatThrownBy(() -> one.require(List.of(SqlValue.of(slow))))
                    .as(slow)
                    .isInstanceOf(QuireException.class);
            assertThatCode(() -> three.require(List.of(SqlValue.of(slow))))
                    .as(slow)
                    .doesNotThrowAnyException();
        }
        assertThatThrownBy(() -> three.require(List.of(SqlValue.of("%a%b%c%d%"))))
                .isInstanceOf(QuireException.class);
    }
}
