package org.quiredb.scheduler.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.mysql.PacketReader;
import org.quiredb.common.mysql.PacketWriter;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.characters.CharacterSet;
import org.quiredb.scheduler.session.state.ClientLimits;
import org.quiredb.scheduler.session.state.Kept;

class PreparedStatementsTest {
    private final Kept kept = new Kept(new Kept.All(Long.MAX_VALUE), 10_000);
    private final PreparedStatements statements =
            new PreparedStatements(ClientLimits.DEFAULT, kept);

    @Test
    void whatTheyTakeTogetherIsBounded() {
        long id = statements.add("SELECT '%s', ?".formatted("x".repeat(500)), "", 1);
        assertRefused(() -> statements.add("SELECT '%s'".formatted("y".repeat(500)), "", 0));
        statements.append(id, 0, new byte[3_000]);
        statements.append(id, 0, new byte[3_000]);
        assertRefused(
                () -> statements.get(id).bind(new PacketReader(new byte[9]), CharacterSet.UTF8));
        statements.close(id);
        long next = statements.add("SELECT '%s'".formatted("y".repeat(500)), "", 0);
        statements.get(next).reset();
        statements.clear();
        kept.add(10_000);
    }

    /// As MariaDB's connectors call it who have not waited for its id.
    @Test
    void theLastOneIsAlsoCalledMinusOne() {
        long minusOne = new PacketReader(new byte[] {-1, -1, -1, -1}).int4();
        long id = statements.add("SELECT ?", "", 1);
        assertThat(statements.get(minusOne)).isSameAs(statements.get(id));
        statements.prepares(); // and it fails
        assertThatThrownBy(() -> statements.get(minusOne))
                .isInstanceOfSatisfying(
                        QuireException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_STATEMENT_HANDLER));
        statements.append(minusOne, 0, new byte[1]);
        assertThat(statements.get(id).isWhole()).isTrue();
    }

    private static void assertRefused(ThrowingCallable keeping) {
        assertThatThrownBy(keeping)
                .isInstanceOfSatisfying(
                        QuireException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_RESOURCES));
    }

    /// An answer would be taken for that of the next command.
    @Test
    void longDataOfNoStatementIsNotAnswered() {
        byte[] data = "x".getBytes(StandardCharsets.UTF_8);
        statements.append(99, 0, data);
        long id = statements.add("SELECT ?", "", 1);
        statements.append(id, 0, data);

        PacketWriter bound = new PacketWriter().int1(0).int1(1).int2(MySqlType.VAR_STRING);
        assertThat(
                        statements
                                .get(id)
                                .bind(new PacketReader(bound.toByteArray()), CharacterSet.UTF8))
                .isEqualTo(List.of(SqlValue.of("x")));
    }

    @Test
    void placeholdersAreCounted() {
        assertThat(statements.add("SELECT ?...", "", 65_535)).isPositive();
        assertThatThrownBy(() -> statements.add("SELECT ?...", "", 65_536))
                .isInstanceOfSatisfying(
                        QuireException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_PLACEHOLDERS));
    }
}
