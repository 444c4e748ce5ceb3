package org.quiredb.scheduler.session.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.account.Account;
import org.quiredb.scheduler.account.Login;
import org.quiredb.scheduler.account.Secret;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Isolation;
import org.quiredb.scheduler.session.state.Kept;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.UserVariable;

final class SessionTextTest {
    private final SessionState state =
            new SessionState(
                    new Login(Account.ofConfiguration("u", "p"), "127.0.0.1", new Secret.Own()),
                    new Kept(new Kept.All(Long.MAX_VALUE), 10_000),
                    Isolation.READ_COMMITTED);
    private final SessionText text = new SessionText(state);

    @BeforeEach
    void set() {
        state.diagnostics().lastInsertId(42);
        state.variables().set("n", new UserVariable(SqlValue.of(-7), "", ""));
        state.variables().set("s", new UserVariable(SqlValue.of("it's"), "", ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "INSERT INTO t VALUES (LAST_INSERT_ID(), @s)|INSERT INTO t VALUES (?, ?)|42, it's",
                "SELECT id FROM t WHERE v = 1 -@n AND w = @nothing|SELECT id FROM t WHERE v = ? -(-?) AND w = NULL|1, 7",
                "INSERT INTO t SELECT LAST_INSERT_ID(), v FROM u|INSERT INTO t SELECT 42, v FROM u|",
                "UPDATE t SET v = @n WHERE id = ?|UPDATE t SET v = (-?) WHERE id = ?|7, p"
            })
    void whatTheTierRunsHasConstants(String sql, String expected, String values) {
        List<SqlValue> bound = sql.contains("?") ? List.of(SqlValue.of("p")) : List.of();
        ClientStatement filled = text.filled(ClientStatement.of(sql, bound, false, false), false);
        assertThat(filled.normalized().text()).isEqualTo(expected);
        assertThat(filled.normalized().bind(bound).stream().map(SessionTextTest::shown).toList())
                .isEqualTo(values == null ? List.of() : List.of(values.split(", ", -1)));
        assertThat(filled.sql()).isEqualTo(sql);
    }

    private static String shown(SqlValue value) {
        return value instanceof SqlValue.StringValue(String content) ? content : value.literal();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT @n, id FROM t",
                "SELECT id FROM t ORDER BY @n",
                "SELECT @n := @n + 1 FROM t WHERE id = @n",
                "SELECT id FROM t WHERE id = @n UNION SELECT @n",
                "SELECT id INTO @x FROM t WHERE id = @n"
            })
    void whatABackendShowsOtherwiseIsLeftToIt(String sql) {
        ClientStatement statement = ClientStatement.of(sql, List.of(), false, false);
        assertThat(text.filled(statement, false)).isEqualTo(statement);
    }

    @Test
    void aColumnKeepsItsNameWhereOnlyTheTierCanShowIt() {
        ClientStatement statement =
                ClientStatement.of(
                        "SELECT @n, LAST_INSERT_ID(), id FROM t", List.of(), false, false);
        assertThat(text.filled(statement, true).normalized().text())
                .isEqualTo("SELECT (-7) AS `@n`, 42 AS `LAST_INSERT_ID()`, id FROM t");
    }

    @Test
    void aSettingOfTheServersHasTheValue() {
        assertThat(text.filled("sql_notes = @n")).isEqualTo("sql_notes = (-7)");
        assertThat(text.filled("@@identity = @@session.identity + 1"))
                .isEqualTo("@@identity = 42 + 1");
    }
}
