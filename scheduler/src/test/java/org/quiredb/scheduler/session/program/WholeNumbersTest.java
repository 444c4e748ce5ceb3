package org.quiredb.scheduler.session.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.sql.program.Text;
import org.quiredb.sql.text.Tokens;

final class WholeNumbersTest {
    /// `i`, an INT of 7; `b`, the greatest BIGINT; `n`, an INT that is NULL; `u` without a sign;
    /// `t`, a text.
    private static BlockScope scope() {
        BlockScope scope = new BlockScope(null);
        declare(scope, "i", "INT", Value.of(7));
        declare(scope, "b", "BIGINT(20)", Value.of(Long.MAX_VALUE));
        declare(scope, "n", "INT", Value.NULL);
        declare(scope, "u", "INT UNSIGNED", Value.of(7));
        declare(scope, "t", "VARCHAR(9)", Value.of("7"));
        return scope;
    }

    private static void declare(BlockScope scope, String name, String type, Value value) {
        BlockScope.Variable variable = new BlockScope.Variable(name, type);
        variable.value = value;
        scope.declare(variable);
    }

    private static Text text(String sql) {
        Tokens tokens = Tokens.of(sql);
        List<Text.Operand> operands = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.isName(i)) {
                operands.add(new Text.Operand(i, tokens.name(i), Text.Place.EXPRESSION));
            }
        }
        return new Text(tokens, operands, List.of());
    }

    private static @Nullable Value sum(String type, String expression) {
        return WholeNumbers.sum(type, text(expression), scope());
    }

    @ParameterizedTest
    @CsvSource({
        "INT, i + 1, 8",
        "INT, i - 10, (-3)",
        "BIGINT, b - i, 9223372036854775800",
        "TINYINT, i + 120, 127",
        "INT, n + 1, NULL",
        "INT, 1 + n, NULL"
    })
    void whatIsInRangeIsComputed(String type, String expression, String value) {
        Value sum = sum(type, expression);
        assertThat(sum).isNotNull();
        assertThat(sum == null ? "" : sum.literal()).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({
        "TINYINT, i + 121",
        "BIGINT, b + 1",
        "INT, b - 1",
        "INT, u + 1",
        "INT, t + 1",
        "INT UNSIGNED, i + 1",
        "DECIMAL, i + 1",
        "INT, i * 2",
        "INT, i + 1 + 1",
        "INT, i + 1.0"
    })
    void anythingElseIsForTheServer(String type, String expression) {
        assertThat(sum(type, expression)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "i < 8, true", "i < 7, false", "i <= 7, true", "i = 7, true", "i >= 8, false",
        "i > 6, true", "i <> 7, false", "i != 8, true", "n = 1, false", "n <> 1, false",
        "8 > i, true", "b > i, true"
    })
    void comparisonsHoldOrNot(String condition, boolean holds) {
        assertThat(WholeNumbers.holds(text(condition), scope())).isEqualTo(holds);
    }

    @ParameterizedTest
    @ValueSource(strings = {"u > 1", "t = 7", "i <=> 7", "NOT i", "i = 7.0", "i + 1 > 2"})
    void otherConditionsAreForTheServer(String condition) {
        assertThat(WholeNumbers.holds(text(condition), scope())).isNull();
    }
}
