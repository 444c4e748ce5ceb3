package org.quiredb.scheduler;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quiredb.scheduler.account.Account;
import org.quiredb.scheduler.account.Login;
import org.quiredb.scheduler.account.PasswordVerifier;
import org.quiredb.scheduler.account.Secret;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.FallbackBackend;
import org.quiredb.scheduler.fallback.connection.BackendSession;

@Tag("slow")
final class OtherAccountTest {
    /// The backend knows the client's account for the hosts of clients, and another of its name for
    /// that of the scheduler.
    @Test
    void aClientIsNotToldWhichOtherAccountTheBackendHas() throws Exception {
        TestServer.get()
                .execute(
                        "CREATE OR REPLACE USER app@'10.%' IDENTIFIED BY 'p'",
                        "CREATE OR REPLACE USER app@'127.0.0.1' IDENTIFIED BY 'p'");
        Account account =
                new Account(
                        "app",
                        "10.%",
                        Account.Origin.BACKEND,
                        new PasswordVerifier.Other("any"),
                        Account.State.OPEN,
                        Account.Transport.ANY);
        Login login = new Login(account, "10.1.2.3", new Secret.Password("p"));
        try (FallbackBackend backend =
                new FallbackBackend(List.of(TestServer.get().url()), "quire", "quire", 2)) {
            assertThatThrownBy(() ->
                            backend.values(new BackendSession(login, "", List.of()), "SELECT 1"))
                    .isInstanceOf(StatementFailed.class)
                    .hasMessageStartingWith("Access denied for user 'app'@'10.%'")
                    .hasMessageNotContaining("127.0.0.1");
        } finally {
            TestServer.get().execute("DROP USER app@'10.%', app@'127.0.0.1'");
        }
    }
}
