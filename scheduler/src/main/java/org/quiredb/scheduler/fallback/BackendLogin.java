package org.quiredb.scheduler.fallback;

import org.quiredb.scheduler.account.Account;
import org.quiredb.scheduler.account.Login;
import org.quiredb.scheduler.account.Secret;

/// As whom a connection to the backend is logged in.
///
/// @param user the account's name
/// @param host the account's hosts, as a pattern; the backend must take Quire's connection for the
///   same account as the client's, or its rights would be another's
public record BackendLogin(String user, String host, Secret secret) {
    /// Quire's own account.
    static final BackendLogin OWN = new BackendLogin("", "", new Secret.Own());

    static BackendLogin of(Login login) {
        Account account = login.account();
        return login.secret() instanceof Secret.Own
                ? OWN
                : new BackendLogin(account.user(), account.host(), login.secret());
    }

    boolean isOwn() {
        return equals(OWN);
    }

    boolean isCurrent(String currentUser) {
        return currentUser.equalsIgnoreCase(user + "@" + host)
                && currentUser.startsWith(user + "@");
    }
}
