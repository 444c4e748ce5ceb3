package org.quiredb.scheduler.account;

import java.util.Optional;

/// Those who may log in now.
public interface Accounts {
    /// The account that a client of this name at this address is.
    Optional<Account> find(String user, String clientHost);

    /// A password of the account that was right before, and is for as long as the account has the
    /// same hash.
    Optional<String> remembered(Account account);

    /// Whether it is the account's password; it is remembered then.
    boolean admits(Account account, String password);
}
