package org.quiredb.scheduler.fallback.connection;

import org.quiredb.scheduler.account.Account;
import org.quiredb.scheduler.account.Login;
import org.quiredb.scheduler.account.Secret;

/// As whom a connection to the backend is logged in.
///
/// @param user the account's name
/// @param host the account's hosts, as a pattern; the backend must take Quire's connection for the
///   same account as the client's, or its rights would be another's
/// @param countsChanged whether the server counts the rows that an UPDATE changes, else those that
///   it finds; it is told so at the login and never again
public record BackendLogin(String user, String host, Secret secret, boolean countsChanged) {
    /// Quire's own account.
    public static final BackendLogin OWN = new BackendLogin("", "", new Secret.Own());

    public BackendLogin(String user, String host, Secret secret) {
        this(user, host, secret, false);
    }

    static BackendLogin of(Login login) {
        Account account = login.account();
        return login.secret() instanceof Secret.Own
                ? OWN
                : new BackendLogin(account.user(), account.host(), login.secret());
    }

    BackendLogin countingChanged() {
        return new BackendLogin(user, host, secret, true);
    }

    public boolean isOwn() {
        return secret instanceof Secret.Own;
    }

    boolean isCurrent(String currentUser) {
        return currentUser.equalsIgnoreCase(user + "@" + host)
                && currentUser.startsWith(user + "@");
    }
}
