package org.quiredb.scheduler.session.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.account.Account;
import org.quiredb.scheduler.account.Login;
import org.quiredb.scheduler.account.Secret;

final class SessionStateTest {
    private final SessionState state =
            new SessionState(
                    new Login(Account.ofConfiguration("u", "p"), "127.0.0.1", new Secret.Own()),
                    new Kept(new Kept.All(Long.MAX_VALUE), 10_000),
                    Isolation.READ_COMMITTED);

    @Test
    void whatAClientSetsIsBounded() {
        String large = "SET @x = '%s'".formatted("x".repeat(6_000));
        state.remember("@x", large);
        state.remember("@x", large);
        assertThatThrownBy(() -> state.remember("@y", large))
                .isInstanceOfSatisfying(
                        QuireException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_RESOURCES));
        assertThat(state.settings()).containsExactly(large);
        state.reset();
        state.remember("@y", large);
    }

    @Test
    void modesOfReadingAreGivenBack() {
        state.restored(() -> {
            state.escapes(false);
            state.quotesNames(true);
        });
        assertThat(state.asRead("SELECT \"a\\b\"")).isEqualTo("SELECT \"a\\b\"");
    }
}
